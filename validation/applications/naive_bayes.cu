// Naive Bayes with 32 features of 16 values and 10 classes: counts by atomics and by tables in shared memory,
// the logarithms of probabilities, and classification by a thread a sample, with the table in shared memory,
// and by a warp a sample; and of documents of words, a warp a document.
#include "common.h"

#define FEATURES 32
#define VALUES 16
#define CLASSES 10
#define TABLE (CLASSES * FEATURES * VALUES)
#define WORDS 4096
#define CLASS_STRIDE 12 // classes of a word, so that there are three float4

typedef unsigned char byte;

__global__ void count_atomic(const byte *features, const byte *labels, int *counts, int *class_counts,
                             int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples * FEATURES)
        return;
    int label = labels[i / FEATURES], feature = i % FEATURES;
    atomicAdd(&counts[(label * FEATURES + feature) * VALUES + features[i]], 1);
    if (feature == 0)
        atomicAdd(&class_counts[label], 1);
}

// A block has a table of all; a thread reads 16 features at once.
__global__ void __launch_bounds__(512)
    count_shared(const uint4 *__restrict__ features, const byte *__restrict__ labels,
                 int *__restrict__ counts, int *__restrict__ class_counts, int samples)
{
    __shared__ int table[TABLE], of_class[CLASSES];
    for (int k = threadIdx.x; k < TABLE; k += blockDim.x)
        table[k] = 0;
    if (threadIdx.x < CLASSES)
        of_class[threadIdx.x] = 0;
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < samples * 2; i += stride) {
        const uint4 four = __ldg(&features[i]);
        const int label = labels[i / 2], first = (label * FEATURES + i % 2 * 16) * VALUES;
        const unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < 16; k++)
            atomicAdd(&table[first + k * VALUES + (words[k / 4] >> k % 4 * 8 & 255)], 1);
        if (i % 2 == 0)
            atomicAdd(&of_class[label], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < TABLE; k += blockDim.x)
        if (table[k] > 0)
            atomicAdd(&counts[k], table[k]);
    if (threadIdx.x < CLASSES)
        atomicAdd(&class_counts[threadIdx.x], of_class[threadIdx.x]);
}

// Laplace's rule: one more of each value. By class, feature and value, and with classes beside each other.
__global__ void log_table(const int *__restrict__ counts, const int *__restrict__ class_counts,
                          float *__restrict__ logs, float *__restrict__ by_value, float *__restrict__ prior,
                          int samples)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= TABLE)
        return;
    const int label = i / (FEATURES * VALUES), place = i % (FEATURES * VALUES), all = class_counts[label];
    const float value = logf((counts[i] + 1.0f) / (all + (float)VALUES));
    logs[i] = value;
    by_value[place * CLASSES + label] = value;
    if (place == 0)
        prior[label] = logf((all + 1.0f) / (samples + (float)CLASSES));
}

__global__ void classify_plain(const byte *features, const float *logs, const float *prior, int *result,
                               float *score, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples)
        return;
    int best = 0;
    float best_sum = -INFINITY;
    for (int label = 0; label < CLASSES; label++) {
        float sum = prior[label];
        for (int f = 0; f < FEATURES; f++)
            sum += logs[(label * FEATURES + f) * VALUES + features[i * FEATURES + f]];
        if (sum > best_sum) {
            best_sum = sum;
            best = label;
        }
    }
    result[i] = best;
    score[i] = best_sum;
}

// The table in shared memory, a pair of classes by one load; all sums in registers.
__global__ void __launch_bounds__(256)
    classify_shared(const uint4 *__restrict__ features, const float *__restrict__ by_value,
                    const float *__restrict__ prior, int *__restrict__ result, float *__restrict__ score,
                    int samples)
{
    __shared__ float2 table[FEATURES * VALUES][CLASSES / 2];
    for (int k = threadIdx.x; k < TABLE / 2; k += 256)
        ((float2 *)table)[k] = ((const float2 *)by_value)[k];
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < samples; i += gridDim.x * 256) {
        float sum[CLASSES];
#pragma unroll
        for (int c = 0; c < CLASSES; c++)
            sum[c] = prior[c];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const uint4 four = features[2 * i + half];
            const unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int k = 0; k < 16; k++) {
                const float2 *row = table[(half * 16 + k) * VALUES + (words[k / 4] >> k % 4 * 8 & 255)];
#pragma unroll
                for (int c = 0; c < CLASSES / 2; c++) {
                    const float2 two = row[c];
                    sum[2 * c] += two.x;
                    sum[2 * c + 1] += two.y;
                }
            }
        }
        int best = 0;
