#!/bin/sh
# golden.sh WARPLENS COMMANDS [record]: compares the output of every command in the file ("name:
# arguments" a line) with name.txt beside it, byte for byte, or records it anew. The compiler's name and
# version are left out, and a sweep's hash of them: they differ from machine to machine.
set -u
warplens=$1 commands=$2 dir=$(dirname "$2") mode=${3:-compare}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
while IFS=: read -r name arguments; do
    case $name in '' | '#'*) continue ;; esac
    eval "\"$warplens\" $arguments" 2>&1 |
        sed -e 's/Accesses as compiled by [a-z]* [0-9.]*[0-9]/Accesses as compiled by COMPILER/' \
            -e 's/"sweep":"[0-9a-f]*"/"sweep":"HASH"/' -e 's/"compiler":"[^"]*"/"compiler":"COMPILER"/' >"$work/$name.txt"
    if [ "$mode" = record ]; then
        cp "$work/$name.txt" "$dir/$name.txt"
    elif ! diff -u "$dir/$name.txt" "$work/$name.txt"; then
        echo "FAILED: $name: warplens $arguments"
        failed=$((failed + 1))
    fi
done <"$commands"
[ $failed -eq 0 ] || echo "If the change is meant: sh tools/record_goldens.sh, and read the diff."
exit $((failed > 0))
