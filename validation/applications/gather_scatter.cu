// Elements taken from and put to random places, places in order with gaps, and rows of structs.
#include "common.h"

struct record {
    float x, y, z;
    int id;
};

__global__ void gather(const float *from, const int *place, float *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[place[i]];
}

__global__ void scatter(const float *from, const int *place, float *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[place[i]] = from[i];
}

// Four gathers in flight a thread.
__global__ void gather_four(const float *__restrict__ from, const int4 *__restrict__ place,
                            float4 *__restrict__ to, int n4)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        const int4 p = place[i];
        to[i] = make_float4(from[p.x], from[p.y], from[p.z], from[p.w]);
    }
}

__global__ void gather_records(const struct record *from, const int *place, struct record *to,
                               int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const struct record *r = &from[place[i]];
    to[i].x = r->x;
    to[i].y = r->y;
    to[i].z = r->z;
    to[i].id = i;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> from = units(n, 1), fields = units((size_t)n * 4, 2);
    std::vector<int> random(n), near(n);
    for (int i = 0; i < n; i++)
        random[i] = near[i] = i;
    for (int i = n - 1; i > 0; i--)
        std::swap(random[i], random[hash32(i) % (i + 1)]);
    for (int i = 0; i < n; i++) // in order, one of three left out
        near[i] = (int)((i + i / 2 + hash32(i) % 2) % n);
    std::vector<float> gathered(n), gathered_near(n), scattered(n), rows((size_t)n * 3),
        got_rows(rows.size());
    for (int i = 0; i < n; i++) {
        gathered[i] = from[random[i]];
        gathered_near[i] = from[near[i]];
        scattered[random[i]] = from[i];
        for (int k = 0; k < 3; k++)
            rows[i * 3 + k] = fields[(size_t)random[i] * 4 + k];
    }
    float *dfrom = to_device(from), *a = device_zeros<float>(n), *b = device_zeros<float>(n);
    float *c = device_zeros<float>(n), *d = device_zeros<float>(n), *dfields = to_device(fields);
    float *records = device_zeros<float>((size_t)n * 4);
    int *drandom = to_device(random), *dnear = to_device(near);
    for (int round = 0; round < rounds; round++) {
        gather<<<n / 256, 256>>>(dfrom, drandom, a, n);
        gather<<<n / 256, 256>>>(dfrom, dnear, b, n);
        scatter<<<n / 256, 256>>>(dfrom, drandom, c, n);
        gather_four<<<264, 256>>>(dfrom, (const int4 *)drandom, (float4 *)d, n / 4);
        gather_records<<<n / 256, 256>>>((const struct record *)dfields, drandom,
                                         (struct record *)records, n);
    }
    const std::vector<float> copied = to_host(records, (size_t)n * 4);
    for (int i = 0; i < n * 3; i++)
        got_rows[i] = copied[i / 3 * 4 + i % 3];
    wrong_arrays += got_rows != rows;
    expect("gather, random", a, gathered);
    expect("gather, near", b, gathered_near);
    expect("scatter", c, scattered);
    expect("gather_four", d, gathered);
    return verdict();
}
