// Ant colony optimisation of round trips, 8 ants a city. Tours: a thread an ant with a roulette wheel, a
// block or a warp an ant where each city draws and the largest draw wins. Lengths, the best 2-opt move of
// each tour, and new pheromone by atomics and by a gather over all tours.
#include "common.h"

#define MAX_CITIES 128
#define EVAPORATION 0.5f

typedef unsigned long long Key;

struct Colony {
    const float *choice; // pheromone by closeness squared, for each pair of cities
    int cities, ants;
};

__host__ __device__ inline unsigned next_state(unsigned state)
{
    return state * 1664525u + 1013904223u;
}

__host__ __device__ inline float fraction(unsigned bits)
{
    return (float)(bits >> 8) * (1.0f / 16777216.0f);
}

// A draw that needs no state, as every city has its own at each step.
__host__ __device__ inline float draw(unsigned ant, unsigned step, unsigned city)
{
    unsigned x = ant * 0x9e3779b9u ^ (step * 128 + city) * 0x85ebca6bu;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return fraction(x ^ x >> 16);
}

__global__ void tours_plain(Colony c, unsigned char *visited, int *tours)
{
    int ant = blockIdx.x * blockDim.x + threadIdx.x;
    if (ant >= c.ants)
        return;
    unsigned char *seen = visited + ant * c.cities;
    int *tour = tours + ant * c.cities;
    for (int k = 0; k < c.cities; k++)
        seen[k] = 0;
    unsigned state = ant * 747796405u + 1;
    int city = ant % c.cities;
    tour[0] = city;
    seen[city] = 1;
    for (int step = 1; step < c.cities; step++) {
        float total = 0, sum = 0;
        for (int k = 0; k < c.cities; k++)
            if (!seen[k])
                total += c.choice[city * c.cities + k];
        state = next_state(state);
        float stop = fraction(state) * total;
        int chosen = -1;
        for (int k = 0; k < c.cities; k++)
            if (!seen[k]) {
                chosen = k;
                sum += c.choice[city * c.cities + k];
                if (sum >= stop)
                    break;
            }
        city = chosen;
        tour[step] = city;
        seen[city] = 1;
    }
}

__device__ __forceinline__ Key warp_max(Key key)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
        key = max(key, __shfl_xor_sync(0xffffffffu, key, mask));
    return key;
}

// Positive floats compare as their bits do; the lower city of equal ones.
__device__ __forceinline__ Key key_of(float value, int city)
{
    return (Key)__float_as_uint(value) << 32 | (unsigned)(MAX_CITIES - city);
}

// A thread a city. Two lines of keys, so that one barrier a step is enough.
__global__ void __launch_bounds__(MAX_CITIES) tours_block(Colony c, int *__restrict__ tours)
{
    __shared__ Key keys[2][MAX_CITIES / 32];
    const int k = threadIdx.x, ant = blockIdx.x, warps = blockDim.x / 32;
    int city = ant % c.cities;
    bool open = k < c.cities && k != city;
    if (k == 0)
        tours[ant * c.cities] = city;
    for (int step = 1; step < c.cities; step++) {
        Key key = 0;
        if (open)
            key = key_of(draw(ant, step, k) * __ldg(&c.choice[city * c.cities + k]), k);
        key = warp_max(key);
        if (k % 32 == 0)
            keys[step & 1][k / 32] = key;
        __syncthreads();
        for (int w = 0; w < warps; w++)
            key = max(key, keys[step & 1][w]);
        city = MAX_CITIES - (int)(key & 0xffffffffu);
        if (k == city) {
            open = false;
            tours[ant * c.cities + step] = city;
        }
    }
}

// Each lane has PER_LANE cities, a bit for each that is still open, and keeps every 32nd step for a store.
template <int PER_LANE> __global__ void tours_warp(Colony c, int *__restrict__ tours)
{
    const int lane = threadIdx.x & 31, ant = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (ant >= c.ants)
        return;
    int city = ant % c.cities, mine = lane == 0 ? city : 0;
    unsigned open = 0;
#pragma unroll
    for (int i = 0; i < PER_LANE; i++)
        if (i * 32 + lane < c.cities && i * 32 + lane != city)
            open |= 1u << i;
    for (int step = 1; step < c.cities; step++) {
        const float *row = c.choice + city * c.cities;
        Key key = 0;
#pragma unroll
        for (int i = 0; i < PER_LANE; i++) {
            const int k = i * 32 + lane;
            if (open >> i & 1)
                key = max(key, key_of(draw(ant, step, k) * __ldg(row + k), k));
        }
        city = MAX_CITIES - (int)(warp_max(key) & 0xffffffffu);
        if (city % 32 == lane)
            open &= ~(1u << city / 32);
        if (step % 32 == 0)
            tours[ant * c.cities + step - 32 + lane] = mine;
        if (step % 32 == lane)
            mine = city;
    }
    const int rest = (c.cities - 1) / 32 * 32 + lane;
    if (rest < c.cities)
        tours[ant * c.cities + rest] = mine;
}

