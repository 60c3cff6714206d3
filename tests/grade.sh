#!/bin/sh
# grade.sh WARPLENS PYTHON EXAMPLES - does every student get the points that the exercise promises, and a
# reason for those that are missing, whatever the others hand in?
set -u
warplens=$(realpath "$1") python=$2 examples=$3
. "$(dirname "$0")/checks.sh"

# Where the kernel cannot confine programs (tests/confine.py says so), points are the same at large.
at_large=
"$warplens" grade "$examples/transpose.grade" "$examples/good.cu" 2>&1 | grep -q 'cannot confine programs here' &&
    at_large='--confine no'

# ends STATUS ARGUMENTS...: the exit status; output in $dir/out, messages in $dir/err.
ends() {
    want=$1
    shift
    "$warplens" grade $at_large "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$want" ] || fail "'$*' exits with $status, not $want: $(cat "$dir/err")"
}

# refuses PATTERN TEXT [FILE]: a spec of that text; status 2, one line of message, no output.
refuses() {
    printf '%b' "$2" >"$dir/x.grade"
    ends 2 "$dir/x.grade" "${3:-$dir/none.cu}"
    is_message "$2" "$1"
}

# shows PATTERN [FILE]: a line, single blanks between its words.
shows() {
    sed 's/^ *//; s/  */ /g' "${2:-$dir/out}" | grep -q -- "$1" || fail "lacks: $1"
}

# The exercise of the examples: good, half good, and one that does not compile.
cd "$examples" || exit 1
ends 2 transpose.grade good.cu half.cu broken.cu -o "$dir/reports"
[ "$(cat "$dir/err")" = 'warplens grade: 1 of 3 files did not run to their end: their reports say why' ] ||
    fail "messages of students reach standard error: $(cat "$dir/err")"
shows '^good.cu 10 10$'
shows '^half.cu 4 10$'
shows '^broken.cu 0 10 broken.cu: does not compile'
shows '^good.cu: 10 of 10 points$' "$dir/reports/good.cu.txt"
shows '^0 of 4 gst_efficiency at least 100 h200 12.5 % NOT MET$' "$dir/reports/half.cu.txt"
shows '^gst_efficiency on h200: the worst line is half.cu:10 (12.5)$' "$dir/reports/half.cu.txt"
shows '^warplens explain half.cu:10 --gpu h200 -- 128$' "$dir/reports/half.cu.txt"
shows '^array tile:shared_load_conflicts in half.cu on h200 (arguments=128): no array of that name' "$dir/reports/half.cu.txt"
shows "^broken.cu:10:35: error: expected" "$dir/reports/broken.cu.txt"
shows '^0 of 2 gld_efficiency at least 100 - not checked$' "$dir/reports/broken.cu.txt"
[ "$(ls "$dir/reports" | tr '\n' ' ')" = 'broken.cu.txt good.cu.txt half.cu.txt summary.csv ' ] || fail "-o: $(ls "$dir/reports")"

# Students that go wrong in other ways; after each, good ones are graded.
printf '%s\n' '#include <cstdio>' '#include <cstdlib>' '__global__ void k(float *a) { a[threadIdx.x] = 1; }' \
    'int main() { float *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d);' >"$dir/head"
for body in 'crash: puts("PASSED"); fprintf(stderr, "why\\n"); fflush(stdout); abort();' 'status: puts("PASSED"); return 3;' 'wrong: puts("FAILED"); return 0;' \
    'fine: puts("PASSED"); return 0;'; do
    { cat "$dir/head"; echo "${body#*:} }"; } >"$dir/${body%%:*}.cu"
done
printf '%s\n' '#include <cstdio>' 'int main() { for (volatile int i = 0;; i = 1) {} }' >"$dir/hang.cu"
printf 'timeout 300\ntitle Store\nmust_print PASSED\npoints 3 min gst_efficiency=100\npoints 1 pass\npoints 1 max time@h200=1000\n' >"$dir/store.grade"
printf 'wlt 1\n' >"$dir/no.wlt"
ends 2 "$dir/store.grade" "$dir/crash.cu" "$dir/status.cu" "$dir/wrong.cu" "$dir/no.wlt" "$dir/none.cu" "$dir/fine.cu" --format json
cp "$dir/out" "$dir/students.json"
"$python" - "$dir/students.json" <<'PYTHON' || fail 'the JSON is not what it should be'
import json, os, sys
grades = json.load(open(sys.argv[1]))
found = {os.path.basename(s['file']): s for s in grades['students']}
assert grades['of'] == 5 and list(found) == ['crash.cu', 'status.cu', 'wrong.cu', 'no.wlt', 'none.cu', 'fine.cu']
assert [s['points'] for s in grades['students']] == [0, 0, 0, 0, 0, 5]
assert 'ended by signal 6' in found['crash.cu']['reason'] and 'why\n' in found['crash.cu']['details']
assert 'ended with status 3' in found['status.cu']['reason']
assert found['wrong.cu']['reason'] == 'the program ended well, and did not print PASSED'
assert found['wrong.cu']['state'] == 'not passed' and found['none.cu']['state'] == 'not run'
assert 'No such file' in found['none.cu']['reason']
assert all(not i['checked'] for s in grades['students'][:5] for i in s['items'] if 'efficiency' in i['wanted'])
assert found['fine.cu']['items'][0]['seen'] == [{'gpu': 'h200', 'value': 100, 'unit': '%', 'met': True}]
PYTHON

