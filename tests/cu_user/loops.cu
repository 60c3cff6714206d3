/* OpenMP's loops run in the thread that there is. */
#include <omp.h>
#include <stdio.h>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main()
{
    int sum = 0, threads = 0, *d;
    omp_set_num_threads(4);
    const double start = omp_get_wtime();
    cudaMalloc(&d, 128);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
#pragma omp parallel
    {
        k<<<1, 32>>>(d);
#pragma omp critical
        threads += omp_get_num_threads() * (omp_get_thread_num() + 1);
    }
    printf("%d %d %d\n", sum, threads, omp_get_wtime() >= start);
}
