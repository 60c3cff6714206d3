// check: sm_60 nothing
// check: sm_90 nothing
// The template has a barrier between the store and the load.
#include <cstdio>
template <typename T, int N>
__global__ void rotate(const T* in, T* out) {
    __shared__ T s[N];
    int t = threadIdx.x;
    s[t] = T(0);
    __syncthreads();
    s[t] = in[t];
    __syncthreads();
    out[t] = s[(t + N / 2) % N];
}
template <typename T, int N>
void test() {
    T h[N], *in, *out;
    for (int i = 0; i < N; i++) h[i] = T(i);
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    rotate<T, N><<<1, N>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", (double)h[0]);
}
int main() {
    test<int, 64>();
    test<double, 128>();
    return 0;
}