# One that does not end, and one that does: the first is ended with all that it has started.
printf 'timeout 1\npoints 1 pass\n' >"$dir/short.grade"
TMPDIR=$dir/tmp && mkdir "$TMPDIR" && export TMPDIR
ends 2 "$dir/short.grade" "$dir/hang.cu"
shows 'Nothing could be checked: it did not end within 1 seconds'
[ -z "$(ls "$TMPDIR")" ] || fail "a program that was ended leaves files: $(ls "$TMPDIR")"
unset TMPDIR

# What a kernel does wrong and a GPU lets pass costs everything, or what a line says.
cat >"$dir/unchecked.cu" <<'END'
#include <cstdio>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
int main() { float *d; cudaMalloc(&d, 120); k<<<1, 32>>>(d); puts("PASSED"); }
END
ends 0 "$dir/store.grade" "$dir/unchecked.cu"
shows 'unchecked.cu: 0 of 5 points$'
shows '2 faults: 2 out_of_bounds. The first: unchecked.cu:2: in k: store of 4 bytes at d + 120 bytes'
printf 'points 1 pass\npoints 2 no faults\npoints 3 max out_of_bounds=2\n' >"$dir/faults.grade"
ends 0 "$dir/faults.grade" "$dir/unchecked.cu"
shows 'unchecked.cu: 4 of 6 points$'
shows '^0 of 2 faults at most 0 h200 2 faults NOT MET$'
shows '^3 of 3 out_of_bounds at most 2 h200 2 faults met$'
ends 0 "$dir/faults.grade" "$dir/fine.cu"
shows 'fine.cu: 6 of 6 points$'

# Traces: no program, no output; limits on several GPUs, or one of them.
"$warplens" trace record transpose -p width=64 -p height=64 -o "$dir/t.wlt" 2>/dev/null || fail 'trace record'
printf 'gpu gtx280,h200\npoints 2 min gst_efficiency=100\npoints 1 max array block:shared_load_conflicts@gtx280=0\npoints 1 max shared_load_conflicts=0\npoints 1 max constant_passes_per_request=1\n' >"$dir/trace.grade"
ends 0 "$dir/trace.grade" "$dir/t.wlt"
shows 't.wlt: 3 of 5 points$'
shows '^0 of 1 shared_load_conflicts at most 0 gtx280 0 passes met$'
shows '^h200 128 passes NOT MET$'
shows '^shared_load_conflicts on h200: the worst line is transpose.c:46 (128)$'
shows '^constant_passes_per_request in transpose on gtx280 .*: nothing of its kind happened there$'
ends 0 "$dir/store.grade" "$dir/t.wlt"
shows 'a trace has no output: nothing shows that its program prints PASSED'

# Exercises that are wrong say where.
refuses 'x.grade:2: colour: unknown word; there are title' 'title T\ncolour red\n'
refuses 'x.grade:1: pints: unknown word; did you mean points' 'pints 3 pass\n'
refuses 'x.grade:3: title: given before' '# a comment\ntitle T\ntitle U\n'
refuses 'x.grade:1: timeout: allowed is 1 to 3600 seconds' 'timeout 0\n'
refuses 'x.grade:1: timeout: allowed is 1 to 3600 seconds' 'timeout 5s\n'
refuses 'x.grade:1: points: allowed is' 'points many pass\n'
refuses 'x.grade:1: points: allowed is' 'points 1001 pass\n'
refuses 'x.grade:1: points N: allowed is pass, no faults, min LIMIT or max LIMIT' 'points 1 least gld_efficiency=3\n'
refuses 'x.grade:1: points N: allowed is pass, no faults, min LIMIT or max LIMIT' 'points 1 pass often\n'
refuses 'x.grade:2: unknown counter gld_eficiency; did you mean gld_efficiency' '\npoints 1 min gld_eficiency=3\n'
refuses 'x.grade:1: gld_efficiency: allowed is' 'points 1 min gld_efficiency\n'
refuses 'x.grade:1: must_print: has no value' 'must_print\n'
refuses 'x.grade:1: gld_32b is no counter of h200' 'points 1 max gld_32b=0\n'
refuses "x.grade:1: the limit's GPU is none of the exercise's" 'points 1 min gld_efficiency@gtx280=1\n'
refuses 'unknown GPU h2000; did you mean h200' 'gpu h2000\npoints 1 pass\n'
refuses 'x.grade: no line gives points' ''
refuses 'x.grade:1: a zero byte' 'a\0000b\n'
refuses 'not a file.s name' 'points 1 pass\n' transpose
ends 2 "$dir/store.grade"
ends 1 "$dir/nothing.grade" "$dir/fine.cu"
mkdir "$dir/a"
ends 2 "$dir/store.grade" "$dir/a_b.cu" "$dir/a/b.cu" -o "$dir/double"
grep -q 'would have one report' "$dir/err" || fail "two files of one name: $(cat "$dir/err")"
ends 1 "$dir/store.grade" "$dir/fine.cu" -o "$dir/fine.cu"
exit $((failed > 0))
