// Many small Kalman filters of constant velocity, 4 or 6 states, some steps of predict and update each:
// general matrices a thread a filter, unrolled in registers, 4 x 4 by its structure, 16 lanes a filter, and
// 36 threads a filter in shared memory.
#include "common.h"

#define STEPS 3
#define DT 0.5f
#define NOISE 0.05f // of the motion, on the covariance's diagonal
#define ERROR 0.2f  // variance of a measurement

// Row-major: transition F, n x n, and observation H, m x n.
struct Motion {
    float transition[36], observation[18];
};

__constant__ Motion motions[2];

__host__ __device__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns,
                                  bool b_transposed)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a[i * inner + k] * (b_transposed ? b[j * inner + k] : b[k * columns + j]);
            c[i * columns + j] = sum;
        }
}

// Gauss-Jordan without pivots, as s is symmetric and positive. M is 2 or 3.
template <int M> __host__ __device__ inline void invert(float *s, float *inverse)
{
#pragma unroll
    for (int i = 0; i < M * M; i++)
        inverse[i] = i % (M + 1) == 0;
#pragma unroll
    for (int p = 0; p < M; p++) {
        const float scale = 1.0f / s[p * M + p];
#pragma unroll
        for (int j = 0; j < M; j++) {
            s[p * M + j] *= scale;
            inverse[p * M + j] *= scale;
        }
#pragma unroll
        for (int i = 0; i < M; i++) {
            const float factor = s[i * M + p];
#pragma unroll
            for (int j = 0; i != p && j < M; j++) {
                s[i * M + j] -= factor * s[p * M + j];
                inverse[i * M + j] -= factor * inverse[p * M + j];
            }
        }
    }
}

// x = F x, P = F P F' + Q; K = P H' (H P H' + R)^-1; x += K (z - H x), P -= K H P.
__host__ __device__ void general_step(float *x, float *p, const float *z, const Motion &motion, int n, int m)
{
    float fp[36], ph[18], s[9], inverse[9], gain[18], hp[18], old[6];
    for (int i = 0; i < n; i++)
        old[i] = x[i];
    multiply(motion.transition, old, x, n, n, 1, false);
    multiply(motion.transition, p, fp, n, n, n, false);
    multiply(fp, motion.transition, p, n, n, n, true);
    for (int i = 0; i < n; i++)
        p[i * n + i] += NOISE;
    multiply(p, motion.observation, ph, n, n, m, true);
    multiply(motion.observation, ph, s, m, n, m, false);
    for (int i = 0; i < m; i++)
        s[i * m + i] += ERROR;
    if (m == 2)
        invert<2>(s, inverse);
    else
        invert<3>(s, inverse);
    multiply(ph, inverse, gain, n, m, m, false);
    float rest[3];
    multiply(motion.observation, x, rest, m, n, 1, false);
    for (int i = 0; i < m; i++)
        rest[i] = z[i] - rest[i];
    multiply(motion.observation, p, hp, m, n, n, false);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            x[i] += gain[i * m + k] * rest[k];
            for (int j = 0; j < n; j++)
                p[i * n + j] -= gain[i * m + k] * hp[k * n + j];
        }
}

// A filter's numbers lie together, in and out.
__global__ void filter_general(float *x, float *p, const float *z, const Motion *motion, int n, int m,
                               int count)
{
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= count)
        return;
    for (int t = 0; t < STEPS; t++)
        general_step(x + f * n, p + f * n * n, z + (f * STEPS + t) * m, *motion, n, m);
}

template <int ROWS, int INNER, int COLUMNS, bool TRANSPOSED>
__device__ __forceinline__ void multiply_unrolled(const float *a, const float *b, float *c)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            c[i * COLUMNS + j] = 0.0f;
#pragma unroll
            for (int k = 0; k < INNER; k++)
                c[i * COLUMNS + j] += a[i * INNER + k] * (TRANSPOSED ? b[j * INNER + k] : b[k * COLUMNS + j]);
        }
}

