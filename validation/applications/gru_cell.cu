// One step of a gated recurrent unit for a batch of 16: a thread a unit, a warp a unit, tiles of all six matrices in
// shared memory, transposed weights, and products of matrices with the gates in a kernel after them.
#include "common.h"

#define BATCH 16

__device__ inline float sigmoid(float x)
{
    return 1.0f / (1.0f + __expf(-x));
}

// The new state of a unit: the gates are reset, update and new; of the latter the state's part is reset first.
__device__ inline float new_state(float reset, float update, float x_part, float h_part, float h)
{
    const float r = sigmoid(reset), z = sigmoid(update), n = tanhf(x_part + r * h_part);
    return (1.0f - z) * n + z * h;
}

// A thread a unit of a batch's row; gate g's weights are rows g * n to g * n + n - 1.
__global__ void gru_plain(const float *x, const float *h, const float *w, const float *u,
                          const float *wb, const float *ub, float *out, int n)
{
    int unit = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (unit >= n)
        return;
    float xs[3], hs[3];
    for (int g = 0; g < 3; g++) {
        xs[g] = wb[g * n + unit];
        hs[g] = ub[g * n + unit];
        for (int k = 0; k < n; k++) {
            xs[g] += w[(g * n + unit) * n + k] * x[row * n + k];
            hs[g] += u[(g * n + unit) * n + k] * h[row * n + k];
        }
    }
    out[row * n + unit] = new_state(xs[0] + hs[0], xs[1] + hs[1], xs[2], hs[2], h[row * n + unit]);
}

__device__ inline float dot(float4 a, float4 b, float sum)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum))));
}

// A warp a unit and ROWS rows of the batch: the weights are read once as float4 and used for all of them.
template <int ROWS>
__global__ void __launch_bounds__(128)
    gru_warp(const float4 *__restrict__ x, const float4 *__restrict__ h,
             const float4 *__restrict__ w, const float4 *__restrict__ u,
             const float *__restrict__ wb, const float *__restrict__ ub, float *__restrict__ out,
             int n)
{
    const int lane = threadIdx.x, unit = blockIdx.x * blockDim.y + threadIdx.y;
    const int first = blockIdx.y * ROWS, n4 = n / 4;
    if (unit >= n)
        return;
    float sums[ROWS][4] = {};
    for (int k = lane; k < n4; k += 32) {
        const float4 wr = w[unit * n4 + k], wz = w[(n + unit) * n4 + k],
                     wn = w[(2 * n + unit) * n4 + k], ur = u[unit * n4 + k],
                     uz = u[(n + unit) * n4 + k], un = u[(2 * n + unit) * n4 + k];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float4 a = x[(first + r) * n4 + k], b = h[(first + r) * n4 + k];
            sums[r][0] = dot(wr, a, dot(ur, b, sums[r][0]));
            sums[r][1] = dot(wz, a, dot(uz, b, sums[r][1]));
            sums[r][2] = dot(wn, a, sums[r][2]);
            sums[r][3] = dot(un, b, sums[r][3]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int mask = 16; mask > 0; mask >>= 1)
                sums[r][j] += __shfl_xor_sync(0xffffffffu, sums[r][j], mask);
        if (lane == r) {
            const int at = (first + r) * n + unit;
            out[at] =
                new_state(sums[r][0] + wb[unit] + ub[unit],
                          sums[r][1] + wb[n + unit] + ub[n + unit], sums[r][2] + wb[2 * n + unit],
                          sums[r][3] + ub[2 * n + unit], ((const float *)h)[at]);
        }
    }
}

