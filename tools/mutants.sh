#!/bin/sh
# Changes one line of the model after another, and says which changes the unit suites do not notice:
#   sh tools/mutants.sh [--only rules|counters|time] [--list] [--out FILE] [--jobs N]
# --list: prints the changes and runs nothing. --out: results, a line a change (build-mutants/results unless
# given); changes that it has are not tried again, so take out the lines of those that are to be. --jobs: copies
# of the tree side by side, 2 unless given. Nothing is changed but in the copies, build-mutants/1 ..., which stay
# for the next time. tools/mutants.py says which changes are made and which suites are run: neither recorded
# outputs nor measured times. It takes about 20 seconds a change and job.
set -eu
cd "$(dirname "$0")/.."
jobs=2 out=build-mutants/results only='' list=no
while [ $# -gt 0 ]; do
    case $1 in
    --only) only=$2 && shift ;;
    --out) out=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    --list) list=yes ;;
    *) sed -n 2,8p "$0" >&2 && exit 2 ;;
    esac
    shift
done
case $only in '' | rules | counters | time) ;; *) echo "no room $only: rules, counters or time" >&2 && exit 2 ;; esac
[ $list = no ] || exec python3 tools/mutants.py list "$only"

# Files that are the same keep their time, so that little is built anew; a change that was left behind goes.
update_copy() {
    git ls-files -co --exclude-standard | while IFS= read -r file; do
        [ ! -f "$file" ] || cmp -s "$file" "$1/$file" || {
            mkdir -p "$1/$(dirname "$file")"
            cp "$file" "$1/$file"
        }
    done
    [ -f "$1/build/build.ninja" ] || meson setup --optimization 1 -Dcuda=disabled "$1/build" "$1" >"$1.log"
}

copies=''
for i in $(seq "$jobs"); do
    mkdir -p "build-mutants/$i"
    update_copy "build-mutants/$i"
    copies="$copies build-mutants/$i"
done
# shellcheck disable=SC2086
exec python3 tools/mutants.py run "$only" "$out" $copies
