#!/bin/sh
# cu_cooperative.sh CU_RUN COMPILER WARPLENS - is it told what a program does wrong with barriers of the grid? Is a trace of
# such a launch one of whole blocks, that every form of traces carries?
set -u
for tool in "$1" "$3"; do
    case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
    set -- "$@" "$tool"
done
cu_run=$4 warplens=$5
export WARPLENS_CXX=$2
command -v "$2" >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

cat >mistakes.cu <<'END'
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
namespace cg = cooperative_groups;
__global__ void syncs(int *p) { cg::this_grid().sync(); p[threadIdx.x] = 1; }
__global__ void some(int *p) {
    if (blockIdx.x < 2)
        cg::this_grid().sync();
    p[threadIdx.x] = 1;
}
__global__ void early(int *p) {
    if (threadIdx.x >= 30)
        return;
    cg::this_grid().sync();
    p[threadIdx.x] = 1;
}
__global__ void apart(int *p) {
    if (threadIdx.x < 32) __syncthreads(); else cg::this_grid().sync();
    p[threadIdx.x] = 1;
}
int main(int argc, char **argv)
{
    if (argc == 1) {
        char command[128];
        for (int i = 1; i <= 5; i++) {
            snprintf(command, sizeof command, "/proc/%d/exe %d >out.%d 2>err.%d", (int)getpid(), i, i, i);
            system(command);
        }
        return 0;
    }
    int *p;
    cudaMalloc(&p, 4096);
    void *arguments[] = {&p};
    switch (atoi(argv[1])) {
    case 1: syncs<<<2, 32>>>(p); break;
    case 2: cudaLaunchCooperativeKernel((void *)some, 4, 32, arguments); break;
    case 3: cudaLaunchCooperativeKernel((void *)early, 2, 32, arguments); break;
    case 4: cudaLaunchCooperativeKernel((void *)apart, 2, 64, arguments); break;
    case 5: cudaLaunchCooperativeKernel((void *)syncs, 100000, 32, arguments); break;
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
END
"$cu_run" -o trace mistakes.cu >out 2>err || { cat err; exit 1; }

# check MISTAKE OUTPUT MESSAGE: what is printed, words for lines, and what the one message begins with
check() {
    [ "$(tr '\n' ' ' <"out.$1")" = "$2" ] || fail "mistake $1: output: $(cat "out.$1")"
    case $(cat "err.$1") in
    "warplens: $3"*) [ "$(grep -c . "err.$1")" -eq 1 ] && return ;;
    esac
    fail "mistake $1: message: $(cat "err.$1")"
}
check 1 'cudaErrorLaunchFailure cudaErrorLaunchFailure ' 'mistakes.cu:6: in syncs: barrier of the grid in a launch that is not cooperative: launch with cudaLaunchCooperativeKernel [block (0,0,0), thread (0,0,0)]'
check 2 'cudaErrorLaunchFailure cudaErrorLaunchFailure ' 'mistakes.cu:9: in some: barrier of the grid that not all blocks reach: block (3,0,0) has returned from the kernel [block (0,0,0), thread (0,0,0)]'
check 3 'cudaSuccess cudaSuccess ' 'mistakes.cu:15: in early: barrier that this thread does not reach, as it has returned'
check 4 'cudaErrorLaunchFailure cudaErrorLaunchFailure ' 'mistakes.cu:19: in apart: barrier that not all lanes of the block reach: thread (32,0,0) waits at the one in line 19'
check 5 'cudaSuccess cudaErrorCooperativeLaunchTooLarge ' 'syncs: a cooperative launch of 100000 blocks: at most '

cat >reverse.cu <<'END'
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void reverse(int *a, int *out)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), n = (int)grid.size();
    a[i] = i;
    grid.sync();
    out[i] = a[n - 1 - i];
}
int main()
{
    int *a, *out, host[96];
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&out, sizeof host);
    void *arguments[] = {&a, &out};
    puts(cudaGetErrorName(cudaLaunchCooperativeKernel((void *)reverse, 3, 32, arguments)));
    if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess)
        printf("%d %d\n", host[0], host[95]);
}
END
"$warplens" trace record reverse.cu -o direct.wlt >out 2>err || fail "record: $(cat err)"
[ "$(tr '\n' ' ' <out)" = 'cudaSuccess 95 0 ' ] || fail "reverse: $(cat out)"
"$warplens" trace check direct.wlt >out 2>err || fail "trace check: $(cat out err)"
"$warplens" trace cat direct.wlt >direct.wlt.txt || fail "trace cat"
[ "$(grep -cE '^ *gridsync .*file=reverse.cu line=9' direct.wlt.txt)" -eq 3 ] || fail "gridsync: $(cat direct.wlt.txt)"
# Of each block, one behind another: the store, the barrier, the load and the store behind it.
steps=$(sed -nE 's/^ *(@[0-9]+ )?(block|st|gridsync|bar|ld|exit)\b.*/\2/p' direct.wlt.txt | tr '\n' ' ')
block='block st gridsync bar ld st exit '
[ "$steps" = "$block$block$block" ] || fail "order of the steps: $steps"
"$warplens" trace convert direct.wlt.txt -o again.wlt 2>err || fail "convert: $(cat err)"
"$warplens" trace cat again.wlt | cmp -s - direct.wlt.txt || fail "through text and back"
"$warplens" run direct.wlt --format json -o a.json && "$warplens" run direct.wlt.txt --format json -o b.json || fail run
"$warplens" check direct.wlt.txt >out || fail "check of the trace: $(cat out)"
grep -v gridsync direct.wlt.txt >without.wlt.txt
"$warplens" check without.wlt.txt >out && fail "a barrier of the block orders the grid: $(cat out)"
grep -q global_read_write out || fail "without: $(cat out)"

"$warplens" run reverse.cu --kernel-name other >out 2>err
grep -q 'none of the launches is chosen' err || fail "without records: $(cat err)"
[ "$(tr '\n' ' ' <out)" = 'cudaSuccess 95 0 ' ] || fail "without records: $(cat out)"

"$warplens" run reverse.cu --gpu m2090 --rules-only >out 2>err
grep -q '^cudaErrorNotSupported$' out || fail "a GPU of before sm_60: $(cat out err)"
grep -q 'cooperative launches are for GPUs from sm_60 on' err || fail "a GPU of before sm_60: $(cat err)"
exit $failed