#pragma unroll
        for (int c = 1; c < CLASSES; c++)
            if (sum[c] > sum[0]) {
                sum[0] = sum[c];
                best = c;
            }
        result[i] = best;
        score[i] = sum[0];
    }
}

// The lowest of equal classes has the best sum of a warp's lanes; lanes from CLASSES on take no part.
__device__ __forceinline__ void store_best(float sum, int lane, int *result, float *score)
{
    int best = lane;
    sum = lane < CLASSES ? sum : -INFINITY;
#pragma unroll
    for (int mask = 8; mask > 0; mask /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, sum, mask);
        const int place = __shfl_xor_sync(0xffffffffu, best, mask);
        if (other > sum || (other == sum && place < best)) {
            sum = other;
            best = place;
        }
    }
    if (lane == 0) {
        *result = best;
        *score = sum;
    }
}

// A feature a lane; lane c ends up with the sum of class c.
__global__ void classify_warp(const byte *__restrict__ features, const float *__restrict__ by_value,
                              const float *__restrict__ prior, int *__restrict__ result,
                              float *__restrict__ score, int samples)
{
    const int lane = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i >= samples)
        return;
    const float *row = by_value + (lane * VALUES + features[i * FEATURES + lane]) * CLASSES;
    float mine = 0.0f;
#pragma unroll
    for (int c = 0; c < CLASSES; c++) {
        float sum = __ldg(row + c);
#pragma unroll
        for (int mask = 16; mask > 0; mask >>= 1)
            sum += __shfl_xor_sync(0xffffffffu, sum, mask);
        mine = lane == c ? sum + prior[c] : mine;
    }
    store_best(mine, lane, result + i, score + i);
}

// A lane has every 32nd word of the document, by how often it occurs, and sums for all classes.
__global__ void classify_words(const int *__restrict__ start, const int2 *__restrict__ words,
                               const float4 *__restrict__ logs, int *__restrict__ result,
                               float *__restrict__ score, int documents)
{
    const int lane = threadIdx.x, d = blockIdx.x * blockDim.y + threadIdx.y;
    if (d >= documents)
        return;
    float sum[CLASS_STRIDE] = {};
    for (int k = start[d] + lane; k < start[d + 1]; k += 32) {
        const int2 word = words[k];
        const float times = (float)word.y;
#pragma unroll
        for (int q = 0; q < CLASS_STRIDE / 4; q++) {
            const float4 four = __ldg(&logs[word.x * (CLASS_STRIDE / 4) + q]);
            sum[4 * q] += times * four.x;
            sum[4 * q + 1] += times * four.y;
            sum[4 * q + 2] += times * four.z;
            sum[4 * q + 3] += times * four.w;
        }
    }
    float mine = 0.0f;
#pragma unroll
    for (int c = 0; c < CLASSES; c++) {
        for (int mask = 16; mask > 0; mask >>= 1)
            sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], mask);
        mine = lane == c ? sum[c] : mine;
    }
    store_best(mine, lane, result + d, score + d);
}

// Classes may differ from the host's where the best two are about equal.
static void expect_best(const char *what, const int *result, const float *score,
                        const std::vector<float> &sums)
{
    const size_t count = sums.size() / CLASSES;
    const std::vector<int> got = to_host(result, count);
    std::vector<float> best(count);
    for (size_t i = 0; i < count; i++) {
        const float *of = &sums[i * CLASSES];
        best[i] = *std::max_element(of, of + CLASSES);
        if (got[i] < 0 || got[i] >= CLASSES || of[got[i]] < best[i] - 1e-3f) {
            printf("%s: element %zu is in class %d\n", what, i, got[i]);
            wrong_arrays++;
            return;
        }
    }
    expect(what, score, best, 1e-4);
}

