#!/bin/sh
# statuses.sh WARPLENS DOCUMENT [all] - does every command end as the table of docs/statuses.md says, for every program
# in it, and say in every form of its report what went wrong? Without `all` one row is run whole, and of the others
# a cell of each, so that every command comes by.
set -u
warplens=$(realpath "$1") document=$(realpath "$2") which=${3:-some}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() {
    failed=1
    echo "FAILED: $1"
}

# One program for all rows, told by its name what to do.
cat >program.cu <<'END'
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__global__ void good(float *a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] = 1;
}
__global__ void trap(float *a) { a[threadIdx.x] = 1; __syncthreads(); if (threadIdx.x == 5) __trap(); }
__global__ void asserts(float *a, int n) { a[threadIdx.x] = 1; assert((int)threadIdx.x < n); }
__global__ void overrun(float *a) { __shared__ float s[32]; s[threadIdx.x] = 1; a[0] = s[threadIdx.x + 32]; }
__global__ void divides(int *a, int n) { a[threadIdx.x] = 1; a[1] = 7 / n; }
__global__ void leaves(float *a) { a[threadIdx.x] = 1; _exit(0); }
__global__ void dies(float *a) { a[threadIdx.x] = 1; raise(SIGKILL); }
int main()
{
    const char *name = NAME;
    float *d;
    if (strcmp(name, "none") == 0)
        return 0;
    cudaMalloc(&d, 120);
    cudaMemset(d, 0, 120);
    if (strcmp(name, "first") == 0)
        trap<<<1, 30>>>(d);
    if (strcmp(name, "fork") == 0 && fork() == 0) {
        trap<<<1, 30>>>(d);
        _exit(1);
    }
    good<<<1, 32>>>(d, strcmp(name, "fault") == 0 ? 32 : 30);
    cudaDeviceSynchronize();
    if (strcmp(name, "stopped") == 0)
        trap<<<1, 30>>>(d);
    if (strcmp(name, "assert") == 0)
        asserts<<<1, 30>>>(d, 16);
    if (strcmp(name, "shared") == 0)
        overrun<<<1, 32>>>(d);
    if (strcmp(name, "divide") == 0)
        divides<<<1, 30>>>((int *)d, 0);
    if (strcmp(name, "leaves") == 0)
        leaves<<<1, 30>>>(d);
    if (strcmp(name, "killed") == 0)
        dies<<<1, 30>>>(d);
    if (strcmp(name, "refused") == 0)
        good<<<1, 2048>>>(d, 30);
    if (strcmp(name, "host") == 0)
        printf("%g\n", d[3]);
    if (strcmp(name, "null") == 0)
        return *(volatile int *)NULL;
    while (wait(NULL) > 0)
        ;
    cudaDeviceSynchronize();
    return strcmp(name, "status") == 0 ? 3 : 0;
}
END
line=$(grep -n 'a\[threadIdx.x\] = 1;$' program.cu | head -n 1 | cut -d : -f 1)
printf 'points 1 max warp_accesses=9\n' >x.grade

# command NAME FILE: runs one cell's command.
command() {
    case $1 in
    run) "$warplens" run "$2" ;;
    compare) "$warplens" compare "$2" --gpu h200,gtx280 ;;
    advise) "$warplens" advise "$2" ;;
    explain) "$warplens" explain "$2:$((line + 1))" ;;
    diff) "$warplens" diff "$2" "$2" --rules-only ;;
    gate) "$warplens" gate "$2" --max warp_accesses=9 --rules-only ;;
    grade) "$warplens" grade x.grade "$2" ;;
    check) "$warplens" check "$2" ;;
    'trace record') "$warplens" trace record "$2" -o trace.wlt ;;
    sweep) "$warplens" sweep "$2" --gpu h200 ;;
    *) echo "no such command: $1" ;;
    esac
}

# What the table says: "program<TAB>command<TAB>status" a line.
awk -F '|' '/^\| program \|/ { for (i = 3; i < NF; i++) { gsub(/^ +| +$/, "", $i); head[i] = $i }; inside = 1; next }
    inside && /^\|---/ { next }
    inside && !/^\|/ { exit }
    inside { split($2, name, "`"); for (i = 3; i < NF; i++) { gsub(/ /, "", $i); print name[2] "\t" head[i] "\t" $i } }' \
    "$document" >cells
[ "$(wc -l <cells)" -ge 100 ] || fail "the table of $document has $(wc -l <cells) cells"
commands=$(cut -f 2 cells | sort -u | wc -l)
if [ "$which" != all ]; then
    awk -F '\t' -v commands="$commands" '{ row += $1 != name; name = $1; column = (NR - 1) % commands }
        name == "stopped" || column == row * 3 % commands' cells >some
    mv some cells
