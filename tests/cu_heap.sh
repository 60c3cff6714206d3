#!/bin/sh
# cu_heap.sh CU_RUN COMPILER WARPLENS - is a kernel told, with its line, when it frees what it does not have, or touches memory of the
# device's heap that is nobody's?
set -u
case $1 in /*) cu_run=$1 ;; *) cu_run=$PWD/$1 ;; esac
export WARPLENS_CXX="$2"
warplens=$(realpath "$3") || exit 1
command -v "$2" >/dev/null || exit 77
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

cat >heap.cu <<'END_OF_PROGRAM'
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *out) {
    volatile int *p = (int *)malloc(8);
    p[0] = 1;
    free((void *)p), free((void *)p);
    out[0] = 1;
}
__global__ void inside(int *out) {
    volatile int *p = new int[4];
    p[0] = 1;
    delete[] (p + 1);
    out[0] = 1;
}
__global__ void foreign(int *out) { free(out); }
__global__ void after(int *out) {
    volatile int *p = new int[4];
    p[1] = 5;
    delete[] p;
    out[0] = p[1];
}
__global__ void behind(int *out) {
    volatile int *p = (int *)malloc(16);
    p[4] = 3;
    out[0] = 1;
}
__global__ void unwritten(int *out) {
    volatile int *p = (int *)malloc(16);
    p[0] = 1;
    out[0] = p[1];
}
__global__ void large(int *out) { out[0] = malloc(9 << 20) == NULL && malloc(0) == NULL; }
int main(int argc, char **argv)
{
    int *out, host = 0;
    cudaMalloc(&out, 4);
    switch (atoi(argv[1])) {
    case 1: twice<<<1, 1>>>(out); break;
    case 2: inside<<<1, 1>>>(out); break;
    case 3: foreign<<<1, 1>>>(out); break;
    case 4: after<<<1, 1>>>(out); break;
    case 5: behind<<<1, 1>>>(out); break;
    case 6: unwritten<<<1, 1>>>(out); break;
    case 7: large<<<1, 1>>>(out); break;
    }
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    if (cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost) == cudaSuccess)
        printf(" %d %d", host, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaErrorInvalidValue);
}
END_OF_PROGRAM
# check CASE OUTPUT MESSAGE: what is printed, and what the one message begins with.
check() {
    "$cu_run" -o trace heap.cu -- "$1" >out 2>err </dev/null
    [ "$(cat out)" = "$2" ] || { echo "FAILED: case $1"; cat out; failed=1; }
    case $(cat err) in "$3"*) ;; *) echo "FAILED: case $1"; cat err; failed=1 ;; esac
    [ -n "$3" ] || [ ! -s err ] || { echo "FAILED: case $1 says something"; failed=1; }
}
lost="which is none that malloc() or new has given, or was freed"
check 1 cudaErrorLaunchFailure \
    'warplens: heap.cu:6: in twice: free() of a pointer that malloc() or new has not given, or that was freed [block (0,0,0), thread (0,0,0)]'
check 2 cudaErrorLaunchFailure \
    'warplens: heap.cu:12: in inside: delete[] of a pointer that malloc() or new has not given, or that was freed'
check 3 cudaErrorLaunchFailure \
    'warplens: heap.cu:15: in foreign: free() of a pointer that malloc() or new has not given, or that was freed'
check 4 cudaErrorIllegalAddress "warplens: heap.cu:20: in after: load of 4 bytes at heap of malloc() + 4 bytes, $lost"
check 5 cudaErrorIllegalAddress "warplens: heap.cu:24: in behind: store of 4 bytes at heap of malloc() + 16 bytes, $lost"
check 6 'cudaSuccess 0 1' '' # counted, for the report
"$warplens" run heap.cu --rules-only -- 6 >out 2>err
grep -q '1 fault: 1 unwritten_global' out || { echo "FAILED: case 6 counts no fault"; cat out; failed=1; }
check 7 'cudaSuccess 1 1' ''
exit $failed
