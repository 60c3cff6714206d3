// The next token of each row of logits: the greatest, by a block a row and by several blocks a row of halves;
// a sample by Gumbel noise in one pass; softmax, then a sample by running sums, and top-p by histograms.
#include "common.h"
#include <cuda_fp16.h>

#define THREADS 256
#define SCAN_ITEMS 4
#define RADIX_THREADS 512
#define BUCKETS 2048
#define SPLIT 8

__global__ void argmax_plain(const float *logits, int *tokens, int vocabulary)
{
    __shared__ float values[THREADS];
    __shared__ int places[THREADS];
    int t = threadIdx.x;
    const float *row = logits + blockIdx.x * vocabulary;
    float best = -INFINITY;
    int at = 0;
    for (int i = t; i < vocabulary; i += blockDim.x)
        if (row[i] > best) {
            best = row[i];
            at = i;
        }
    values[t] = best;
    places[t] = at;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s && (values[t + s] > values[t] ||
                      (values[t + s] == values[t] && places[t + s] < places[t]))) {
            values[t] = values[t + s];
            places[t] = places[t + s];
        }
        __syncthreads();
    }
    if (t == 0)
        tokens[blockIdx.x] = places[0];
}

// The order of floats as unsigned numbers, above the token's complement: of equal ones the lower token wins.
__device__ __forceinline__ unsigned long long key_of(float value, int token)
{
    const unsigned bits = __float_as_uint(value),
                   ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (unsigned long long)ordered << 32 | (unsigned)~token;
}

__host__ __device__ inline unsigned mixed(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

// Eight halves a load, SPLIT blocks a row; the row's best key is a 64-bit maximum. With noise: the greatest
// of logit / heat - log(-log(u)) is a sample of the softmax, without any sum.
template <bool NOISE>
__global__ void __launch_bounds__(THREADS)
    choose_split(const uint4 *__restrict__ logits, unsigned long long *__restrict__ keys, int eights,
                 float scale)
{
    const unsigned row = blockIdx.y;
    unsigned long long best = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < eights; i += SPLIT * THREADS) {
        const uint4 pack = logits[(size_t)row * eights + i];
        const __half *halves = reinterpret_cast<const __half *>(&pack);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float score = __half2float(halves[k]) * scale;
            if (NOISE) {
                const unsigned bits = mixed(row * 0x9e3779b9u + 8 * i + k) >> 9;
                score -= __logf(-logf((bits + 0.5f) / 8388608.0f));
            }
            const unsigned long long key = key_of(score, 8 * i + k);
            best = key > best ? key : best;
        }
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned long long other = __shfl_down_sync(0xffffffffu, best, offset);
        best = other > best ? other : best;
    }
    if (threadIdx.x % 32 == 0 && best != 0)
        atomicMax(&keys[row], best);
}

// Three passes over the row.
__global__ void softmax_rows(const float *logits, float *probabilities, int vocabulary, float heat)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    const float *row = logits + blockIdx.x * vocabulary;
    float *out = probabilities + blockIdx.x * vocabulary;
    float best = -INFINITY, sum = 0;
    for (int i = t; i < vocabulary; i += THREADS)
        best = fmaxf(best, row[i]);
    part[t] = best;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    best = part[0];
    __syncthreads();
    for (int i = t; i < vocabulary; i += THREADS)
        sum += expf((row[i] - best) / heat);
    part[t] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    for (int i = t; i < vocabulary; i += THREADS)
        out[i] = expf((row[i] - best) / heat) / part[0];
}

// Inclusive sums over the block's threads in their order.
template <int WARPS> __device__ float block_scan(float value, float *warp_sums)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const float other = __shfl_up_sync(0xffffffffu, value, offset);
        value += lane >= offset ? other : 0.0f;
    }
    if (lane == 31)
        warp_sums[warp] = value;
    __syncthreads();
    float before = 0.0f;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        before += w < warp ? warp_sums[w] : 0.0f;
    return before + value;
}