// A warp a tour; also who follows whom, for the gather below.
__global__ void tour_lengths(const int *__restrict__ tours, const unsigned short *__restrict__ distance,
                             int *__restrict__ lengths, int *__restrict__ after, int cities, int ants)
{
    const int lane = threadIdx.x, ant = blockIdx.x * blockDim.y + threadIdx.y;
    if (ant >= ants)
        return;
    const int *tour = tours + ant * cities;
    int sum = 0;
    for (int k = lane; k < cities; k += 32) {
        const int from = tour[k], to = tour[k + 1 < cities ? k + 1 : 0];
        sum += distance[from * cities + to];
        after[ant * cities + from] = to;
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        lengths[ant] = sum;
}

// A block a tour: of all pairs of edges (i, i + 1) and (j, j + 1) the pair whose exchange saves most.
__global__ void __launch_bounds__(128)
    two_opt_best(const int *__restrict__ tours, const unsigned short *__restrict__ distance,
                 long long *__restrict__ moves, int cities)
{
    __shared__ int tour[MAX_CITIES + 1];
    __shared__ long long best_of_warp[4];
    for (int k = threadIdx.x; k <= cities; k += 128)
        tour[k] = tours[blockIdx.x * cities + (k < cities ? k : 0)];
    __syncthreads();
    long long best = 0;
    for (int i = threadIdx.x / 32; i < cities - 2; i += 4) {
        const unsigned short *a = distance + tour[i] * cities, *b = distance + tour[i + 1] * cities;
        const int old = a[tour[i + 1]];
        for (int j = i + 2 + threadIdx.x % 32; j < cities; j += 32) {
            const int p = tour[j], q = tour[j + 1];
            const int change = a[p] + b[q] - old - distance[p * cities + q];
            best = min(best, (long long)change * 65536 + i * 256 + j);
        }
    }
    for (int mask = 16; mask > 0; mask >>= 1)
        best = min(best, __shfl_xor_sync(0xffffffffu, best, mask));
    if (threadIdx.x % 32 == 0)
        best_of_warp[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x == 0)
        moves[blockIdx.x] = min(min(best, best_of_warp[1]), min(best_of_warp[2], best_of_warp[3]));
}

// A thread a step of a tour.
__global__ void deposit_atomic(const int *tours, const int *lengths, float *pheromone, int cities, int ants)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cities * ants)
        return;
    int ant = i / cities, k = i % cities;
    int from = tours[i], to = tours[ant * cities + (k + 1) % cities];
    float amount = 100.0f / lengths[ant];
    atomicAdd(&pheromone[from * cities + to], amount);
    atomicAdd(&pheromone[to * cities + from], amount);
}

// A thread a pair of cities, 32 x 8 a block; what follows its cities in 32 tours comes at once.
__global__ void __launch_bounds__(256)
    update_gather(const int *__restrict__ after, const int *__restrict__ lengths,
                  const float *__restrict__ pheromone, const float *__restrict__ closeness,
                  float *__restrict__ out, float *__restrict__ choice, int cities, int ants)
{
    __shared__ int of_row[32][8], of_column[32][33];
    __shared__ float amount[32];
    const int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * 32 + tx, i = blockIdx.y * 8 + ty;
    float sum = 0.0f;
    for (int first = 0; first < ants; first += 32) {
        const int count = min(32, ants - first);
        for (int a = ty; a < count; a += 8) {
            of_column[a][tx] = j < cities ? after[(first + a) * cities + j] : -1;
            const int row = blockIdx.y * 8 + tx;
            if (tx < 8)
                of_row[a][tx] = row < cities ? after[(first + a) * cities + row] : -1;
        }
        if (ty == 0 && tx < count)
            amount[tx] = 100.0f / lengths[first + tx];
        __syncthreads();
        for (int a = 0; a < count; a++)
            sum += of_row[a][ty] == j || of_column[a][tx] == i ? amount[a] : 0.0f;
        __syncthreads();
    }
    if (i >= cities || j >= cities)
        return;
    const int cell = i * cities + j;
    const float now = (1.0f - EVAPORATION) * pheromone[cell] + sum, near = closeness[cell];
    out[cell] = now;
    choice[cell] = now * near * near;
}