fi

# cell NUMBER NAME COMMAND STATUS: in a folder of its own; what is wrong goes to its file `failures`.
cell() {
    mkdir "cell$1" && cd "cell$1" || exit 1
    cp "../$2.cu" ../x.grade .
    command "$3" "$2.cu" >out 2>err </dev/null
    got=$?
    [ "$got" = "$4" ] || echo "$3 of $2 ends with $got, not $4: $(cat err)" >>failures
    if [ "$2" = none ]; then
        grep -q 'launched no kernel\|no memory access\|nothing was launched' out err || [ "$3" = 'trace record' ] ||
            echo "$3 of $2 does not say that nothing was launched: $(cat err)" >>failures
    elif grep -q 'launched no kernel' out err; then
        echo "$3 of $2 says that nothing was launched" >>failures
    fi
    [ "$4" = 0 ] || [ -s err ] || [ "$3 $4" = 'check 3' ] || echo "$3 of $2 says nothing on standard error" >>failures
}

# Two at a time: each is compiled.
cut -f 1 cells | sort -u | while read -r name; do
    { echo "#define NAME \"$name\""; cat program.cu; } >"$name.cu"
done
[ ! -f wrong.cu ] || echo 'int wrong() { return undeclared(); }' >>wrong.cu
tab=$(printf '\t')
number=0
while IFS="$tab" read -r name command want; do
    number=$((number + 1))
    cell $number "$name" "$command" "$want" &
    [ $((number % 2)) = 1 ] || wait
done <cells
wait
cat cell*/failures 2>none && failed=1

# What is left is valid, holds the fault, and of the launches those that were complete.
forms='stopped first'
[ "$which" != all ] || forms='stopped first assert shared divide leaves killed refused host null status'
for name in $forms; do
    launches=1
    [ $name != first ] || launches=0
    "$warplens" run $name.cu --format json -o report.json >out 2>err </dev/null
    python3 - $name $launches <<'PYTHON' || fail "$name: the JSON is not what it should be"
import json, sys
run = json.load(open('report.json'))['runs'][0]
faults = run['faults']
stops = [f for f in faults['places'] if f['stops']]
assert faults['failed'] and faults['count'] == 1 and len(stops) == 1, faults
kind = {'shared': 'out_of_bounds', 'null': 'out_of_bounds'}.get(sys.argv[1], 'stopped')
assert stops[0]['kind'] == kind and stops[0]['text'], stops
if int(sys.argv[2]):
    assert run['counters']['launches'] == 1 and run['counters']['warp_accesses'] == 1, run['counters']
    assert len(run['launches']) == 1 and run['launches'][0]['kernel'] == 'good'
    assert [l['line'] for l in run['lines']] == [run['lines'][0]['line']]
else:
    assert run['error'] and 'counters' not in run
PYTHON
    "$warplens" run $name.cu --format csv -o report.csv >out 2>err </dev/null
    [ "$(grep -c ',stop,' report.csv)" = 1 ] || fail "$name: no stop in the CSV"
    "$warplens" run $name.cu >report.txt 2>err </dev/null
    head -n 1 report.txt | grep -q '^FAILED: ' || tail -n +2 report.txt | grep -q '^FAILED: ' || fail "$name: the text does not begin with it"
    "$warplens" run $name.cu --format html --no-advice -o report.html >out 2>err </dev/null
    grep -q 'class="faults"' report.html || fail "$name: no fault in the page"
    grep -q '</html>' report.html || fail "$name: the page has no end"
done

# The counters of what was complete are those of the same run without what failed.
"$warplens" run fine.cu --format csv --gpu h200,gtx280 -o fine.csv >out 2>err
"$warplens" run stopped.cu --format csv --gpu h200,gtx280 -o stopped.csv >out 2>err
sed 's/^fine/stopped/; s/fine.cu/stopped.cu/g' fine.csv >wanted.csv
grep -v ',stop,' stopped.csv | cmp -s - wanted.csv || fail 'a launch that was stopped leaves something in the counters'

# --error-exitcode, and a trace that says that what it is of has failed.
"$warplens" run fault.cu --error-exitcode 9 >out 2>err
[ $? = 9 ] || fail '--error-exitcode with a fault'
"$warplens" run fine.cu --error-exitcode 9 >out 2>err || fail '--error-exitcode without a fault'
"$warplens" trace record stopped.cu -o stopped.wlt >out 2>err
"$warplens" run stopped.wlt >out 2>err
[ $? = 2 ] && grep -q '^FAILED: ' out || fail 'the trace of a run that failed'
exit $failed
