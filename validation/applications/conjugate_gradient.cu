// Two steps of conjugate gradients for the five-point Laplacian: the first with the matrix in CSR and a kernel for
// each operation, the second without the matrix and with products and updates fused; and CSR with eight lanes a row.
#include "common.h"

#define BLOCK 256
#define PARTS 256

struct Scalars {
    double rr, pq, alpha, beta;
};

__global__ void multiply_csr(const int *starts, const int *columns, const float *values,
                             const float *x, float *y, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

template <int LANES>
__global__ void multiply_csr_lanes(const int *__restrict__ starts, const int *__restrict__ columns,
                                   const float *__restrict__ values, const float *__restrict__ x,
                                   float *__restrict__ y, int n)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    float sum = 0.0f;
    if (row < n) {
        const int end = starts[row + 1];
        for (int k = starts[row] + lane; k < end; k += LANES)
            sum += values[k] * x[columns[k]];
    }
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step, LANES);
    if (row < n && lane == 0)
        y[row] = sum;
}

// The sum over the block, in thread 0.
__device__ float block_sum(float sum)
{
    __shared__ float warps[BLOCK / 32];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < BLOCK / 32 ? warps[threadIdx.x] : 0.0f;
        for (int step = 4; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, step);
    }
    return sum;
}

__global__ void dot(const float *__restrict__ a, const float *__restrict__ b, float *parts, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        sum += a[i] * b[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

// One block: the parts' sum is p q (first), or the new r r.
__global__ void finish(const float *parts, Scalars *s, bool first)
{
    __shared__ double sums[PARTS];
    const int t = threadIdx.x;
    sums[t] = parts[t];
    __syncthreads();
    for (int half = PARTS / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t > 0)
        return;
    if (first) {
        s->pq = sums[0];
        s->alpha = s->rr / sums[0];
    } else {
        s->beta = sums[0] / s->rr;
        s->rr = sums[0];
    }
}

__global__ void axpy(float *y, const float *x, const double *factor, float sign, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += sign * (float)*factor * x[i];
}

__global__ void direction(float4 *__restrict__ p, const float4 *__restrict__ r, const Scalars *s,
                          int fours)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fours)
        return;
    const float beta = (float)s->beta;
    const float4 a = r[i], b = p[i];
    p[i] = make_float4(a.x + beta * b.x, a.y + beta * b.y, a.z + beta * b.z, a.w + beta * b.w);
}

// q = A p from the grid itself, and the parts of p q; blocks stride over groups of rows.
__global__ void stencil_dot(const float *__restrict__ p, float *__restrict__ q, float *parts,
                            int side)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < side * side; i += gridDim.x * BLOCK) {
        const int x = i % side, y = i / side;
        const float centre = p[i];
        float v = 4.125f * centre;
        if (x > 0)
            v -= p[i - 1];
        if (x < side - 1)
            v -= p[i + 1];
        if (y > 0)
            v -= p[i - side];
        if (y < side - 1)
            v -= p[i + side];
        q[i] = v;
        sum += centre * v;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

__global__ void update_dot(float *__restrict__ x, float *__restrict__ r,
                           const float *__restrict__ p, const float *__restrict__ q,
                           const Scalars *s, float *parts, int n)
{
    const float alpha = (float)s->alpha;
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        const float rest = r[i] - alpha * q[i];
        x[i] += alpha * p[i];
        r[i] = rest;
        sum += rest * rest;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

int main(int argc, char **argv)
{
    const int side = ceil_div(argument(argc, argv, 1, 64), 16) * 16,
              rounds = argument(argc, argv, 2, 1), n = side * side;
    std::vector<int> starts(1), columns;
    std::vector<float> values, b = units(n, 5), wantx(n), wantr(n), wantq(n);
    for (int i = 0; i < n; i++) {
        const int near[5] = {i - side, i - 1, i, i + 1, i + side};
        const bool there[5] = {i >= side, i % side > 0, true, i % side < side - 1, i < n - side};
        for (int k = 0; k < 5; k++)
            if (there[k]) {
                columns.push_back(near[k]);
                values.push_back(k == 2 ? 4.125f : -1.0f);
            }
        starts.push_back((int)columns.size());
    }
    std::vector<double> x(n), r(b.begin(), b.end()), p = r, q(n);
    double rr = 0;
    for (int i = 0; i < n; i++)
        rr += r[i] * r[i];
    const Scalars begin = {rr, 0, 0, 0};
    for (int step = 0; step < 2; step++) {
        double pq = 0, next = 0;
        for (int i = 0; i < n; i++) {
            q[i] = 0;
            for (int k = starts[i]; k < starts[i + 1]; k++)
                q[i] += values[k] * p[columns[k]];
            pq += p[i] * q[i];
        }
        for (int i = 0; i < n; i++) {
            x[i] += rr / pq * p[i];
            r[i] -= rr / pq * q[i];
            next += r[i] * r[i];
            if (step == 0)
                wantq[i] = (float)q[i];
        }
        for (int i = 0; i < n; i++)
            p[i] = r[i] + next / rr * p[i];
        rr = next;
    }
    for (int i = 0; i < n; i++) {
        wantx[i] = (float)x[i];
        wantr[i] = (float)r[i];
    }
    int *dstarts = to_device(starts), *dcolumns = to_device(columns);
    float *dvalues = to_device(values), *db = to_device(b), *dx = device_zeros<float>(n),
          *dr = device_zeros<float>(n), *dp = device_zeros<float>(n), *dq = device_zeros<float>(n),
          *lanes = device_zeros<float>(n), *parts = device_zeros<float>(PARTS);
    Scalars *first = to_device(std::vector<Scalars>(1, begin)), *s = device_zeros<Scalars>(1);
    const int blocks = n / BLOCK;
    for (int round = 0; round < rounds; round++) {
        fill_array<<<blocks, BLOCK>>>(dx, 0.0f, n);
        copy_array<<<blocks, BLOCK>>>(dr, db, n);
        copy_array<<<blocks, BLOCK>>>(dp, db, n);
        copy_array<<<1, 32>>>(s, first, 1);
        multiply_csr_lanes<8><<<ceil_div(n, 32), BLOCK>>>(dstarts, dcolumns, dvalues, db, lanes, n);
        multiply_csr<<<ceil_div(n, 128), 128>>>(dstarts, dcolumns, dvalues, dp, dq, n);
        dot<<<PARTS, BLOCK>>>(dp, dq, parts, n);
        finish<<<1, PARTS>>>(parts, s, true);
        axpy<<<blocks, BLOCK>>>(dx, dp, &s->alpha, 1.0f, n);
        axpy<<<blocks, BLOCK>>>(dr, dq, &s->alpha, -1.0f, n);
        dot<<<PARTS, BLOCK>>>(dr, dr, parts, n);
        finish<<<1, PARTS>>>(parts, s, false);
        direction<<<ceil_div(n / 4, 128), 128>>>((float4 *)dp, (float4 *)dr, s, n / 4);
        stencil_dot<<<PARTS, BLOCK>>>(dp, dq, parts, side);
        finish<<<1, PARTS>>>(parts, s, true);
        update_dot<<<PARTS, BLOCK>>>(dx, dr, dp, dq, s, parts, n);
    }
    expect("multiply_csr_lanes", lanes, wantq, 1e-5);
    expect("x", dx, wantx, 1e-4);
    expect("r", dr, wantr, 1e-4);
    return verdict();
}
