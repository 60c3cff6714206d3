#!/bin/sh
# install.sh MESON BUILD PREFIX INSTALLED.SH ARGUMENTS... - installs a build below a root of its own and asks
# installed.sh whether it works there.
set -u
meson=$1 build=$2 prefix=$3 installed=$4
shift 4
root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT
"$meson" install -C "$build" --no-rebuild --destdir "$root" >"$root/log" 2>&1 || {
    cat "$root/log"
    exit 1
}
sh "$installed" "$root$prefix" "$@"
