/* With plain.cpp. */
#include <stdio.h>
extern "C" int whole(void);
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main()
{
    int *d;
    cudaMalloc(&d, 128);
    k<<<1, 32>>>(d);
    printf("%d\n", whole());
}
