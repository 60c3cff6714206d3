#!/bin/sh
# manual.sh WARPLENS PAGE - is the manual page right for those who format it, and does it have every
# command, option and GPU? Checkers that are not installed are left out; there must be one.
set -u
warplens=$1 page=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}

# quiet NAME COMMAND...: it ends well and writes no message.
quiet() {
    name=$1
    shift
    command -v "$1" >/dev/null || return 0
    checkers=$((checkers + 1))
    "$@" >"$dir/text" 2>"$dir/messages" || fail "$name ends with $?"
    [ -s "$dir/messages" ] && fail "$name: $(cat "$dir/messages")"
}

checkers=0
LC_ALL=C.UTF-8 MANWIDTH=80
export LC_ALL MANWIDTH
quiet groff groff -man -Tutf8 -ww -z "$page"
quiet man man --warnings -E UTF-8 -l "$page"
[ $checkers -gt 0 ] || exit 77
if command -v mandoc >/dev/null; then
    # No date: the same sources give the same page on every day.
    mandoc -W warning -T lint "$page" | grep -v 'STYLE: \|missing date' && fail "mandoc"
fi
MANWIDTH=250 man -E UTF-8 -l "$page" >"$dir/text" 2>/dev/null || groff -man -Tascii -P-cbou "$page" >"$dir/text"

for command in $("$warplens" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    grep -q "^   $command\( \|$\)" "$dir/text" || fail "no section of $command"
    "$warplens" help "$command" | sed -n 's/^  \(-.,* \)*\(--[a-z-]*\) .*/\2/p' | while read -r option; do
        grep -q -- "^ *\(-., \)*$option\( \|$\)" "$dir/text" || echo "$command $option"
    done >"$dir/missing"
    [ -s "$dir/missing" ] && fail "no entry of: $(cat "$dir/missing")"
done
for gpu in $("$warplens" gpus | awk '$2 ~ /^sm_/ {print $1}'); do
    grep -q "^ *$gpu " "$dir/text" || fail "no entry of $gpu"
done
"$warplens" --version | cut -d' ' -f2 | grep -qFf - "$dir/text" || fail "the page is of another version"
exit $((failed > 0))