// The same with sizes known, all in registers; number k of all filters together. H takes the first M states.
template <int N, int M>
__global__ void __launch_bounds__(128)
    filter_registers(float *__restrict__ xs, float *__restrict__ ps, const float *__restrict__ zs, int count)
{
    const int f = blockIdx.x * 128 + threadIdx.x;
    if (f >= count)
        return;
    const float *transition = motions[N == 6].transition;
    float x[N], p[N * N], fp[N * N], moved[N], ph[N * M], gain[N * M], s[M * M], inverse[M * M], rest[M];
#pragma unroll
    for (int i = 0; i < N; i++)
        x[i] = xs[i * count + f];
#pragma unroll
    for (int i = 0; i < N * N; i++)
        p[i] = ps[i * count + f];
    for (int t = 0; t < STEPS; t++) {
        multiply_unrolled<N, N, 1, false>(transition, x, moved);
        multiply_unrolled<N, N, N, false>(transition, p, fp);
        multiply_unrolled<N, N, N, true>(fp, transition, p);
#pragma unroll
        for (int i = 0; i < N; i++) {
            p[i * N + i] += NOISE;
#pragma unroll
            for (int j = 0; j < M; j++)
                ph[i * M + j] = p[i * N + j];
        }
#pragma unroll
        for (int i = 0; i < M; i++) {
            rest[i] = zs[(t * M + i) * count + f] - moved[i];
#pragma unroll
            for (int j = 0; j < M; j++)
                s[i * M + j] = ph[i * M + j] + (i == j ? ERROR : 0.0f);
        }
        invert<M>(s, inverse);
        multiply_unrolled<N, M, M, false>(ph, inverse, gain);
        multiply_unrolled<N, M, 1, false>(gain, rest, x);
        multiply_unrolled<N, M, N, true>(gain, ph, fp);
#pragma unroll
        for (int i = 0; i < N; i++)
            x[i] += moved[i];
#pragma unroll
        for (int i = 0; i < N * N; i++)
            p[i] -= fp[i];
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        xs[i * count + f] = x[i];
#pragma unroll
    for (int i = 0; i < N * N; i++)
        ps[i * count + f] = p[i];
}

// Position and velocity, each by two: F moves rows 2, 3 into 0, 1. Measurements come one number after the
// other, so that there is no matrix to invert.
__global__ void filter_sequential(float4 *__restrict__ xs, float4 *__restrict__ ps,
                                  const float2 *__restrict__ zs, int count)
{
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= count)
        return;
    float4 x = xs[f], p[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        p[i] = ps[i * count + f];
    for (int t = 0; t < STEPS; t++) {
        const float2 z = __ldg(&zs[t * count + f]);
        x.x += DT * x.z;
        x.y += DT * x.w;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            p[i].x += DT * p[i + 2].x;
            p[i].y += DT * p[i + 2].y;
            p[i].z += DT * p[i + 2].z;
            p[i].w += DT * p[i + 2].w;
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            p[i].x += DT * p[i].z;
            p[i].y += DT * p[i].w;
            (&p[i].x)[i] += NOISE;
        }
#pragma unroll
        for (int m = 0; m < 2; m++) {
            const float4 row = p[m];
            const float scale = 1.0f / ((m ? row.y : row.x) + ERROR);
            const float rest = (m ? z.y - x.y : z.x - x.x) * scale;
            x = make_float4(x.x + row.x * rest, x.y + row.y * rest, x.z + row.z * rest, x.w + row.w * rest);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float gain = (&row.x)[i] * scale;
                p[i] = make_float4(p[i].x - gain * row.x, p[i].y - gain * row.y, p[i].z - gain * row.z,
                                   p[i].w - gain * row.w);
            }
        }
    }
    xs[f] = x;
#pragma unroll
    for (int i = 0; i < 4; i++)
        ps[i * count + f] = p[i];
}