int main(int argc, char **argv)
{
    const int samples = argument(argc, argv, 1, 1000), rounds = argument(argc, argv, 2, 1),
              documents = ceil_div(samples, 8);
    std::vector<byte> features(samples * FEATURES), labels(samples);
    std::vector<int> counts(TABLE), class_counts(CLASSES), start(1);
    std::vector<float> logs(TABLE), by_value(TABLE), prior(CLASSES),
        word_logs = units(WORDS * CLASS_STRIDE, 5);
    std::vector<float> sums(samples * CLASSES), word_sums(documents * CLASSES);
    for (int i = 0; i < samples * FEATURES; i++) {
        // Rarer classes, and values around one that depends on the class.
        const unsigned h = hash32(i / FEATURES * 31 + 7), f = i % FEATURES,
                       label = std::min(h % 12, h / 16 % 10);
        labels[i / FEATURES] = (byte)label;
        features[i] = (byte)((hash32(label * 99 + f) % 11 + hash32(i) % 4 + hash32(i + 5) % 4) % VALUES);
        counts[(label * FEATURES + f) * VALUES + features[i]]++;
        class_counts[label] += f == 0;
    }
    for (int i = 0; i < TABLE; i++) {
        const int label = i / (FEATURES * VALUES);
        logs[i] = logf((counts[i] + 1.0f) / (class_counts[label] + (float)VALUES));
        by_value[i % (FEATURES * VALUES) * CLASSES + label] = logs[i];
    }
    for (int c = 0; c < CLASSES; c++)
        prior[c] = logf((class_counts[c] + 1.0f) / (samples + (float)CLASSES));
    for (int k = 0; k < samples * CLASSES; k++) {
        sums[k] = prior[k % CLASSES];
        for (int f = 0; f < FEATURES; f++)
            sums[k] += logs[(k % CLASSES * FEATURES + f) * VALUES + features[k / CLASSES * FEATURES + f]];
    }
    std::vector<int2> words;
    for (float &v : word_logs)
        v = logf(v + 0.001f) * 0.1f;
    for (int d = 0; d < documents; d++) {
        const int length = 20 + hash32(d + 3) % 150;
        for (int k = 0; k < length; k++) {
            // Low numbers are frequent words.
            const unsigned h = hash32(d * 211 + k), word = (h % WORDS) * (h / WORDS % 64) / 64;
            words.push_back(make_int2(word, 1 + h % 3));
            for (int c = 0; c < CLASSES; c++)
                word_sums[d * CLASSES + c] += (1 + h % 3) * word_logs[word * CLASS_STRIDE + c];
        }
        start.push_back((int)words.size());
    }
    const byte *x = to_device(features), *y = to_device(labels);
    const int *dstart = to_device(start);
    const int2 *dwords = to_device(words);
    const float4 *dword_logs = (const float4 *)to_device(word_logs);
    int *table[2], *of_class[2], *result[4];
    float *score[4], *dlogs = device_zeros<float>(TABLE), *dvalue = device_zeros<float>(TABLE),
                     *dprior = device_zeros<float>(CLASSES);
    for (int k = 0; k < 4; k++) {
        result[k] = device_zeros<int>(samples);
        score[k] = device_zeros<float>(samples);
        table[k / 2] = device_zeros<int>(TABLE);
        of_class[k / 2] = device_zeros<int>(CLASSES);
    }
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < 2; k++) {
            fill_array<<<ceil_div(TABLE, 256), 256>>>(table[k], 0, TABLE);
            fill_array<<<1, 32>>>(of_class[k], 0, CLASSES);
        }
        count_atomic<<<ceil_div(samples * FEATURES, 256), 256>>>(x, y, table[0], of_class[0], samples);
        count_shared<<<std::min(ceil_div(samples, 256), 132), 512>>>((const uint4 *)x, y, table[1],
                                                                     of_class[1], samples);
        log_table<<<ceil_div(TABLE, 128), 128>>>(table[1], of_class[1], dlogs, dvalue, dprior, samples);
        classify_plain<<<ceil_div(samples, 128), 128>>>(x, dlogs, dprior, result[0], score[0], samples);
        classify_shared<<<std::min(ceil_div(samples, 256), 264), 256>>>((const uint4 *)x, dvalue, dprior,
                                                                        result[1], score[1], samples);
        classify_warp<<<ceil_div(samples, 8), 256>>>(x, dvalue, dprior, result[2], score[2], samples);
        classify_words<<<ceil_div(documents, 4), dim3(32, 4)>>>(dstart, dwords, dword_logs, result[3],
                                                                score[3], documents);
    }
    for (int k = 0; k < 2; k++) {
        expect(k ? "count_shared" : "count_atomic", table[k], counts);
        expect(k ? "count_shared" : "count_atomic", of_class[k], class_counts);
    }
    expect("log_table", dlogs, logs, 1e-5);
    expect("log_table", dvalue, by_value, 1e-5);
    expect_best("classify_plain", result[0], score[0], sums);
    expect_best("classify_shared", result[1], score[1], sums);
    expect_best("classify_warp", result[2], score[2], sums);
    expect_best("classify_words", result[3], score[3], word_sums);
    return verdict();
}
