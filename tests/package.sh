#!/bin/sh
# package.sh SOURCE WARPLENS VERSION - are the Debian packages built, and do they work where they are
# installed? They are built without optimisation, which the kernels do not heed; lintian looks at them;
# they are installed below a root of their own, with a copy of dpkg's status in place of the machine's;
# warplens is run there; and they are removed without a trace.
set -u
source=$1 built=$2 version=$3
as_root=
[ "$(id -u)" -eq 0 ] || as_root=fakeroot
for needed in dh dpkg-buildpackage $as_root; do
    command -v $needed >/dev/null || { echo "no $needed here"; exit 77; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}

DEB_BUILD_OPTIONS="nocheck noopt parallel=$(nproc)" sh "$source/tools/package_deb.sh" "$dir/out" >"$dir/log" 2>&1 || {
    cat "$dir/log"
    fail "the packages are not built"
    exit 1
}
for package in warplens libwarplens0 libwarplens-dev; do
    [ -n "$(find "$dir/out" -name "${package}_${version}-*.deb")" ] || fail "no package $package"
done
rm -f "$dir"/out/*-dbgsym_*
if command -v lintian >/dev/null; then
    lintian --fail-on error "$dir"/out/*.deb >"$dir/log" 2>&1 || fail "lintian: $(cat "$dir/log")"
fi
dpkg-deb -f "$dir"/out/warplens_*.deb Depends | grep -q 'libc6 (>=' || fail "warplens does not depend on libc6"
dpkg-deb -f "$dir"/out/warplens_*.deb Recommends | grep -q 'g++' || fail "warplens does not recommend g++"

# dpkg below a root of its own: what it would write about the machine goes into a copy.
mkdir -p "$dir/root" "$dir/admin/info" "$dir/admin/updates" "$dir/admin/triggers"
cp /var/lib/dpkg/status "$dir/admin/status"
beside() {
    $as_root dpkg --instdir="$dir/root" --admindir="$dir/admin" --force-script-chrootless \
        --no-triggers --log=/dev/null "$@" >"$dir/log" 2>&1
}
beside --install "$dir"/out/*.deb || fail "dpkg --install: $(grep -v 'files list file' "$dir/log")"
sh "$source/tests/installed.sh" "$dir/root/usr" "$version" "$source" "$built" || fail "the installed package"
beside --remove warplens libwarplens0 libwarplens-dev || fail "dpkg --remove: $(grep -v 'files list file' "$dir/log")"
find "$dir/root" -type f >"$dir/left"
[ -s "$dir/left" ] && fail "left after removal: $(cat "$dir/left")"
exit $((failed > 0))