// An entry of the 4 x 4 covariance a lane, two filters a warp; lanes of column 0 have the state, too.
__global__ void filter_lanes(float *__restrict__ xs, float *__restrict__ ps, const float *__restrict__ zs,
                             int count)
{
    const unsigned all = 0xffffffffu;
    const int entry = threadIdx.x % 16, i = entry / 4, j = entry % 4,
              f = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    const bool here = f < count;
    float p = here ? ps[f * 16 + entry] : 0.0f, x = here ? xs[f * 4 + i] : 0.0f;
    for (int t = 0; t < STEPS; t++) {
        const float z = here && i < 2 ? zs[(f * STEPS + t) * 2 + i] : 0.0f;
        const float moved = __shfl_down_sync(all, x, 8, 16);
        x += i < 2 ? DT * moved : 0.0f;
        const float lower = __shfl_down_sync(all, p, 8, 16);
        p += i < 2 ? DT * lower : 0.0f;
        const float beside = __shfl_down_sync(all, p, 2, 4);
        p += (j < 2 ? DT * beside : 0.0f) + (i == j ? NOISE : 0.0f);
        const float a = __shfl_sync(all, p, 0, 16) + ERROR, b = __shfl_sync(all, p, 1, 16),
                    d = __shfl_sync(all, p, 5, 16) + ERROR, scale = 1.0f / (a * d - b * b);
        const float left = __shfl_sync(all, p, i * 4, 16), right = __shfl_sync(all, p, i * 4 + 1, 16);
        const float gain0 = (left * d - right * b) * scale, gain1 = (right * a - left * b) * scale;
        const float rest0 = __shfl_sync(all, z - x, 0, 16), rest1 = __shfl_sync(all, z - x, 4, 16);
        const float top = __shfl_sync(all, p, j, 16), second = __shfl_sync(all, p, 4 + j, 16);
        x += gain0 * rest0 + gain1 * rest1;
        p -= gain0 * top + gain1 * second;
    }
    __syncwarp();
    if (!here)
        return;
    ps[f * 16 + entry] = p;
    if (j == 0)
        xs[f * 4 + i] = x;
}

// Any F of 6 x 6: a thread an entry of the covariance, PER_BLOCK filters a block.
template <int PER_BLOCK>
__global__ void __launch_bounds__(36 * PER_BLOCK)
    filter_shared(float *__restrict__ xs, float *__restrict__ ps, const float *__restrict__ zs, int count)
{
    __shared__ float transition[6][6], p[PER_BLOCK][6][7], work[PER_BLOCK][6][7], x[PER_BLOCK][6];
    __shared__ float inverse[PER_BLOCK][9];
    const int j = threadIdx.x, i = threadIdx.y, b = threadIdx.z,
              f = min(blockIdx.x * PER_BLOCK + b, count - 1);
    if (b == 0)
        transition[i][j] = motions[1].transition[i * 6 + j];
    p[b][i][j] = ps[f * 36 + i * 6 + j];
    float state = xs[f * 6 + i];
    for (int t = 0; t < STEPS; t++) {
        if (j == 0)
            x[b][i] = state;
        __syncthreads();
        float sum = 0.0f, moved = 0.0f;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            sum += transition[i][k] * p[b][k][j];
            moved += transition[i][k] * x[b][k];
        }
        work[b][i][j] = sum;
        __syncthreads();
        sum = i == j ? NOISE : 0.0f;
#pragma unroll
        for (int k = 0; k < 6; k++)
            sum += work[b][i][k] * transition[j][k];
        p[b][i][j] = sum;
        if (j == 0 && i < 3)
            x[b][i] = zs[(f * STEPS + t) * 3 + i] - moved;
        __syncthreads();
        if (i == 0 && j == 0) {
            float s[9];
#pragma unroll
            for (int k = 0; k < 9; k++)
                s[k] = p[b][k / 3][k % 3] + (k % 4 == 0 ? ERROR : 0.0f);
            invert<3>(s, inverse[b]);
        }
        __syncthreads();
        state = moved;
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const float *column = &inverse[b][k];
            const float gain = p[b][i][0] * column[0] + p[b][i][1] * column[3] + p[b][i][2] * column[6];
            state += gain * x[b][k];
            sum -= gain * p[b][k][j];
        }
        __syncthreads();
        p[b][i][j] = sum;
    }
    if ((int)blockIdx.x * PER_BLOCK + b >= count)
        return;
    ps[f * 36 + i * 6 + j] = p[b][i][j];
    if (j == 0)
        xs[f * 6 + i] = state;
}

// From all numbers of a filter together to number k of all filters together, or k to k + group - 1.
static std::vector<float> arranged(const std::vector<float> &v, int per_filter, int group)
{
    const size_t count = v.size() / per_filter;
    std::vector<float> result(v.size());
    for (size_t i = 0; i < v.size(); i++) {
        const size_t f = i / per_filter, k = i % per_filter;
        result[(k / group * count + f) * group + k % group] = v[i];
    }
    return result;
}