// 16 units of all 16 rows a block; tiles of the inputs and of the six matrices go through shared memory.
__global__ void __launch_bounds__(256)
    gru_tiled(const float *__restrict__ x, const float *__restrict__ h, const float *__restrict__ w,
              const float *__restrict__ u, const float *__restrict__ wb,
              const float *__restrict__ ub, float *__restrict__ out, int n)
{
    __shared__ float xs[BATCH][17], hs[BATCH][17], ws[3][16][17], us[3][16][17];
    const int tx = threadIdx.x, ty = threadIdx.y, unit = blockIdx.x * 16 + tx,
              load = blockIdx.x * 16 + ty;
    float x_sum[3] = {}, h_sum[3] = {};
    for (int first = 0; first < n; first += 16) {
        const int k = first + tx;
        xs[ty][tx] = k < n ? x[ty * n + k] : 0.0f;
        hs[ty][tx] = k < n ? h[ty * n + k] : 0.0f;
#pragma unroll
        for (int g = 0; g < 3; g++) {
            const bool inside = k < n && load < n;
            ws[g][ty][tx] = inside ? w[(g * n + load) * n + k] : 0.0f;
            us[g][ty][tx] = inside ? u[(g * n + load) * n + k] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            const float a = xs[ty][j], b = hs[ty][j];
#pragma unroll
            for (int g = 0; g < 3; g++) {
                x_sum[g] += a * ws[g][tx][j];
                h_sum[g] += b * us[g][tx][j];
            }
        }
        __syncthreads();
    }
    if (unit < n)
        out[ty * n + unit] =
            new_state(x_sum[0] + wb[unit] + h_sum[0] + ub[unit],
                      x_sum[1] + wb[n + unit] + h_sum[1] + ub[n + unit],
                      x_sum[2] + wb[2 * n + unit], h_sum[2] + ub[2 * n + unit], h[ty * n + unit]);
}

// Transposed weights: neighbouring threads read neighbouring units; a thread does ROWS rows of the batch.
template <int ROWS>
__global__ void gru_transposed(const float *__restrict__ x, const float *__restrict__ h,
                               const float *__restrict__ wt, const float *__restrict__ ut,
                               const float *__restrict__ wb, const float *__restrict__ ub,
                               float *__restrict__ out, int n)
{
    const int unit = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * ROWS;
    if (unit >= n)
        return;
    float sums[ROWS][4];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        sums[r][0] = wb[unit] + ub[unit];
        sums[r][1] = wb[n + unit] + ub[n + unit];
        sums[r][2] = wb[2 * n + unit];
        sums[r][3] = ub[2 * n + unit];
    }
#pragma unroll 2
    for (int k = 0; k < n; k++) {
        const float *wk = wt + k * 3 * n + unit, *uk = ut + k * 3 * n + unit;
        const float wr = wk[0], wz = wk[n], wn = wk[2 * n], ur = uk[0], uz = uk[n], un = uk[2 * n];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float a = x[(first + r) * n + k], b = h[(first + r) * n + k];
            sums[r][0] += wr * a + ur * b;
            sums[r][1] += wz * a + uz * b;
            sums[r][2] += wn * a;
            sums[r][3] += un * b;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        out[(first + r) * n + unit] =
            new_state(sums[r][0], sums[r][1], sums[r][2], sums[r][3], h[(first + r) * n + unit]);
}

// The product of the batch and a transposed matrix of `columns` rows, plus a bias: 16 x 16 results a block.
__global__ void gate_products(const float *a, const float *w, const float *bias, float *out,
                              int columns, int n)
{
    __shared__ float as[BATCH][16], ws[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int first = 0; first < n; first += 16) {
        int k = first + tx, row = blockIdx.x * 16 + ty;
        as[ty][tx] = k < n ? a[ty * n + k] : 0;
        ws[ty][tx] = k < n && row < columns ? w[row * n + k] : 0;
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += as[ty][j] * ws[tx][j];
        __syncthreads();
    }
    if (column < columns)
        out[ty * columns + column] = sum + bias[column];
}

