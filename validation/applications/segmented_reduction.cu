// Sums and maxima over segments of unequal length, from the segments' starts: a thread, a warp and a block a
// segment, groups of about equal work; from each value's segment: by atomics, scans in warps, eight a thread.
#include "common.h"

#define SPAN 1024

struct Sum {
    static __device__ float none() { return 0.0f; }
    static __device__ float join(float a, float b) { return a + b; }
};

struct Max {
    static __device__ float none() { return -INFINITY; }
    static __device__ float join(float a, float b) { return fmaxf(a, b); }
};

__global__ void sum_thread(const float *values, const int *start, float *out, int segments)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments)
        return;
    float sum = 0;
    for (int i = start[s]; i < start[s + 1]; i++)
        sum += values[i];
    out[s] = sum;
}

// LANES threads a segment.
template <typename Op, int LANES>
__global__ void __launch_bounds__(256)
    reduce_lanes(const float *__restrict__ values, const int *__restrict__ start, float *__restrict__ out,
                 int segments)
{
    const int lane = threadIdx.x % LANES, s = (blockIdx.x * 256 + threadIdx.x) / LANES;
    const int begin = s < segments ? start[s] : 0, end = s < segments ? start[s + 1] : 0;
    float result = Op::none();
#pragma unroll 4
    for (int i = begin + lane; i < end; i += LANES)
        result = Op::join(result, __ldg(&values[i]));
#pragma unroll
    for (int mask = LANES / 2; mask > 0; mask /= 2)
        result = Op::join(result, __shfl_xor_sync(0xffffffffu, result, mask));
    if (lane == 0 && s < segments)
        out[s] = result;
}

