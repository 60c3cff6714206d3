// parameters.cu - vector types, and arguments of kernels: each thread has its own copy.
#include "check.h"

struct particle {
    float3 position;
    float mass;
    int tag[8];
};

// A kernel may change its parameters: no other thread sees it.
__global__ void change(particle p, int n, float *out)
{
    int t = threadIdx.x;
    p.position.x += t;
    p.tag[t % 8] = -1;
    n -= t;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += p.tag[i];
    out[t] = p.position.x + p.mass + n + sum;
}

// Constructed at the launch and destroyed behind it, once.
struct counted {
    static int made, gone;
    int value;
    explicit counted(int v) : value(v) { made++; }
    __host__ __device__ counted(const counted &other) : value(other.value)
    {
#ifndef __CUDA_ARCH__
        made++;
#endif
    }
    ~counted() {}
};
int counted::made = 0;
int counted::gone = 0;

__global__ void take(counted c, int *out)
{
    out[threadIdx.x] = c.value + threadIdx.x;
}

template <typename T, int N> __global__ void scale(T *data, T by)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        data[i] = data[i] * by;
}

__global__ void vectors(float4 *a, uchar4 *b, double2 *c, int3 *d)
{
    int t = threadIdx.x;
    float4 v = a[t];
    a[t] = make_float4(v.w, v.z, v.y, v.x);
    b[t].x++;
    c[t] = make_double2(c[t].y, c[t].x);
    d[t].z = d[t].x + d[t].y;
}

int main()
{
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
    static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
    static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4 && sizeof(short3) == 6, "");
    float2 pair = {1, 2};
    uint3 index = {1, 2, 3};
    dim3 size(4, 5), from_index = index, one = 7;
    CHECK_THAT(pair.y == 2 && size.z == 1 && from_index.z == 3 && one.x == 7 && one.y == 1);

    particle p = {{1, 2, 3}, 0.5f, {1, 2, 3, 4, 5, 6, 7, 8}};
    float *out, host[64];
    CHECK_CALL(cudaMalloc(&out, sizeof host));
    change<<<1, 64>>>(p, 100, out);
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++)
        CHECK_THAT(host[t] == 1 + t + 0.5f + 100 - t + 36 - (t % 8 + 1) - 1);

    counted c(10);
    int *ints, host_ints[64];
    CHECK_CALL(cudaMalloc(&ints, sizeof host_ints));
    take<<<1, 64>>>(c, ints);
    CHECK_CALL(cudaMemcpy(host_ints, ints, sizeof host_ints, cudaMemcpyDeviceToHost));
    CHECK_THAT(host_ints[63] == 73);
    scale<int, 64><<<1, 32>>>(ints, 2);
    void (*kernel)(int *, int) = scale<int, 64>;
    kernel<<<1, 32>>>(ints, 3);
    int by = 5;
    void *arguments[] = {&ints, &by};
    CHECK_CALL(cudaLaunchKernel(scale<int, 64>, dim3(1), dim3(32), arguments, 0, 0));
    CHECK_CALL(cudaMemcpy(host_ints, ints, sizeof host_ints, cudaMemcpyDeviceToHost));
    CHECK_THAT(host_ints[63] == 73 * 30 && host_ints[0] == 300);

    float4 *a;
    uchar4 *b;
    double2 *d;
    int3 *e;
    CHECK_CALL(cudaMallocManaged(&a, 32 * sizeof *a));
    CHECK_CALL(cudaMallocManaged(&b, 32 * sizeof *b));
    CHECK_CALL(cudaMallocManaged(&d, 32 * sizeof *d));
    CHECK_CALL(cudaMallocManaged(&e, 32 * sizeof *e));
    for (int i = 0; i < 32; i++) {
        a[i] = make_float4(i, 1, 2, 3);
        b[i] = make_uchar4(255, 0, 0, 0);
        d[i] = make_double2(i, -1);
        e[i] = make_int3(i, 1, 0);
    }
    vectors<<<1, 32>>>(a, b, d, e);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_THAT(a[5].x == 3 && a[5].w == 5 && b[5].x == 0 && d[5].x == -1 && e[5].z == 6);
    printf("PASSED\n");
}
