#!/bin/sh
# timeout.sh WARPLENS - does --timeout end a program that takes longer, in host code and within a kernel, confined or not; is what was
# complete before reported whole, by every command that takes programs; and does it leave a program alone that ends in time?
set -u
case $1 in /*) warplens=$1 ;; *) warplens=$PWD/$1 ;; esac
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }

cat >program.cu <<'END'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__global__ void good(float *a) { a[threadIdx.x] = 1; }
__global__ void endless(volatile int *a) { while (a[0] == 0) a[1] = 1; }
int main(int argc, char **argv)
{
    void *d;
    const char *what = argc > 1 ? argv[1] : "ends";
    cudaMalloc(&d, 128);
    good<<<1, 32>>>((float *)d);
    signal(SIGTERM, SIG_IGN);
    while (strcmp(what, "sleeps") == 0)
        sleep(60);
    cudaMemset(d, 0, 128);
    if (strcmp(what, "kernel") == 0)
        endless<<<1, 1>>>((int *)d);
    return 0;
}
END
sed 's/argc > 1 ? argv\[1\] : "ends"/"sleeps"/' program.cu >sleeps.cu
line=$(grep -n 'a\[threadIdx.x\] = 1' program.cu | cut -d : -f 1)

# ended NAME STATUS FILE: it was stopped by the limit, and its message says so.
ended() {
    [ "$2" = 2 ] || fail "$1 ends with status $2: $(cat err)"
    grep -q "$3: the program was stopped: it took longer than --timeout allows" err || fail "$1 says $(cat err)"
}

for how in 'no sleeps' 'no kernel' 'yes sleeps' 'yes kernel'; do
    what=${how#* }
    "$warplens" run program.cu --rules-only --timeout 2 --confine "${how% *}" --format json -o "$what.json" -- "$what" >out 2>err
    ended "run, confine $how" $? program.cu
    python3 - "$what.json" <<'END' || fail "$how: the JSON is not what it should be"
import json, sys
run = json.load(open(sys.argv[1]))['runs'][0]
assert [launch['kernel'] for launch in run['launches']] == ['good'], run['launches']
assert run['counters']['warp_accesses'] == 1, run['counters']
assert [(f['stops'], f['kind'], f['text']) for f in run['faults']['places']] == [
    (True, 'stopped', 'program.cu: the program was stopped: it took longer than --timeout allows')], run['faults']
END
done

for command in compare advise check gate "explain$line" trace diff; do
    case $command in
    gate) "$warplens" gate sleeps.cu --max warp_accesses=9 --rules-only --timeout 2 ;;
    explain*) "$warplens" explain "sleeps.cu:$line" --timeout 2 ;;
    trace) "$warplens" trace record sleeps.cu -o sleeps.wlt --timeout 2 ;;
    diff) "$warplens" diff sleeps.cu program.cu --rules-only --timeout 2 ;;
    *) "$warplens" "$command" sleeps.cu --timeout 2 ;;
    esac >out 2>err
    ended "$command" $? sleeps.cu
done

# In time: nothing is another.
"$warplens" run program.cu >want 2>err || fail "without: $(cat err)"
"$warplens" run program.cu --timeout 600 >got 2>err || fail "in time: $(cat err)"
cmp want got || fail 'a limit that is not reached changes the report'

for value in 0 -1 1.5 x 1000001; do
    "$warplens" run program.cu --timeout=$value >out 2>err && fail "--timeout=$value is taken"
    grep -q 'allowed is a whole number of seconds, 1 to 1000000' err || fail "--timeout=$value: $(cat err)"
done
exit $failed
