// Particles in a box: moved as structs and as columns, their energy from one field of the structs, and sorted into
// cells by counting and filling lists.
#include "common.h"

struct particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void move_structs(struct particle *p, float dt, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
    if (p[i].z < 0.0f)
        p[i].vz = -p[i].vz;
}

__global__ void move_columns(float *x, float *y, float *z, const float *vx, const float *vy,
                             float *vz, float dt, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
    if (z[i] < 0.0f)
        vz[i] = -vz[i];
}

__global__ void energy_structs(const struct particle *p, float *energy, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        energy[i] = 0.5f * p[i].mass * (p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz);
}

__device__ int cell_of(float x, float y, int cells)
{
    const int u = min(max((int)(x * cells), 0), cells - 1),
              v = min(max((int)(y * cells), 0), cells - 1);
    return v * cells + u;
}

__global__ void count_cells(const float *x, const float *y, int *count, int cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&count[cell_of(x[i], y[i], cells)], 1);
}

__global__ void link_cells(const float *x, const float *y, int *head, int *next, int cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = atomicExch(&head[cell_of(x[i], y[i], cells)], i);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 16) * 1000, rounds = argument(argc, argv, 2, 1),
              cells = 32;
    const float dt = 0.25f;
    std::vector<float> packed = units((size_t)n * 8, 1), columns(packed.size()),
                       moved(packed.size());
    std::vector<float> moved_columns(packed.size()), energy(n);
    std::vector<int> count(cells * cells);
    for (int i = 0; i < n; i++) {
        float *p = &packed[(size_t)i * 8], *q = &moved[(size_t)i * 8];
        for (int k = 3; k < 6; k++)
            p[k] = p[k] * 8 - 4;
        std::copy(p, p + 8, q);
        for (int k = 0; k < 3; k++)
            q[k] += dt * q[k + 3];
        q[5] = q[2] < 0 ? -q[5] : q[5];
        energy[i] = 0.5f * p[6] * (p[3] * p[3] + p[4] * p[4] + p[5] * p[5]);
        for (int k = 0; k < 8; k++) {
            columns[(size_t)k * n + i] = p[k];
            moved_columns[(size_t)k * n + i] = q[k];
        }
        count[std::min((int)(p[1] * cells), cells - 1) * cells +
              std::min((int)(p[0] * cells), cells - 1)]++;
    }
    float *from = to_device(packed), *structs = to_device(packed),
          *denergy = device_zeros<float>(n);
    float *from_columns = to_device(columns), *c = to_device(columns);
    int *dcount = device_zeros<int>(cells * cells), *head = device_zeros<int>(cells * cells),
        *next = device_zeros<int>(n);
    const int blocks = ceil_div(n, 128);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(n * 8, 256), 256>>>(structs, from, n * 8);
        copy_array<<<ceil_div(n * 8, 256), 256>>>(c, from_columns, n * 8);
        fill_array<<<cells * cells / 256, 256>>>(dcount, 0, cells * cells);
        fill_array<<<cells * cells / 256, 256>>>(head, -1, cells * cells);
        move_structs<<<blocks, 128>>>((struct particle *)structs, dt, n);
        move_columns<<<blocks, 128>>>(c, c + n, c + 2 * n, c + 3 * n, c + 4 * n, c + 5 * n, dt, n);
        energy_structs<<<blocks, 128>>>((const struct particle *)from, denergy, n);
        count_cells<<<blocks, 128>>>(from_columns, from_columns + n, dcount, cells, n);
        link_cells<<<blocks, 128>>>(from_columns, from_columns + n, head, next, cells, n);
    }
    const std::vector<int> heads = to_host(head, cells * cells), links = to_host(next, n);
    std::vector<int> linked(cells * cells);
    for (int k = 0; k < cells * cells; k++)
        for (int i = heads[k]; i >= 0; i = links[i])
            linked[k]++;
    wrong_arrays += linked != count;
    expect("move_structs", structs, moved, 1e-5);
    expect("move_columns", c, moved_columns, 1e-5);
    expect("energy_structs", denergy, energy, 1e-5);
    expect("count_cells", dcount, count);
    return verdict();
}
