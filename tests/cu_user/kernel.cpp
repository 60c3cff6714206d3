/* A kernel in a C++ file. */
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main()
{
    int *d;
    cudaMalloc(&d, 128);
    k<<<1, 32>>>(d);
    printf("%d\n", cudaDeviceSynchronize());
}