// What is left to do after both products, four units a thread.
__global__ void gru_gates(const float4 *__restrict__ x_gates, const float4 *__restrict__ h_gates,
                          const float4 *__restrict__ h, float4 *__restrict__ out, int n4)
{
    const int unit = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (unit >= n4)
        return;
    const int at = row * 3 * n4 + unit;
    const float4 xr = x_gates[at], xz = x_gates[at + n4], xn = x_gates[at + 2 * n4],
                 hr = h_gates[at], hz = h_gates[at + n4], hn = h_gates[at + 2 * n4],
                 old = h[row * n4 + unit];
    out[row * n4 + unit] = make_float4(new_state(xr.x + hr.x, xz.x + hz.x, xn.x, hn.x, old.x),
                                       new_state(xr.y + hr.y, xz.y + hz.y, xn.y, hn.y, old.y),
                                       new_state(xr.z + hr.z, xz.z + hz.z, xn.z, hn.z, old.z),
                                       new_state(xr.w + hr.w, xz.w + hz.w, xn.w, hn.w, old.w));
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 64), 4) * 4, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> x = units(BATCH * n, 1), h = units(BATCH * n, 2), wb = units(3 * n, 3),
                             ub = units(3 * n, 4);
    std::vector<float> w = units(3 * n * n, 5), u = units(3 * n * n, 6), wt(w.size()), ut(u.size()),
                       want(BATCH * n);
    for (int i = 0; i < 3 * n * n; i++) {
        // About 0, and smaller the more there are, so that the gates are neither all open nor all shut.
        w[i] = (w[i] - 0.5f) * 4 / sqrtf((float)n);
        u[i] = (u[i] - 0.5f) * 4 / sqrtf((float)n);
        wt[i % n * 3 * n + i / n] = w[i];
        ut[i % n * 3 * n + i / n] = u[i];
    }
    for (int row = 0; row < BATCH; row++) {
        for (int unit = 0; unit < n; unit++) {
            double xs[3], hs[3];
            for (int g = 0; g < 3; g++) {
                xs[g] = wb[g * n + unit];
                hs[g] = ub[g * n + unit];
                for (int k = 0; k < n; k++) {
                    xs[g] += (double)w[(g * n + unit) * n + k] * x[row * n + k];
                    hs[g] += (double)u[(g * n + unit) * n + k] * h[row * n + k];
                }
            }
            const double r = 1 / (1 + exp(-xs[0] - hs[0])), z = 1 / (1 + exp(-xs[1] - hs[1]));
            want[row * n + unit] =
                (float)((1 - z) * tanh(xs[2] + r * hs[2]) + z * h[row * n + unit]);
        }
    }
    const float *dx = to_device(x), *dh = to_device(h), *dw = to_device(w), *du = to_device(u),
                *dwt = to_device(wt), *dut = to_device(ut), *dwb = to_device(wb),
                *dub = to_device(ub);
    float *out[5], *x_gates = device_zeros<float>(BATCH * 3 * n),
                   *h_gates = device_zeros<float>(BATCH * 3 * n);
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<float>(BATCH * n);
    const dim3 tile(16, BATCH);
    for (int round = 0; round < rounds; round++) {
        gru_plain<<<dim3(ceil_div(n, 64), BATCH), 64>>>(dx, dh, dw, du, dwb, dub, out[0], n);
        gru_warp<4><<<dim3(ceil_div(n, 4), BATCH / 4), dim3(32, 4)>>>(
            (const float4 *)dx, (const float4 *)dh, (const float4 *)dw, (const float4 *)du, dwb,
            dub, out[1], n);
        gru_tiled<<<ceil_div(n, 16), tile>>>(dx, dh, dw, du, dwb, dub, out[2], n);
        gru_transposed<2>
            <<<dim3(ceil_div(n, 64), BATCH / 2), 64>>>(dx, dh, dwt, dut, dwb, dub, out[3], n);
        gate_products<<<ceil_div(3 * n, 16), tile>>>(dx, dw, dwb, x_gates, 3 * n, n);
        gate_products<<<ceil_div(3 * n, 16), tile>>>(dh, du, dub, h_gates, 3 * n, n);
        gru_gates<<<dim3(ceil_div(n / 4, 64), BATCH), 64>>>(
            (const float4 *)x_gates, (const float4 *)h_gates, (const float4 *)dh, (float4 *)out[4],
            n / 4);
    }
    expect("gru_plain", out[0], want, 1e-4);
    expect("gru_warp", out[1], want, 1e-4);
    expect("gru_tiled", out[2], want, 1e-4);
    expect("gru_transposed", out[3], want, 1e-4);
    expect("gru_gates", out[4], want, 1e-4);
    return verdict();
}