int main(int argc, char **argv)
{
    const int count = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1);
    Motion host[2] = {};
    std::vector<float> x[2], p[2], z[2], want_x[2], want_p[2];
    for (int b = 0; b < 2; b++) {
        const int n = b ? 6 : 4, m = n / 2;
        for (int i = 0; i < n; i++) {
            host[b].transition[i * n + i] = 1;
            if (i < m) {
                host[b].transition[i * n + i + m] = DT;
                host[b].observation[i * n + i] = 1;
            }
        }
        x[b] = units(count * n, 1 + b);
        z[b] = units(count * STEPS * m, 3 + b);
        for (int k = 0; k < count * n * n; k++)
            p[b].push_back(k % (n * n) % (n + 1) == 0 ? 0.5f + unit(k) : 0.05f);
        want_x[b] = x[b];
        want_p[b] = p[b];
        for (int f = 0; f < count; f++)
            for (int t = 0; t < STEPS; t++)
                general_step(&want_x[b][f * n], &want_p[b][f * n * n], &z[b][(f * STEPS + t) * m], host[b], n,
                             m);
    }
    CHECK(cudaMemcpyToSymbol(motions, host, sizeof host));
    const Motion *dmotion = to_device(std::vector<Motion>(host, host + 2));
    // For each kernel its filters' states, how many of them lie together, and its inputs and outputs so
    // arranged.
    const struct {
        const char *name;
        int six, group_x, group_p, group_z;
    } forms[6] = {{"filter_general", 0, 4, 16, 2 * STEPS}, {"filter_registers<4>", 0, 1, 1, 1},
                  {"filter_sequential", 0, 4, 4, 2},       {"filter_lanes", 0, 4, 16, 2 * STEPS},
                  {"filter_registers<6>", 1, 1, 1, 1},     {"filter_shared", 1, 6, 36, 3 * STEPS}};
    float *dx[6], *dp[6], *first_x[6], *first_p[6], *dz[6];
    for (int k = 0; k < 6; k++) {
        const int six = forms[k].six, n = six ? 6 : 4;
        first_x[k] = to_device(arranged(x[six], n, forms[k].group_x));
        first_p[k] = to_device(arranged(p[six], n * n, forms[k].group_p));
        dz[k] = to_device(arranged(z[six], STEPS * n / 2, forms[k].group_z));
        dx[k] = device_zeros<float>(count * n);
        dp[k] = device_zeros<float>(count * n * n);
    }
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < 6; k++) {
            const size_t n = forms[k].six ? 6 : 4;
            CHECK(cudaMemcpy(dx[k], first_x[k], count * n * sizeof(float), cudaMemcpyDeviceToDevice));
            CHECK(cudaMemcpy(dp[k], first_p[k], count * n * n * sizeof(float), cudaMemcpyDeviceToDevice));
        }
        filter_general<<<ceil_div(count, 64), 64>>>(dx[0], dp[0], dz[0], dmotion, 4, 2, count);
        filter_registers<4, 2><<<ceil_div(count, 128), 128>>>(dx[1], dp[1], dz[1], count);
        filter_sequential<<<ceil_div(count, 128), 128>>>((float4 *)dx[2], (float4 *)dp[2],
                                                         (const float2 *)dz[2], count);
        filter_lanes<<<ceil_div(count, 8), 128>>>(dx[3], dp[3], dz[3], count);
        filter_registers<6, 3><<<ceil_div(count, 128), 128>>>(dx[4], dp[4], dz[4], count);
        filter_shared<4><<<ceil_div(count, 4), dim3(6, 6, 4)>>>(dx[5], dp[5], dz[5], count);
    }
    for (int k = 0; k < 6; k++) {
        const int six = forms[k].six, n = six ? 6 : 4;
        expect(forms[k].name, dx[k], arranged(want_x[six], n, forms[k].group_x), 1e-3);
        expect(forms[k].name, dp[k], arranged(want_p[six], n * n, forms[k].group_p), 1e-3);
    }
    return verdict();
}
