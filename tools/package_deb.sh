#!/bin/sh
# package_deb.sh [OUTDIR] - builds the Debian packages of warplens, without changing the source tree, and puts
# them into OUTDIR, or the directory above this tree. Tests are left out (`sh tools/test.sh` runs them) unless
# DEB_BUILD_OPTIONS is given. Needs debhelper and dpkg-dev; `sh tools/setup.sh test` installs them.
set -eu
cd "$(dirname "$0")/.."
out=$(mkdir -p "${1:-..}" && cd "${1:-..}" && pwd)
command -v dh >/dev/null && command -v dpkg-buildpackage >/dev/null || {
    echo "tools/package_deb.sh: needs debhelper and dpkg-dev: sh tools/setup.sh test installs them" >&2
    exit 1
}
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" meson.build | head -n 1)
packaged=$(dpkg-parsechangelog -S Version)
[ "${packaged%-*}" = "$version" ] || {
    echo "tools/package_deb.sh: debian/changelog is of $packaged, meson.build of $version: add an entry" >&2
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/warplens-$version"
tar -c --exclude-vcs --exclude='./build*' . | tar -x -C "$work/warplens-$version"
cd "$work/warplens-$version"
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck parallel=$(nproc)}"
dpkg-buildpackage -b -us -uc >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
mv "$work"/*.deb "$work"/*.buildinfo "$work"/*.changes "$out"
find "$out" -maxdepth 1 -name "*warplens*_${packaged}_*.deb" | sort
