# cu_copies.sh - what tests of programs with copies to shared memory share, beside checks.sh; they begin with
# . "$(dirname "$0")/cu_copies.sh"  once $warplens is set and no path is relative.
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

# expect WHAT WANTED GOT
expect() {
    [ "$2" = "$3" ] || fail "$1: '$3', not '$2'"
}

# reports PROGRAM GPU KERNEL: counter NAME and operations are of this run.
reports() {
    "$warplens" run "$1" --gpu "$2" -k "$3" --format csv 2>err | grep ',kernel,,' >report.csv
}

counter() {
    grep "^[^,]*,[^,]*,[^,]*,kernel,,$1," report.csv | sed 's/.*,//'
}

# operations PROGRAM KERNEL: what JSON calls its accesses to global memory, each once; and a comparison reads that.
operations() {
    "$warplens" run "$1" --gpu h200 --rules-only -k "$2" --format json -o report.json >out 2>err
    "$warplens" diff report.json report.json >out 2>err || echo "no diff: $(cat err)"
    grep -o '"space":"global","op":"[^"]*"' report.json | sed 's/.*:"//; s/"//' | sort -u | tr '\n' ',' | sed 's/,$//'
}

# goes_round NAME: the trace NAME.wlt is in NAME.wlt.txt as text, which has all of it.
goes_round() {
    "$warplens" trace cat "$1.wlt" >"$1.wlt.txt" || fail "trace cat of $1"
    "$warplens" trace convert "$1.wlt.txt" -o again.wlt && "$warplens" trace cat again.wlt | cmp - "$1.wlt.txt" ||
        fail "$1 as text, and back"
    "$warplens" trace check "$1.wlt.txt" >out || { fail "check of $1"; cat out; }
}

# refused_forms TRACE WHAT: the forms of traces that cannot hold copies say so.
refused_forms() {
    for form in csv accelsim; do
        "$warplens" trace convert "$1" --format $form -o p.$form >out 2>err && fail "$form holds copies"
        grep -q "$2" err || { fail "$form"; cat err; }
    done
}
