// Viterbi decoding of hidden Markov models with 32 states, in logarithms, many sequences at once: a block a sequence,
// the same with transitions in shared memory and four threads a state, a warp a sequence with a column of transitions
// in each lane's registers; the way back by a thread and by a warp a sequence.
#include "common.h"

#define STATES 32
#define SYMBOLS 16

struct Model {
    const float *initial, *transition, *emission;
};

struct Result {
    unsigned char *back;
    int *last;
    float *scores;
};

// The better of two candidates, the lower state of equal ones, over WIDTH lanes.
template <int WIDTH> __device__ __forceinline__ void best_of(float &value, int &state)
{
#pragma unroll
    for (int mask = WIDTH / 2; mask > 0; mask /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, mask);
        const int place = __shfl_xor_sync(0xffffffffu, state, mask);
        if (other > value || (other == value && place < state)) {
            value = other;
            state = place;
        }
    }
}

// The best last state, from the score of each lane's state.
__device__ void finish(float score, Result r, int sequence)
{
    int state = threadIdx.x % 32;
    best_of<32>(score, state);
    if (threadIdx.x % 32 == 0) {
        r.last[sequence] = state;
        r.scores[sequence] = score;
    }
}

// best[s] over all previous states p of score[p] + transition[p][s], then + emission[s][symbol]; the first of equals.
__global__ void forward_plain(const int *symbols, Model m, Result r, int length)
{
    __shared__ float score[2][STATES];
    int s = threadIdx.x, sequence = blockIdx.x;
    const int *observed = symbols + sequence * length;
    score[0][s] = m.initial[s] + m.emission[s * SYMBOLS + observed[0]];
    __syncthreads();
    for (int t = 1; t < length; t++) {
        float *now = score[(t - 1) % 2];
        float best = now[0] + m.transition[s];
        int from = 0;
        for (int p = 1; p < STATES; p++) {
            float candidate = now[p] + m.transition[p * STATES + s];
            if (candidate > best) {
                best = candidate;
                from = p;
            }
        }
        score[t % 2][s] = best + m.emission[s * SYMBOLS + observed[t]];
        r.back[(sequence * length + t) * STATES + s] = (unsigned char)from;
        __syncthreads();
    }
    finish(score[(length - 1) % 2][s], r, sequence);
}

// Thread 4 s + q looks at the previous states q, q + 4, ... of state s.
__global__ void __launch_bounds__(128)
    forward_shared(const int *__restrict__ symbols, Model m, Result r, int length)
{
    __shared__ float to[STATES][STATES + 4], emit[SYMBOLS][STATES], score[2][STATES];
    const int thread = threadIdx.x, s = thread / 4, q = thread % 4;
    const int *observed = symbols + blockIdx.x * length;
    unsigned char *trace = r.back + (size_t)blockIdx.x * length * STATES;
    for (int k = thread; k < STATES * STATES; k += 128)
        to[k % STATES][k / STATES] = m.transition[k];
    for (int k = thread; k < STATES * SYMBOLS; k += 128)
        emit[k % SYMBOLS][k / SYMBOLS] = m.emission[k];
    __syncthreads();
    if (thread < STATES)
        score[0][thread] = m.initial[thread] + emit[observed[0]][thread];
    __syncthreads();
    for (int t = 1; t < length; t++) {
        const float *now = score[(t - 1) & 1];
        const int symbol = observed[t];
        float best = now[q] + to[s][q];
        int from = q;
#pragma unroll
        for (int p = q + 4; p < STATES; p += 4) {
            const float candidate = now[p] + to[s][p];
            from = candidate > best ? p : from;
            best = fmaxf(candidate, best);
        }
        best_of<4>(best, from);
        if (q == 0) {
            score[t & 1][s] = best + emit[symbol][s];
            trace[t * STATES + s] = (unsigned char)from;
        }
        __syncthreads();
    }
    if (thread < 32)
        finish(score[(length - 1) & 1][thread], r, blockIdx.x);
}

// No barriers at all: scores go round by shuffles. Symbols are fetched 32 at a time.
template <int WARPS>
__global__ void __launch_bounds__(32 * WARPS)
    forward_warp(const int *__restrict__ symbols, Model m, Result r, int length, int sequences)
{
    __shared__ float emit[SYMBOLS][STATES];
    const int s = threadIdx.x % 32, sequence = blockIdx.x * WARPS + threadIdx.x / 32;
    for (int k = threadIdx.x; k < SYMBOLS * STATES; k += 32 * WARPS)
        emit[k % SYMBOLS][k / SYMBOLS] = m.emission[k];
    __syncthreads();
    if (sequence >= sequences)
        return;
    const int *observed = symbols + sequence * length;
    unsigned char *trace = r.back + (size_t)sequence * length * STATES;
    float column[STATES];
#pragma unroll
    for (int p = 0; p < STATES; p++)
        column[p] = m.transition[p * STATES + s];
    int chunk = s < length ? observed[s] : 0;
    float score = m.initial[s] + emit[__shfl_sync(0xffffffffu, chunk, 0)][s];
    for (int t = 1; t < length; t++) {
        if (t % 32 == 0)
            chunk = t + s < length ? observed[t + s] : 0;
        float best = __shfl_sync(0xffffffffu, score, 0) + column[0];
        int from = 0;
#pragma unroll
        for (int p = 1; p < STATES; p++) {
            const float candidate = __shfl_sync(0xffffffffu, score, p) + column[p];
            if (candidate > best) {
                best = candidate;
                from = p;
            }
        }
        score = best + emit[__shfl_sync(0xffffffffu, chunk, t % 32)][s];
        trace[t * STATES + s] = (unsigned char)from;
    }
    finish(score, r, sequence);
}