// A block a segment: what is before the first multiple of four by itself, then vectors.
__global__ void __launch_bounds__(128)
    max_block(const float *__restrict__ values, const int *__restrict__ start, float *__restrict__ out)
{
    __shared__ float parts[4];
    const int begin = start[blockIdx.x], end = start[blockIdx.x + 1], t = threadIdx.x;
    const int from = min((begin + 3) / 4 * 4, end), to = max(end / 4 * 4, from);
    float best = -INFINITY;
    if (t < from - begin)
        best = values[begin + t];
    for (int i = from / 4 + t; i < to / 4; i += 128) {
        const float4 v = ((const float4 *)values)[i];
        best = fmaxf(best, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    if (t < end - to)
        best = fmaxf(best, values[to + t]);
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        best = fmaxf(best, __shfl_down_sync(0xffffffffu, best, offset));
    if (t % 32 == 0)
        parts[t / 32] = best;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = fmaxf(fmaxf(parts[0], parts[1]), fmaxf(parts[2], parts[3]));
}

// A block a group of segments with at most SPAN values, which it brings into shared memory; or a longer one.
__global__ void __launch_bounds__(256)
    sum_groups(const float *__restrict__ values, const int *__restrict__ start,
               const int *__restrict__ groups, float *__restrict__ out)
{
    __shared__ float staged[SPAN];
    const int first = groups[blockIdx.x], last = groups[blockIdx.x + 1], t = threadIdx.x;
    const int begin = start[first], end = start[last];
    if (end - begin <= SPAN) {
        for (int i = t; i < end - begin; i += 256)
            staged[i] = values[begin + i];
        __syncthreads();
        for (int s = first + t; s < last; s += 256) {
            float sum = 0.0f;
            for (int i = start[s] - begin; i < start[s + 1] - begin; i++)
                sum += staged[i];
            out[s] = sum;
        }
        return;
    }
    float sum = 0.0f;
    for (int i = begin + t; i < end; i += 256)
        sum += values[i];
    staged[t] = sum;
    __syncthreads();
#pragma unroll
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            staged[t] += staged[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[first] = staged[0];
}

__global__ void keys_plain(const float *values, const int *keys, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[keys[i]], values[i]);
}

// A scan that stops where the segment changes; the last lane of each segment in the warp adds. Numbers that
// are not negative are in the order of their bits.
__global__ void __launch_bounds__(256)
    keys_scan(const float *__restrict__ values, const int *__restrict__ keys, float *__restrict__ sums,
              int *__restrict__ maxima, int n)
{
    const int lane = threadIdx.x % 32;
    for (int i = blockIdx.x * 256 + threadIdx.x; i - lane < n; i += gridDim.x * 256) {
        const int key = i < n ? keys[i] : -1;
        float sum = i < n ? values[i] : 0.0f, best = sum;
#pragma unroll
        for (int offset = 1; offset < 32; offset *= 2) {
            const float left = __shfl_up_sync(0xffffffffu, sum, offset);
            const float high = __shfl_up_sync(0xffffffffu, best, offset);
            const int same = __shfl_up_sync(0xffffffffu, key, offset) == key;
            if (lane >= offset && same) {
                sum += left;
                best = fmaxf(best, high);
            }
        }
        const int next = __shfl_down_sync(0xffffffffu, key, 1);
        if (key >= 0 && (lane == 31 || next != key)) {
            atomicAdd(&sums[key], sum);
            atomicMax(&maxima[key], __float_as_int(best));
        }
    }
}

// Eight neighbouring values a thread by vectors. What begins and ends in one thread needs no atomic.
__global__ void __launch_bounds__(128)
    keys_items(const float4 *__restrict__ values, const int4 *__restrict__ keys, float *__restrict__ out,
               int eights)
{
    const int t = blockIdx.x * 128 + threadIdx.x;
    if (t >= eights)
        return;
    const float4 v0 = values[2 * t], v1 = values[2 * t + 1];
    const int4 k0 = keys[2 * t], k1 = keys[2 * t + 1];
    const float value[8] = {v0.x, v0.y, v0.z, v0.w, v1.x, v1.y, v1.z, v1.w};
    const int key[8] = {k0.x, k0.y, k0.z, k0.w, k1.x, k1.y, k1.z, k1.w};
    float sum = value[0];
    bool first = true;
#pragma unroll
    for (int k = 1; k < 8; k++) {
        if (key[k] != key[k - 1]) {
            if (first)
                atomicAdd(&out[key[k - 1]], sum);
            else
                out[key[k - 1]] = sum;
            first = false;
            sum = 0.0f;
        }
        sum += value[k];
    }
    atomicAdd(&out[key[7]], sum);
}

int main(int argc, char **argv)
{
    const int segments = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    std::vector<int> start(1), keys, groups(1);
    std::vector<float> values, sums(segments), maxima(segments, -INFINITY);
    for (int s = 0; s < segments; s++) {
        // One of 16 is empty; others have 1 to 64 values, a quarter of them 8 times as many, a few 64 times.
        const unsigned h = hash32(s + 3);
        int length = h % 16 == 0 ? 0 : 1 + h / 16 % 64;
        length *= h / 1024 % 200 == 0 ? 64 : h / 1024 % 4 == 0 ? 8 : 1;
        double sum = 0;
        for (int k = 0; k < length; k++) {
            const float v = unit((unsigned)values.size() + 12345);
            values.push_back(v);
            keys.push_back(s);
            sum += v;
            maxima[s] = std::max(maxima[s], v);
        }
        sums[s] = (float)sum;
        // A group ends before the segment that is too much for it.
        if ((int)values.size() - start[groups.back()] > SPAN && groups.back() < s)
            groups.push_back(s);
        start.push_back((int)values.size());
    }
    groups.push_back(segments);
    const int n = (int)values.size(), eights = ceil_div(n, 8), count = (int)groups.size() - 1;
    // Values that fill the last eight belong to one more segment, which nobody asks for.
    values.resize(8 * eights + 8);
    keys.resize(8 * eights + 8, segments);
    const float *v = to_device(values);
    const int *s = to_device(start), *k = to_device(keys), *dgroups = to_device(groups);
    float *out[6], *most[2] = {device_zeros<float>(segments), device_zeros<float>(segments)};
    int *max_keys = device_zeros<int>(segments);
    for (int r = 0; r < 6; r++)
        out[r] = device_zeros<float>(segments + 1);
    for (int round = 0; round < rounds; round++) {
        sum_thread<<<ceil_div(segments, 128), 128>>>(v, s, out[0], segments);
        reduce_lanes<Sum, 32><<<ceil_div(segments, 8), 256>>>(v, s, out[1], segments);
        reduce_lanes<Max, 8><<<ceil_div(segments, 32), 256>>>(v, s, most[0], segments);
        max_block<<<segments, 128>>>(v, s, most[1]);
        sum_groups<<<count, 256>>>(v, s, dgroups, out[2]);
        for (int r = 3; r < 6; r++)
            fill_array<<<ceil_div(segments + 1, 256), 256>>>(out[r], 0.0f, segments + 1);
        fill_array<<<ceil_div(segments, 256), 256>>>(max_keys, 0, segments);
        if (n == 0)
            continue;
        keys_plain<<<ceil_div(n, 256), 256>>>(v, k, out[3], n);
        keys_scan<<<std::min(ceil_div(n, 256), 1056), 256>>>(v, k, out[4], max_keys, n);
        keys_items<<<ceil_div(eights, 128), 128>>>((const float4 *)v, (const int4 *)k, out[5], eights);
    }
    const char *names[6] = {"sum_thread", "reduce_lanes", "sum_groups", "keys_plain", "keys_scan",
                            "keys_items"};
    for (int r = 0; r < 6; r++)
        expect(names[r], out[r], sums, 1e-4);
    for (int r = 0; r < 2; r++)
        if (to_host(most[r], segments) != maxima) {
            printf("%s: maxima are wrong\n", r == 0 ? "reduce_lanes" : "max_block");
            wrong_arrays++;
        }
    for (float &most_of : maxima)
        most_of = std::max(most_of, 0.0f);
    expect("keys_scan: maxima", (const float *)max_keys, maxima);
    return verdict();
}