// The first token whose running sum is above the row's random number; the rest of the row is not read.
__global__ void __launch_bounds__(THREADS)
    sample_scan(const float4 *__restrict__ probabilities, const float *__restrict__ random,
                int *__restrict__ tokens, int fours)
{
    __shared__ float warp_sums[THREADS / 32], total;
    __shared__ int found;
    const float4 *row = probabilities + (size_t)blockIdx.x * fours;
    const float wanted = random[blockIdx.x];
    if (threadIdx.x == 0)
        found = SCAN_ITEMS * fours - 1; // what remains where rounding leaves the sum too small
    float before = 0.0f;
    for (int first = 0; first < fours; first += THREADS) {
        const int i = first + threadIdx.x;
        const float4 p = i < fours ? row[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        const float last = before + block_scan<THREADS / 32>(p.x + p.y + p.z + p.w, warp_sums);
        float sum = last - (p.x + p.y + p.z + p.w);
        if (threadIdx.x == THREADS - 1)
            total = last;
        const float item[SCAN_ITEMS] = {p.x, p.y, p.z, p.w};
        if (last > wanted && i < fours)
            for (int k = 0; k < SCAN_ITEMS; k++) {
                sum += item[k];
                if (sum > wanted || k == SCAN_ITEMS - 1) {
                    atomicMin(&found, SCAN_ITEMS * i + k);
                    break;
                }
            }
        __syncthreads();
        before = total;
        if (before > wanted)
            break;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        tokens[blockIdx.x] = found;
}

// The few greatest that have mass p together: where they end, by their upper 11 bits, then by 11 more.
__global__ void __launch_bounds__(RADIX_THREADS)
    top_p_radix(const float4 *__restrict__ probabilities, float4 *__restrict__ out,
                float *__restrict__ least, int fours, float p)
{
    __shared__ float mass[BUCKETS], warp_sums[RADIX_THREADS / 32], above_shared;
    __shared__ unsigned bucket;
    const float4 *row = probabilities + (size_t)blockIdx.x * fours;
    unsigned prefix = 0;
    float above = 0.0f, kept = 0.0f;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = threadIdx.x; b < BUCKETS; b += RADIX_THREADS)
            mass[b] = 0.0f;
        if (threadIdx.x == 0) {
            bucket = 0;
            above_shared = above;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < fours; i += RADIX_THREADS) {
            const float4 four = row[i];
            const float item[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const unsigned bits = __float_as_uint(item[k]);
                if (pass == 0)
                    atomicAdd(&mass[bits >> 20], item[k]);
                else if (bits >> 20 == prefix)
                    atomicAdd(&mass[bits >> 9 & (BUCKETS - 1)], item[k]);
            }
        }
        __syncthreads();
        // Four buckets a thread, from the greatest down; one thread finds where the sum comes to p.
        const int top = BUCKETS - 1 - 4 * threadIdx.x;
        const float mine = mass[top] + mass[top - 1] + mass[top - 2] + mass[top - 3];
        const float to = above + block_scan<RADIX_THREADS / 32>(mine, warp_sums);
        float sum = to - mine;
        if (sum < p && to >= p && mine > 0.0f)
            for (int k = 0; k < 4; k++) {
                if (sum + mass[top - k] >= p || k == 3) {
                    atomicMax(&bucket, (unsigned)(top - k));
                    above_shared = sum;
                    break;
                }
                sum += mass[top - k];
            }
        __syncthreads();
        above = above_shared;
        kept = above + mass[bucket];
        prefix = prefix << 11 | bucket;
        __syncthreads();
    }
    const float limit = __uint_as_float(prefix << 9);
    for (int i = threadIdx.x; i < fours; i += RADIX_THREADS) {
        float4 four = row[i];
        four.x = four.x >= limit ? four.x / kept : 0.0f;
        four.y = four.y >= limit ? four.y / kept : 0.0f;
        four.z = four.z >= limit ? four.z / kept : 0.0f;
        four.w = four.w >= limit ? four.w / kept : 0.0f;
        out[(size_t)blockIdx.x * fours + i] = four;
    }
    if (threadIdx.x == 0)
        least[blockIdx.x] = limit;
}

