#!/bin/sh
# Installs what warplens needs to be built (and, with "test", to be tested; with "arm64", for tools/arm64.sh) on Debian and
# Ubuntu.
# Needs root or sudo only when something is missing.
set -eu

build_packages="gcc libc6-dev meson ninja-build pkg-config"
test_packages="build-essential libcmocka-dev clang libclang-rt-14-dev clang-format binutils util-linux parallel \
bash-completion zsh fish man-db groff-base mandoc debhelper dpkg-dev fakeroot"
# The playground: lld and what follows build it, a browser tests it.
test_packages="$test_packages lld wasi-libc libclang-rt-14-dev-wasm32 chromium fonts-dejavu-core"

# A cross compiler and an emulator.
arm64_packages="g++ gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3"

packages=$build_packages
[ "${1:-build}" = test ] && packages="$packages $test_packages"
[ "${1:-build}" = arm64 ] && packages="$packages $arm64_packages"

missing=
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "tools/setup.sh: this system has no apt-get; install by hand what these Debian packages hold:$missing" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "tools/setup.sh: run as root, or install these packages:$missing" >&2
        exit 1
    }
    as_root=sudo
fi
echo "installing:$missing" >&2
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
