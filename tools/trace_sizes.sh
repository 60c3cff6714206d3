#!/bin/sh
# Sizes of traces of the gallery: binary, Accel-Sim's .traceg, and the .traceg behind xz, as the table
# of docs/trace-format.md. Takes the program, and the most accesses of a run that is exported (an
# export takes about 500 bytes an access).
#
#   sh tools/trace_sizes.sh build/warplens [100000]
set -eu
program=$1
most=${2:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "| kernel | warp accesses | binary, bytes | an access | .traceg, bytes | an access | .traceg.xz, bytes | an access |"
echo "|---|---|---|---|---|---|---|---|"
"$program" kernels --format markdown | sed -n 's/^| *`\([A-Za-z0-9_]*\)`.*/\1/p' | while read -r kernel; do
    "$program" trace record "$kernel" -o "$work/trace.wlt" 2>/dev/null
    accesses=$("$program" trace info "$work/trace.wlt" |
        sed -n 's/^ *\([0-9,]*\) warp accesses,.*/\1/p' | tr -d ,)
    bytes=$(wc -c <"$work/trace.wlt")
    traceg=0
    xz=0
    if [ "$accesses" -le "$most" ]; then
        rm -rf "$work/out"
        "$program" trace convert "$work/trace.wlt" --format accelsim -o "$work/out" 2>/dev/null
        traceg=$(cat "$work"/out/*.traceg | wc -c)
        xz=$(cat "$work"/out/*.traceg | xz -6 -c | wc -c)
    fi
    echo "$kernel $accesses $bytes $traceg $xz"
done | awk '
    function cell(n, of) { return n ? sprintf("%d | %.2f", n, n / of) : "- | -" }
    {
        printf "| %s | %d | %s | %s | %s |\n", $1, $2, cell($3, $2), cell($4, $2), cell($5, $2)
        all += $2; binary += $3
        if ($4) { part += $2; part_binary += $3; traceg += $4; xz += $5 }
        mean += $3 / $2; n++
    }
    END {
        printf "| all %d | %d | %s | - | - | - | - |\n", n, all, cell(binary, all)
        printf "| those exported | %d | %s | %s | %s |\n", part, cell(part_binary, part), cell(traceg, part), cell(xz, part)
        printf "| mean of all %d | | | %.2f | | | | |\n", n, mean / n
    }'
