#!/bin/sh
# launches.sh WARPLENS SOURCE_ROOT - is a launch left out where it does what one before it has done, and nowhere else; are sums and
# what the program sees the same with and without; are those that are chosen the ones that ncu's options name?
set -u
case $1 in /*) warplens=$1 ;; *) warplens=$PWD/$1 ;; esac
cu=$2/tests/cu/launches
. "$(dirname "$0")/checks.sh"

# figures FILE: sums and launches of a JSON result, without what says how they came to be.
figures() {
    python3 - "$1" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
for launch in run["launches"]:
    launch.pop("repeats", None)
print(json.dumps({key: run.get(key) for key in ("launches", "counters", "lines", "arrays", "faults")}, sort_keys=True))
END
}
# traced FILE: "LAUNCHES REPEATED LEFT_OUT"
traced() {
    python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
t = run.get("traced", {"launches": len(run["launches"]), "repeated": 0, "left_out": 0})
print(t["launches"], t["repeated"], t["left_out"])' "$1"
}
# run NAME STATUS FILE ARGUMENTS...: leaves $dir/NAME.json and what the program says in $dir/NAME.out
run() {
    name=$1 status_wanted=$2
    shift 2
    "$warplens" run --rules-only --format json -o "$dir/$name.json" "$@" >"$dir/$name.out" 2>"$dir/$name.err"
    status=$?
    [ $status -eq "$status_wanted" ] || { fail "$*: status $status, not $status_wanted"; cat "$dir/$name.err"; }
}
is() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

# case NUMBER TRACED REPEATED [STATUS]
case_of() {
    run with "${4:-0}" "$cu/repeats.cu" -- "$1"
    is "case $1: launches" "$(traced "$dir/with.json")" "$2 $3 0"
    [ "$3" -gt 0 ] || return # all are traced as it is
    run without "${4:-0}" "$cu/repeats.cu" --trace-repeats -- "$1"
    is "case $1: without" "$(traced "$dir/without.json")" "$(($2 + $3)) 0 0"
    cmp -s "$dir/with.out" "$dir/without.out" || fail "case $1: the program sees something else"
    [ "$(figures "$dir/with.json")" = "$(figures "$dir/without.json")" ] || fail "case $1: other figures"
}
case_of 0 2 3   # repeats
case_of 1 5 0   # atomics that go on
case_of 2 5 0   # in place, on and on
case_of 3 5 0   # a copy to what it reads
case_of 4 5 0   # a fill of it
case_of 5 10 0  # another kernel writes it
case_of 6 6 4   # another kernel overwrites what it wrote
case_of 7 5 0   # other arguments
case_of 8 5 0   # printf
case_of 9 5 0   # managed memory
case_of 10 5 0  # the clock
case_of 11 5 0  # a __device__ variable
case_of 12 5 0  # a __constant__ variable
case_of 13 6 0  # the state of cuRAND
case_of 14 10 0 # launches by a kernel
case_of 15 5 0  # pinned host memory
case_of 16 2 3  # reads and writes other pages of one array
case_of 17 10 0 # another kernel writes a variable
case_of 18 4 1  # a struct as argument, other from the fourth launch on
case_of 19 5 0  # faults
case_of 20 4 1  # a functor
case_of 21 4 6  # two shapes
case_of 22 5 0  # a fill of what it wrote
case_of 23 2 2 2 # an array is freed: the fifth launch has to fail
grep -q 'which was freed' "$dir/with.err" || fail "case 23: the access of a freed array is not told"
case_of 24 4 1  # other dynamic shared memory
case_of 25 3 2  # in place, from the same again
case_of 26 3 2  # atomics, from the same again
case_of 27 6 4  # another kernel goes on in place with what it wrote
case_of 28 2 3  # a texture
case_of 29 2 2 2 # a texture is destroyed: the fifth launch has to fail
grep -q 'a fetch from a texture object that was destroyed' "$dir/with.err" || fail "case 29: the fetch is not told"
case_of 30 4 1  # in place, from something else the fifth time
case_of 31 6 4  # two instances, by constants of the function that launches them

# Times too: a launch that repeats has those of the one that it repeats, and all add up.
"$warplens" run "$cu/repeats.cu" --format json -o "$dir/time.json" -- 0 >"$dir/out" 2>&1 || fail "time: $(cat "$dir/out")"
python3 - "$dir/time.json" <<'END' || fail "the figures of repeated launches"
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
launches = run["launches"]
assert [l.get("repeats") for l in launches] == [None, None, 2, 2, 2], launches
assert all({**l, "repeats": 0} == {**launches[1], "repeats": 0} for l in launches[2:])
sums = {}
for l in launches:
    for key, value in l.items():
        if isinstance(value, int) and key != "repeats":
            sums[key] = sums.get(key, 0) + value
counters = run["counters"]
cycles = counters["elapsed_cycles"]
cycles = cycles["value"] if isinstance(cycles, dict) else cycles
inner = sum((l.get("counters") or l)["elapsed_cycles"] for l in launches)
assert cycles == inner, (cycles, inner)
END

# ncu's options. Names are those of functions; an expression matches any part.
chosen() {
    wanted=$1
    shift
    run chosen 0 "$cu/muted.cu" "$@"
    is "$*" "$(python3 -c '
import json, sys
print(" ".join(l["kernel"] for l in json.load(open(sys.argv[1]))["runs"][0]["launches"]))' "$dir/chosen.json")" "$wanted"
    is "$*: the program" "$(cat "$dir/chosen.out")" '8128 128 101'
    python3 -c '
import json, sys
assert json.load(open(sys.argv[1]))["runs"][0].get("faults") is None' "$dir/chosen.json" || fail "$*: faults"
}
chosen 'reads reads reads' --kernel-name reads
chosen 'reads reads reads' -k regex:^rea
chosen 'writes' --kernel-name 'regex:^w.*s$'
chosen 'space::typed<float>' -k typed
chosen 'sums locks' --launch-skip 1 --launch-count 2
chosen 'reads' -k regex:s$ --launch-skip 3 --launches-per-kernel 1
chosen 'reads reads' -k reads --launch-skip 1
chosen 'writes sums locks reads space::typed<float>' --launches-per-kernel 1
is 'left out' "$(traced "$dir/chosen.json")" '5 0 2'
run nothing 2 "$cu/muted.cu" -k writ
grep -q 'none of the launches is chosen' "$dir/nothing.err" || fail "nothing chosen: $(cat "$dir/nothing.err")"
run bad 2 "$cu/muted.cu" -k 'regex:('
grep -q -- '--kernel-name regex:(: allowed is a name, or regex:' "$dir/bad.err" || fail "expression: $(cat "$dir/bad.err")"

# Traces: a launch that repeats another is a record, and the trace gives the same.
"$warplens" trace record "$cu/repeats.cu" -o "$dir/t.wlt" -- 0 >"$dir/out" 2>&1 || fail "record: $(cat "$dir/out")"
run with 0 "$cu/repeats.cu" -- 0
run replayed 0 "$dir/t.wlt"
is 'replayed' "$(traced "$dir/replayed.json")" '2 3 0'
[ "$(figures "$dir/with.json")" = "$(figures "$dir/replayed.json")" ] || fail 'replayed: other figures'
run skipped 0 "$dir/t.wlt" --launch-skip 1 --launch-count 2
is 'a trace, chosen' "$(traced "$dir/skipped.json")" '1 1 3'
run refused 2 "$dir/t.wlt" --launch-skip 2
grep -q 'only says that it repeats launch 2, which is not chosen' "$dir/refused.err" || fail "refused: $(cat "$dir/refused.err")"
"$warplens" trace convert "$dir/t.wlt" -o "$dir/t.txt" --format text >"$dir/out" 2>&1 && fail 'a text trace of repeats'
grep -q 'binary traces alone can hold that; record the program with --trace-repeats' "$dir/out" || fail "convert: $(cat "$dir/out")"
"$warplens" trace check "$dir/t.wlt" >"$dir/out" 2>&1 || fail "check: $(cat "$dir/out")"
"$warplens" trace info "$dir/t.wlt" | grep -q 'traced: 2 of 5 launches; 3 repeat one of them' || fail 'info'
"$warplens" trace record "$cu/repeats.cu" -o "$dir/t.txt" --format text -- 0 >"$dir/out" 2>&1 || fail "text: $(cat "$dir/out")"
run text 0 "$dir/t.txt"
is 'a text trace' "$(traced "$dir/text.json")" '5 0 0'

"$warplens" check "$cu/repeats.cu" -- 0 2>&1 | grep -q 'traced: 2 of 5 launches; 3 repeat one of them' || fail 'check'
"$warplens" run "$cu/product.cu" --rules-only --launches-per-kernel 2 -- 5 64 >"$dir/out" 2>&1 || fail "product: $(cat "$dir/out")"
grep -q 'Result = PASS' "$dir/out" || fail 'the program does not pass its own check'
grep -q 'traced  *2 of 6 launches (--launches-per-kernel 2); totals are of those' "$dir/out" || fail "product: $(cat "$dir/out")"
exit $failed