static void check(const char *what, bool good, int row)
{
    if (good)
        return;
    printf("%s: row %d is wrong\n", what, row);
    wrong_arrays++;
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 4), rounds = argument(argc, argv, 2, 1), vocabulary = 256 * rows,
              n = rows * vocabulary, fours = vocabulary / 4;
    const float heat = 0.8f, p = 0.9f;
    const std::vector<float> random = units(rows, 3);
    std::vector<float> logits(n), soft(n), nucleus(n);
    std::vector<__half> halves(n);
    for (int i = 0; i < n; i++) {
        logits[i] = 5.0f * (unit(3 * i) + unit(3 * i + 1) + unit(3 * i + 2)) - 7.5f;
        halves[i] = __float2half(logits[i]);
    }
    const float *dlogits = to_device(logits), *drandom = to_device(random);
    const uint4 *dhalves = (const uint4 *)to_device(halves);
    float *dsoft = device_zeros<float>(n), *dnucleus = device_zeros<float>(n);
    float *dleast = device_zeros<float>(rows);
    unsigned long long *keys = device_zeros<unsigned long long>(2 * rows);
    int *tokens[2] = {device_zeros<int>(rows), device_zeros<int>(rows)};
    const dim3 split(SPLIT, rows);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(2 * rows, 256), 256>>>(keys, 0ull, 2 * rows);
        argmax_plain<<<rows, THREADS>>>(dlogits, tokens[0], vocabulary);
        choose_split<false><<<split, THREADS>>>(dhalves, keys, vocabulary / 8, 1.0f);
        choose_split<true><<<split, THREADS>>>(dhalves, keys + rows, vocabulary / 8, 1.0f / heat);
        softmax_rows<<<rows, THREADS>>>(dlogits, dsoft, vocabulary, heat);
        sample_scan<<<rows, THREADS>>>((const float4 *)dsoft, drandom, tokens[1], fours);
        top_p_radix<<<rows, RADIX_THREADS>>>((const float4 *)dsoft, (float4 *)dnucleus, dleast, fours, p);
    }
    const std::vector<unsigned long long> key = to_host(keys, 2 * rows);
    const std::vector<int> greatest = to_host(tokens[0], rows), scanned = to_host(tokens[1], rows);
    const std::vector<float> got = to_host(dsoft, n), least = to_host(dleast, rows);
    for (int r = 0; r < rows; r++) {
        const size_t first = (size_t)r * vocabulary;
        const float *row = &logits[first];
        const int best = (int)(std::max_element(row, row + vocabulary) - row);
        check("argmax_plain", greatest[r] == best, r);
        int best_half = 0;
        double sum = 0, before = 0, top = -INFINITY, kept = 0, more = 0;
        std::vector<double> score(vocabulary);
        for (int i = 0; i < vocabulary; i++) {
            const float rounded = __half2float(halves[first + i]);
            sum += exp(((double)row[i] - row[best]) / heat);
            best_half = rounded > __half2float(halves[first + best_half]) ? i : best_half;
            const double u = ((mixed(r * 0x9e3779b9u + i) >> 9) + 0.5) / 8388608.0;
            score[i] = rounded / heat - log(-log(u));
            top = std::max(top, score[i]);
            kept += got[first + i] >= least[r] ? got[first + i] : 0;
            more += got[first + i] >= least[r] * (1 + 1e-4f) ? got[first + i] : 0;
        }
        for (int i = 0; i < vocabulary; i++) {
            const double weight = exp(((double)row[i] - row[best]) / heat) / sum;
            soft[first + i] = (float)weight;
            before += i < scanned[r] ? weight : 0;
            nucleus[first + i] = got[first + i] >= least[r] ? (float)(got[first + i] / kept) : 0.0f;
        }
        check("choose_split", (int)~(unsigned)key[r] == best_half, r);
        check("choose_split, noise", score[(int)~(unsigned)key[rows + r]] > top - 1e-3, r);
        const double after = before + soft[first + scanned[r]];
        check("sample_scan", before < random[r] + 1e-4 && after > random[r] - 1e-4, r);
        check("top_p_radix", kept > p - 1e-4 && more < p + 1e-4, r);
    }
    expect("softmax_rows", dsoft, soft, 1e-7);
    expect("top_p_radix", dnucleus, nucleus, 1e-6);
    return verdict();
}
