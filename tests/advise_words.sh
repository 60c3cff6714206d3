#!/bin/sh
# advise_words.sh WARPLENS - does advice say under what condition it holds, and propose nothing that its own
# changes have ruled out?
set -eu
warplens=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "$0: $1" >&2
    cat "$dir/report" >&2
    exit 1
}

# advise NAME: of the program on standard input, in one line with single spaces.
advise() {
    cat >"$dir/$1.cu"
    "$warplens" advise "$dir/$1.cu" --gpu h200 -o "$dir/words" >"$dir/report" 2>&1 || fail "no advice on $1"
    tr -s ' \n' ' ' <"$dir/words" >"$dir/report"
}
says() { grep -qF "$1" "$dir/report" || fail "does not say '$1'"; }
keeps_from() { ! grep -qF "$1" "$dir/report" || fail "says '$1'"; }

# One address, which nvcc does not see: otherwise it adds up over the warp itself. Lanes that have done so stay in their warp: threads are not sorted afterwards, and what the atomic
# returns stays in use.
advise compact <<'CU'
#include <stdlib.h>
__global__ void compact(const int *in, int *out, int *count, int n, int zero) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[atomicAdd(&count[in[i] & zero], 1)] = in[i];
}
int main() {
    const int n = 1 << 16;
    int *h = (int *)malloc(n * 4), *in, *out, *count;
    for (int i = 0; i < n; i++) h[i] = i * 13 % 1001;
    cudaMalloc(&in, n * 4); cudaMalloc(&out, n * 4); cudaMalloc(&count, 4); cudaMemset(count, 0, 4);
    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);
    compact<<<n / 256, 256>>>(in, out, count, n, 0);
}
CU
says 'Add up over the warp before the atomic'
says 'not for locks and loops around atomicCAS'
keeps_from 'With that done, again'
keeps_from 'privatise'

# Blocks of a whole warp: no lane is empty, but few warps fit. The row of a block becomes that of a warp.
advise rows <<'CU'
__global__ void rows(const float *a, float *o, int n) {
    float s = 0;
    for (int c = threadIdx.x; c < n; c += 32) s += a[blockIdx.x * n + c];
    for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
    if (threadIdx.x == 0) o[blockIdx.x] = s;
}
int main() {
    const int r = 4096, n = 256; float *a, *o;
    cudaMalloc(&a, r * n * 4); cudaMalloc(&o, r * 4); cudaMemset(a, 0, r * n * 4);
    rows<<<r, 32>>>(a, o, n);
}
CU
says 'blocks of 32 threads: the 32 blocks that an SM takes at most are 32 of the 64 warps'
says 'where a block has work of its own, 32 threads in a row do what a block did'

# What is made wide by a change that was tried is not told again as untried.
advise shorts <<'CU'
__global__ void twice(const short *x, short *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
int main() {
    const int n = 1 << 19; short *x, *y;
    cudaMalloc(&x, n * 2); cudaMalloc(&y, n * 2); cudaMemset(x, 0, n * 2);
    twice<<<n / 256, 256>>>(x, y, n);
}
CU
says 'elements behind the last multiple of 8 go by themselves'
keeps_from 'with one access of 4 bytes'

# A sum carried from one iteration to the next cannot be seen in addresses: the headline names the condition.
advise carried <<'CU'
__global__ void prefix(const int *in, int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { s += in[i]; out[i] = s; }
}
int main() {
    const int n = 2000; int *a, *b;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(a, 0, n * 4);
    prefix<<<1, 1>>>(a, b, n);
}
CU
says 'Deal the loop out to more blocks if its iterations do not need each other'
echo "ok: conditions of advice"
