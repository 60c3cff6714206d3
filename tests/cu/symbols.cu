// symbols.cu - variables of the device: their first values, copies to and from them, their addresses.
#include "check.h"

__constant__ float weights[8];
__constant__ int scale = 3;
__device__ int counter;
__device__ float table[4] = {1, 2, 3, 4};
static __device__ int hidden = 5;
__managed__ int shared_by_both = 10;
namespace geometry
{
__device__ double origin[2];
}
struct settings {
    int rows, columns;
    float factor;
};
__constant__ settings config;

__global__ void read_all(float *out)
{
    int t = threadIdx.x;
    out[t] = weights[t] * scale + table[t % 4] + (float)geometry::origin[t % 2];
    __syncthreads();
    if (t == 0) {
        out[8] = config.rows * config.columns * config.factor;
        table[1] = 20;
        hidden++;
        shared_by_both += 5;
    }
    atomicAdd(&counter, 2);
}

__global__ void through_pointer(int *p)
{
    *p += 100;
}

int main()
{
    float w[8] = {1, 2, 3, 4, 5, 6, 7, 8}, host[9], *out;
    double o[2] = {0.5, 0.25};
    settings s = {3, 4, 0.5f};
    CHECK_CALL(cudaMalloc(&out, sizeof host));
    CHECK_CALL(cudaMemcpyToSymbol(weights, w, sizeof w));
    CHECK_CALL(cudaMemcpyToSymbol(weights, &w[7], sizeof(float), 2 * sizeof(float)));
    CHECK_CALL(cudaMemcpyToSymbol(geometry::origin, o, sizeof o, 0, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMemcpyToSymbol(config, &s, sizeof s));
    shared_by_both += 1;
    read_all<<<1, 8>>>(out);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    w[2] = 8;
    for (int i = 0; i < 8; i++)
        CHECK_THAT(host[i] == w[i] * 3 + (i % 4 + 1) + (float)o[i % 2]);
    CHECK_THAT(host[8] == 6.0f);
    CHECK_THAT(shared_by_both == 16);

    float t[4];
    int c, h;
    CHECK_CALL(cudaMemcpyFromSymbol(t, table, sizeof t));
    CHECK_CALL(cudaMemcpyFromSymbol(&c, counter, sizeof c, 0, cudaMemcpyDeviceToHost));
    CHECK_CALL(cudaMemcpyFromSymbol(&h, hidden, sizeof h));
    CHECK_THAT(t[0] == 1 && t[1] == 20 && c == 16 && h == 6);

    int *address;
    size_t bytes;
    CHECK_CALL(cudaGetSymbolAddress((void **)&address, counter));
    CHECK_CALL(cudaGetSymbolSize(&bytes, table));
    CHECK_THAT(bytes == 16);
    through_pointer<<<1, 1>>>(address);
    CHECK_CALL(cudaMemcpy(&c, address, sizeof c, cudaMemcpyDeviceToHost));
    CHECK_THAT(c == 116);
    CHECK_THAT(cudaMemcpyToSymbol(config, &s, sizeof s, 4) == cudaErrorInvalidValue);
    CHECK_THAT(cudaGetLastError() == cudaErrorInvalidValue);
    printf("PASSED\n");
}
