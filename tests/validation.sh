#!/bin/sh
# validation.sh WARPLENS DIR - does the model still agree with an H200 as far as it did, and are the known
# differences still there? DIR is validation/. Counters that follow from rules must be equal, except for
# the kernels of DIR/deviations.txt, which must still differ; others must keep within DIR/limits.txt.
set -u
warplens=$1
dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check NAME KNOWN "FILES" OPTIONS...: runs the model on the files' launches. NAME's limits hold; counters
# are equal, but for the lines of deviations.txt that begin with the word KNOWN.
check() {
    name=$1 known=$2 files=$3
    shift 3
    limits=$(sed -n "s/^$name  *//p" "$dir/limits.txt" | sed 's/^/--max-error /' | tr '\n' ' ')
    paths=$(for file in $files; do echo "$dir/$file"; done)
    # shellcheck disable=SC2086
    "$warplens" validate $paths "$@" -j 2 --min-time 20 $limits --format csv -o "$work/out.csv" ||
        failed=$((failed + 1))
    awk -F, -v name="$name" -v known_word="$known" -v known_file="$dir/deviations.txt" '
        BEGIN {
            while ((getline line < known_file) > 0) {
                split(line, word, " ")
                if (word[1] == "counter") { exact[word[2]] = 1; bound[word[2]] = word[3] == "bound" }
                if (word[1] == known_word) known[word[2] "," word[3]] = 1
            }
        }
        NR > 1 && ($7 in exact) {
            compared++
            key = $3 "," $7
            seen[key] = 1
            if (bound[$7] ? $9 + 0 <= $8 + 0 : $8 == $9) next
            unlike[key] = 1
            if (key in known) next
            printf "%s: %s %s: %s is %s, modelled %s\n", name, $3, $4, $7, $8, $9
            bad = 1
        }
        END {
            for (key in known)
                if (seen[key] && !(key in unlike)) {
                    printf "%s: %s agrees now: take it out of deviations.txt\n", name, key
                    bad = 1
                }
            printf "%s: %d figures compared\n", name, compared
            exit bad || compared == 0
        }' "$work/out.csv" || failed=$((failed + 1))
}

check gallery differs "h200_gallery_small.csv h200_gallery_medium.csv"
check sweeps none h200_sweeps_judge.csv patternLoad,atomicPattern,atomicPatternFetch,sharedAtomics
check exact none h200_exact.csv --rules-only
[ $failed -eq 0 ]
