// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// The template stores and reads the words of other warps with no barrier; both instantiations go
// through the same two lines.
#include <cstdio>
template <typename T, int N>
__global__ void rotate(const T* in, T* out) {
    __shared__ T s[N];
    int t = threadIdx.x;
    s[t] = T(0);
    __syncthreads();
    s[t] = in[t];  // @put
    out[t] = s[(t + N / 2) % N];  // @get
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
