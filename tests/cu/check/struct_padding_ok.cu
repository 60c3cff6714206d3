// check: sm_60 nothing
// check: sm_90 nothing
// Members are set one by one, then structs are copied whole: what lies between the members was never written.
#include <cstdio>

struct Mixed {
    char tag;
    double value;
    short count;
};
struct __align__(16) Point {
    float x, y, z;
};

__global__ void set(Mixed *mixed, Point *points)
{
    int i = threadIdx.x;
    mixed[i].tag = 'a';
    mixed[i].value = i;
    mixed[i].count = 1;
    points[i].x = points[i].y = points[i].z = i;
}

__global__ void copy(const Mixed *mixed, const Point *points, Mixed *to, Point *points_to)
{
    __shared__ Point tile[32];
    int i = threadIdx.x;
    to[i] = mixed[i];
    tile[i] = points[i];
    __syncthreads();
    points_to[i] = tile[31 - i];
}

int main()
{
    Mixed *mixed, *to, last;
    Point *points, *points_to;
    cudaMalloc(&mixed, 32 * sizeof *mixed);
    cudaMalloc(&to, 32 * sizeof *to);
    cudaMalloc(&points, 32 * sizeof *points);
    cudaMalloc(&points_to, 32 * sizeof *points_to);
    set<<<1, 32>>>(mixed, points);
    copy<<<1, 32>>>(mixed, points, to, points_to);
    cudaMemcpy(&last, to + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("%g\n", last.value);
    return 0;
}