__global__ void path_plain(const unsigned char *back, const int *last, int *path, int length,
                           int sequences)
{
    int sequence = blockIdx.x * blockDim.x + threadIdx.x;
    if (sequence >= sequences)
        return;
    int state = last[sequence];
    for (int t = length - 1; t > 0; t--) {
        path[sequence * length + t] = state;
        state = back[(sequence * length + t) * STATES + state];
    }
    path[sequence * length] = state;
}

// Pointers of 32 times come at once into shared memory; all lanes walk back, and lane t keeps time t's state.
__global__ void path_warp(const uint4 *__restrict__ back, const int *__restrict__ last,
                          int *__restrict__ path, int length)
{
    __shared__ uint4 rows[32][STATES / 16];
    const int lane = threadIdx.x, sequence = blockIdx.x;
    int state = last[sequence];
    for (int first = (length - 1) / 32 * 32; first >= 0; first -= 32) {
        const int count = min(32, length - first);
        for (int k = lane; k < count * (STATES / 16); k += 32)
            rows[k / 2][k % 2] = back[((size_t)sequence * length + first) * (STATES / 16) + k];
        __syncwarp();
        int mine = 0;
        for (int t = count - 1; t >= 0; t--) {
            mine = lane == t ? state : mine;
            if (first + t > 0)
                state = ((const unsigned char *)rows[t])[state];
        }
        if (lane < count)
            path[sequence * length + first + lane] = mine;
        __syncwarp();
    }
}

int main(int argc, char **argv)
{
    const int length = argument(argc, argv, 1, 12), rounds = argument(argc, argv, 2, 1),
              sequences = 2 * length;
    std::vector<float> initial = units(STATES, 1), transition = units(STATES * STATES, 2),
                       emission = units(STATES * SYMBOLS, 3), scores(sequences);
    std::vector<int> symbols(sequences * length), path(symbols.size());
    for (std::vector<float> *table : {&initial, &transition, &emission})
        for (float &v : *table)
            v = logf(v + 0.01f) - 2.0f;
    for (size_t k = 0; k < symbols.size(); k++)
        symbols[k] = hash32((unsigned)k + 17) % SYMBOLS;
    for (int q = 0; q < sequences; q++) {
        std::vector<int> from(length * STATES);
        float now[STATES], then[STATES];
        for (int t = 0; t < length; t++) {
            for (int s = 0; s < STATES; s++) {
                float best = initial[s];
                for (int p = 0; t > 0 && p < STATES; p++) {
                    const float candidate = now[p] + transition[p * STATES + s];
                    if (p == 0 || candidate > best) {
                        best = candidate;
                        from[t * STATES + s] = p;
                    }
                }
                then[s] = best + emission[s * SYMBOLS + symbols[q * length + t]];
            }
            std::copy(then, then + STATES, now);
        }
        int state = (int)(std::max_element(now, now + STATES) - now);
        scores[q] = now[state];
        for (int t = length - 1; t >= 0; state = from[t * STATES + state], t--)
            path[q * length + t] = state;
    }
    const Model m = {to_device(initial), to_device(transition), to_device(emission)};
    const int *dsymbols = to_device(symbols);
    Result r[3];
    int *dpath[3];
    for (int k = 0; k < 3; k++) {
        dpath[k] = device_zeros<int>(path.size());
        r[k] = {device_zeros<unsigned char>(path.size() * STATES), device_zeros<int>(sequences),
                device_zeros<float>(sequences)};
    }
    for (int round = 0; round < rounds; round++) {
        forward_plain<<<sequences, STATES>>>(dsymbols, m, r[0], length);
        forward_shared<<<sequences, 128>>>(dsymbols, m, r[1], length);
        forward_warp<4><<<ceil_div(sequences, 4), 128>>>(dsymbols, m, r[2], length, sequences);
        path_plain<<<ceil_div(sequences, 64), 64>>>(r[0].back, r[0].last, dpath[0], length,
                                                    sequences);
        path_warp<<<sequences, 32>>>((const uint4 *)r[1].back, r[1].last, dpath[1], length);
        path_warp<<<sequences, 32>>>((const uint4 *)r[2].back, r[2].last, dpath[2], length);
    }
    for (int k = 0; k < 3; k++) {
        expect("forward: scores", r[k].scores, scores);
        expect("forward: paths", dpath[k], path);
    }
    return verdict();
}