int main(int argc, char **argv)
{
    const int n = std::min(std::max(argument(argc, argv, 1, 20), 4), MAX_CITIES),
              rounds = argument(argc, argv, 2, 1), ants = 8 * n, pairs = n * n, steps = ants * n;
    const std::vector<float> place = units(2 * n, 1), pheromone = units(pairs, 2);
    std::vector<float> closeness(pairs), choice(pairs), deposited(pairs), updated(pairs), new_choice(pairs);
    std::vector<unsigned short> distance(pairs);
    for (int k = 0; k < pairs; k++) {
        const float dx = place[k / n * 2] - place[k % n * 2];
        const float dy = place[k / n * 2 + 1] - place[k % n * 2 + 1];
        distance[k] = (unsigned short)(1000.0f * sqrtf(dx * dx + dy * dy) + 0.5f);
        closeness[k] = 100.0f / (distance[k] + 10.0f);
        choice[k] = pheromone[k] * closeness[k] * closeness[k];
    }
    std::vector<int> wheel, drawn, lengths(ants), after(steps);
    std::vector<long long> moves(ants);
    for (int ant = 0; ant < ants; ant++) {
        for (const bool by_wheel : {true, false}) {
            std::vector<int> &tours = by_wheel ? wheel : drawn;
            std::vector<char> seen(n);
            unsigned state = ant * 747796405u + 1;
            int city = ant % n;
            for (int step = 1;; step++) {
                tours.push_back(city);
                seen[city] = 1;
                if (step == n)
                    break;
                const float *row = &choice[city * n];
                float total = 0, sum = 0, best = -1;
                for (int k = 0; k < n; k++)
                    total += seen[k] ? 0 : row[k];
                state = next_state(state);
                const float stop = fraction(state) * total;
                for (int k = 0; k < n && !(by_wheel && best >= stop); k++) {
                    sum += seen[k] ? 0 : row[k];
                    const float mark = by_wheel ? sum : draw(ant, step, k) * row[k];
                    if (!seen[k] && (by_wheel || mark > best)) {
                        city = k;
                        best = mark;
                    }
                }
            }
        }
        const int *tour = &drawn[ant * n];
        for (int i = 0; i < n; i++) {
            const int from = tour[i], to = tour[(i + 1) % n];
            lengths[ant] += distance[from * n + to];
            after[ant * n + from] = to;
            for (int j = i + 2; j < n; j++) {
                const int p = tour[j], q = tour[(j + 1) % n];
                const int change = distance[from * n + p] + distance[to * n + q] - distance[from * n + to] -
                                   distance[p * n + q];
                moves[ant] = std::min(moves[ant], (long long)change * 65536 + i * 256 + j);
            }
        }
        for (int i = 0; i < n; i++) {
            deposited[tour[i] * n + after[ant * n + tour[i]]] += 100.0f / lengths[ant];
            deposited[after[ant * n + tour[i]] * n + tour[i]] += 100.0f / lengths[ant];
        }
    }
    for (int k = 0; k < pairs; k++) {
        updated[k] = (1.0f - EVAPORATION) * pheromone[k] + deposited[k];
        new_choice[k] = updated[k] * closeness[k] * closeness[k];
        deposited[k] += pheromone[k];
    }
    const Colony colony = {to_device(choice), n, ants};
    const float *dpheromone = to_device(pheromone), *dclose = to_device(closeness);
    const unsigned short *ddistance = to_device(distance);
    unsigned char *visited = device_zeros<unsigned char>(steps);
    int *tours[3], *dlengths = device_zeros<int>(ants), *dafter = device_zeros<int>(steps);
    float *sums[3];
    for (int k = 0; k < 3; k++) {
        tours[k] = device_zeros<int>(steps);
        sums[k] = device_zeros<float>(pairs);
    }
    long long *dmoves = device_zeros<long long>(ants);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(pairs, 256), 256>>>(sums[0], dpheromone, pairs);
        tours_plain<<<ceil_div(ants, 64), 64>>>(colony, visited, tours[0]);
        tours_block<<<ants, ceil_div(n, 32) * 32>>>(colony, tours[1]);
        if (n <= 64)
            tours_warp<2><<<ceil_div(ants, 4), 128>>>(colony, tours[2]);
        else
            tours_warp<4><<<ceil_div(ants, 4), 128>>>(colony, tours[2]);
        tour_lengths<<<ceil_div(ants, 4), dim3(32, 4)>>>(tours[2], ddistance, dlengths, dafter, n, ants);
        two_opt_best<<<ants, 128>>>(tours[1], ddistance, dmoves, n);
        deposit_atomic<<<ceil_div(steps, 256), 256>>>(tours[1], dlengths, sums[0], n, ants);
        update_gather<<<dim3(ceil_div(n, 32), ceil_div(n, 8)), dim3(32, 8)>>>(
            dafter, dlengths, dpheromone, dclose, sums[1], sums[2], n, ants);
    }
    expect("tours_plain", tours[0], wheel);
    expect("tours_block", tours[1], drawn);
    expect("tours_warp", tours[2], drawn);
    expect("tour_lengths", dlengths, lengths);
    expect("tour_lengths", dafter, after);
    expect("two_opt_best", dmoves, moves);
    expect("deposit_atomic", sums[0], deposited, 1e-4);
    expect("update_gather", sums[1], updated, 1e-4);
    expect("update_gather", sums[2], new_choice, 1e-4);
    return verdict();
}
