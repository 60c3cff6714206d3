#!/bin/sh
# cu_messages.sh CU_RUN COMPILER - is a program told what it does that a GPU would not tell, with
# file and line, and does it end where a GPU would end it? One program, which starts itself with the
# number of each mistake.
set -u
case $1 in /*) cu_run=$1 ;; *) cu_run=$PWD/$1 ;; esac
export WARPLENS_CXX=$2
command -v "$2" >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat >mistakes.cu <<'END'
#include <assert.h>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__device__ int counter;
__global__ void read(const int *in, int *out, int at) { out[threadIdx.x] = in[threadIdx.x + at]; }
__global__ void early(int *p) {
    if (threadIdx.x == 3)
        return;
    __syncthreads();
    p[threadIdx.x] = 1;
}
__global__ void asserts(int n) { assert(threadIdx.x != n); }
__global__ void traps() { __trap(); }
int main(int argc, char **argv)
{
    if (argc == 1) {
        char command[128];
        for (int i = 1; i <= 10; i++) {
            snprintf(command, sizeof command, "/proc/%d/exe %d >out.%d 2>err.%d", (int)getpid(), i, i, i);
            system(command);
        }
        return 0;
    }
    int *p, *q, host[32] = {0};
    cudaMalloc(&p, sizeof host);
    cudaMalloc(&q, sizeof host);
    switch (atoi(argv[1])) {
    case 1: printf("%d\n", p[3]); break;
    case 2: counter = 1; break;
    case 3: read<<<2, 32>>>(p, q, 0); break;
    case 4: cudaMemset(p, 0, sizeof host); read<<<1, 32>>>(p, q, 1); break;
    case 5: early<<<3, 32>>>(p); break;
    case 6: asserts<<<1, 32>>>(5); break;
    case 7: traps<<<1, 1>>>(); break;
    case 8: read<<<1, 32>>>(host, q, 0); break;
    case 9: read<<<1, 2000>>>(p, q, 0); break;
    case 10: read<<<1, 32>>>((int *)((char *)p + 1), q, 0); break;
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
END
"$cu_run" -o trace mistakes.cu >out 2>err || { cat err; exit 1; }

failed=0
# check MISTAKE OUTPUT MESSAGE: what is printed, words for lines, and what the one message begins with
check() {
    [ "$(tr '\n' ' ' <"out.$1")" = "$2" ] || { echo "mistake $1: output"; cat "out.$1"; failed=1; }
    case $(cat "err.$1") in
    "warplens: $3"*) [ "$(grep -c . "err.$1")" -eq 1 ] && return ;;
    esac
    echo "mistake $1: message"
    cat "err.$1"
    failed=1
}
check 1 '' 'mistakes.cu:29: host code: load of 4 bytes at p + 12 bytes, which is device memory: copy it with cudaMemcpy first'
check 2 '' 'mistakes.cu:30: host code: store of 4 bytes at counter + 0 bytes, which is device memory: copy it with cudaMemcpyToSymbol'
check 3 'cudaSuccess cudaSuccess ' 'mistakes.cu:6: in read: load of 4 bytes at p + 0 bytes, which was never written: 0 here'
check 4 'cudaSuccess cudaSuccess ' 'mistakes.cu:6: in read: load of 4 bytes at p + 128 bytes, outside every array: p has 128 bytes [block (0,0,0), thread (31,0,0)]; 1 in all'
check 5 'cudaSuccess cudaSuccess ' 'mistakes.cu:10: in early: barrier that this thread does not reach, as it has returned'
check 6 'cudaErrorAssert cudaErrorAssert ' "mistakes.cu:13: in asserts: assertion \`threadIdx.x != n' failed [block (0,0,0), thread (5,0,0)]"
check 7 'cudaErrorLaunchFailure cudaErrorLaunchFailure ' 'mistakes.cu:14: in traps: __trap() was reached'
check 8 'cudaErrorIllegalAddress cudaErrorIllegalAddress ' 'mistakes.cu:6: in read: access of 4 bytes outside every array: the address is host memory, which a kernel cannot reach'
check 9 'cudaSuccess cudaErrorInvalidConfiguration ' 'read: a block of 2000 x 1 x 1 threads: 1 to 1024 threads are possible (answered with cudaErrorInvalidConfiguration)'
check 10 'cudaErrorMisalignedAddress cudaErrorMisalignedAddress ' 'mistakes.cu:6: in read: misaligned access: 4 bytes'
exit $failed
