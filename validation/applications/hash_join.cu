// A database join of orders with customers by key, and sums by the customers' group: a table in global memory that is
// built and probed, a join that counts first and then writes its pairs in order, one by partitions in shared memory;
// the sums by atomics in global memory and in a copy a block.
#include "common.h"
#include <unordered_map>

#define EMPTY 0xffffffffffffffffull
#define NO_KEY 0xffffffffu
#define GROUPS 512
#define BLOCK 256
#define PARTITION_ROWS 512
#define PARTITION_SLOTS 1024

__host__ __device__ inline unsigned mix(unsigned key)
{
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    return key ^ (key >> 16);
}

// The group of a key, or -1; a slot has the key above and the group below.
__device__ inline int find(const unsigned long long *__restrict__ slots, unsigned mask,
                           unsigned key)
{
    for (unsigned at = mix(key) & mask;; at = (at + 1) & mask) {
        const unsigned long long slot = slots[at];
        if ((unsigned)(slot >> 32) == key)
            return (int)(unsigned)slot;
        if (slot == EMPTY)
            return -1;
    }
}

// A thread puts a customer in the first free slot from its key's on.
__global__ void build_table(const unsigned *keys, const int *groups, unsigned long long *slots,
                            unsigned mask, int customers)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= customers)
        return;
    const unsigned long long entry = (unsigned long long)keys[i] << 32 | (unsigned)groups[i];
    unsigned at = mix(keys[i]) & mask;
    while (atomicCAS(&slots[at], EMPTY, entry) != EMPTY)
        at = (at + 1) & mask;
}

// The group of each order, or -1.
__global__ void probe_table(const unsigned *keys, const unsigned long long *slots, unsigned mask,
                            int *found, int orders)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < orders)
        found[i] = find(slots, mask, keys[i]);
}

// How many orders of each block have a customer.
__global__ void count_matches(const unsigned *__restrict__ keys,
                              const unsigned long long *__restrict__ slots, unsigned mask,
                              int *__restrict__ counts, int orders)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const bool match = i < orders && find(slots, mask, keys[i]) >= 0;
    const int count = __syncthreads_count(match);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

// One block of 1024: place k + 1 becomes the sum of the counts up to k.
__global__ void scan_counts(const int *counts, int *places, int count)
{
    __shared__ int sums[1024];
    const int t = threadIdx.x;
    int before = 0;
    for (int first = 0; first < count; first += 1024) {
        sums[t] = first + t < count ? counts[first + t] : 0;
        __syncthreads();
        for (int step = 1; step < 1024; step *= 2) {
            const int other = t >= step ? sums[t - step] : 0;
            __syncthreads();
            sums[t] += other;
            __syncthreads();
        }
        if (first + t < count)
            places[first + t + 1] = before + sums[t];
        before += sums[1023];
        __syncthreads();
    }
    if (t == 0)
        places[0] = 0;
}

// Probes again and writes the pairs (order, group) side by side, in the orders' order.
__global__ void write_matches(const unsigned *__restrict__ keys,
                              const unsigned long long *__restrict__ slots, unsigned mask,
                              const int *__restrict__ places, int2 *__restrict__ pairs, int orders)
{
    __shared__ int warp_counts[BLOCK / 32];
    const int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32,
              warp = threadIdx.x / 32;
    const int group = i < orders ? find(slots, mask, keys[i]) : -1;
    const unsigned matches = __ballot_sync(0xffffffffu, group >= 0);
    if (lane == 0)
        warp_counts[warp] = __popc(matches);
    __syncthreads();
    if (group < 0)
        return;
    int place = places[blockIdx.x] + __popc(matches & ((1u << lane) - 1));
    for (int w = 0; w < warp; w++)
        place += warp_counts[w];
    pairs[place] = make_int2(i, group);
}

// A block joins a partition: its customers go to a table in shared memory, its orders look there.
__global__ void __launch_bounds__(128)
    join_partitions(const uint2 *__restrict__ customers, const int *__restrict__ customer_start,
                    const uint2 *__restrict__ orders, const int *__restrict__ order_start,
                    int *__restrict__ found)
{
    __shared__ unsigned keys[PARTITION_SLOTS];
    __shared__ int groups[PARTITION_SLOTS];
    for (int k = threadIdx.x; k < PARTITION_SLOTS; k += 128)
        keys[k] = NO_KEY;
    __syncthreads();
    const int last = customer_start[blockIdx.x + 1], end = order_start[blockIdx.x + 1];
    for (int k = customer_start[blockIdx.x] + threadIdx.x; k < last; k += 128) {
        const uint2 customer = customers[k];
        unsigned at = mix(customer.x) >> 16 & (PARTITION_SLOTS - 1);
        while (atomicCAS(&keys[at], NO_KEY, customer.x) != NO_KEY)
            at = (at + 1) & (PARTITION_SLOTS - 1);
        groups[at] = (int)customer.y;
    }
    __syncthreads();
    for (int k = order_start[blockIdx.x] + threadIdx.x; k < end; k += 128) {
        const uint2 order = orders[k];
        unsigned at = mix(order.x) >> 16 & (PARTITION_SLOTS - 1);
        while (keys[at] != order.x && keys[at] != NO_KEY)
            at = (at + 1) & (PARTITION_SLOTS - 1);
        found[order.y] = keys[at] == order.x ? groups[at] : -1;
    }
}

// Number of orders and sum of amounts of each group, by atomics in global memory.
__global__ void group_global(const int *found, const unsigned *amounts, unsigned *counts,
                             unsigned *sums, int orders)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= orders || found[i] < 0)
        return;
    atomicAdd(&counts[found[i]], 1u);
    atomicAdd(&sums[found[i]], amounts[i]);
}

// The same in a copy a block, of which only what is not 0 is added to the result.
__global__ void __launch_bounds__(BLOCK)
    group_shared(const int *__restrict__ found, const unsigned *__restrict__ amounts,
                 unsigned *__restrict__ counts, unsigned *__restrict__ sums, int orders)
{
    __shared__ unsigned block_counts[GROUPS], block_sums[GROUPS];
    for (int g = threadIdx.x; g < GROUPS; g += BLOCK)
        block_counts[g] = block_sums[g] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < orders; i += gridDim.x * BLOCK) {
        const int group = found[i];
        if (group >= 0) {
            atomicAdd(&block_counts[group], 1u);
            atomicAdd(&block_sums[group], amounts[i]);
        }
    }
    __syncthreads();
    for (int g = threadIdx.x; g < GROUPS; g += BLOCK)
        if (block_counts[g] > 0) {
            atomicAdd(&counts[g], block_counts[g]);
            atomicAdd(&sums[g], block_sums[g]);
        }
}

// Rows (key, value) by partitions, the rows of one in their order; start gets where each begins.
static std::vector<uint2> partitioned(const std::vector<uint2> &rows, int parts,
                                      std::vector<int> &start)
{
    start.assign(parts + 1, 0);
    for (const uint2 &row : rows)
        start[(mix(row.x) & (parts - 1)) + 1]++;
    for (int p = 0; p < parts; p++)
        start[p + 1] += start[p];
    std::vector<int> next(start);
    std::vector<uint2> result(rows.size());
    for (const uint2 &row : rows)
        result[next[mix(row.x) & (parts - 1)]++] = row;
    return result;
}

int main(int argc, char **argv)
{
    const int orders = argument(argc, argv, 1, 4096), rounds = argument(argc, argv, 2, 1),
              customers = orders / 4 + 1, blocks = ceil_div(orders, BLOCK);
    std::vector<unsigned> keys(customers), order_keys(orders), amounts(orders), want_counts(GROUPS),
        want_sums(GROUPS);
    std::vector<int> groups(customers), want_found(orders), want_pairs, start, order_start;
    std::vector<uint2> rows(customers), order_rows(orders), parted;
    std::unordered_map<unsigned, int> group_of;
    for (int i = 0; i < customers; i++) {
        keys[i] = (unsigned)i * 2654435761u & 0x7fffffffu; // all different, as the factor is odd
        groups[i] = hash32(i + 17) % GROUPS;
        group_of[keys[i]] = groups[i];
        rows[i] = make_uint2(keys[i], groups[i]);
    }
    for (int i = 0; i < orders; i++) {
        // A quarter has no customer, and of the others half are of few customers.
        const unsigned h = hash32(i + 1000003), r = hash32(h);
        const unsigned who = h % 4 == 0  ? customers + r % customers
                             : h % 8 < 4 ? r % (customers / 8 + 1)
                                         : r % customers;
        order_keys[i] = who * 2654435761u & 0x7fffffffu;
        amounts[i] = r >> 20;
        order_rows[i] = make_uint2(order_keys[i], i);
        const auto match = group_of.find(order_keys[i]);
        want_found[i] = match == group_of.end() ? -1 : match->second;
        if (want_found[i] >= 0) {
            want_pairs.insert(want_pairs.end(), {i, want_found[i]});
            want_counts[want_found[i]]++;
            want_sums[want_found[i]] += amounts[i];
        }
    }
    int parts = 1, largest = customers, slots = 2;
    for (parted = partitioned(rows, parts, start); largest > PARTITION_ROWS;) {
        parts *= 2;
        parted = partitioned(rows, parts, start);
        largest = 0;
        for (int p = 0; p < parts; p++)
            largest = std::max(largest, start[p + 1] - start[p]);
    }
    while (slots < 2 * customers)
        slots *= 2;
    const unsigned mask = slots - 1;
    const uint2 *dparted = to_device(parted),
                *dorder_parted = to_device(partitioned(order_rows, parts, order_start));
    const int *dstart = to_device(start), *dorder_start = to_device(order_start),
              *dgroups = to_device(groups);
    const unsigned *dkeys = to_device(keys), *dorder_keys = to_device(order_keys),
                   *damounts = to_device(amounts);
    unsigned long long *dslots = device_zeros<unsigned long long>(slots);
    int *found = device_zeros<int>(orders), *found_parts = device_zeros<int>(orders),
        *counts = device_zeros<int>(blocks), *places = device_zeros<int>(blocks + 1),
        *pairs = device_zeros<int>(2 * (size_t)orders);
    unsigned *totals = device_zeros<unsigned>(4 * GROUPS);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(slots, 256), 256>>>(dslots, EMPTY, slots);
        fill_array<<<ceil_div(4 * GROUPS, 256), 256>>>(totals, 0u, 4 * GROUPS);
        build_table<<<ceil_div(customers, 256), 256>>>(dkeys, dgroups, dslots, mask, customers);
        probe_table<<<ceil_div(orders, 256), 256>>>(dorder_keys, dslots, mask, found, orders);
        count_matches<<<blocks, BLOCK>>>(dorder_keys, dslots, mask, counts, orders);
        scan_counts<<<1, 1024>>>(counts, places, blocks);
        write_matches<<<blocks, BLOCK>>>(dorder_keys, dslots, mask, places, (int2 *)pairs, orders);
        join_partitions<<<parts, 128>>>(dparted, dstart, dorder_parted, dorder_start, found_parts);
        group_global<<<ceil_div(orders, 256), 256>>>(found, damounts, totals, totals + GROUPS,
                                                     orders);
        group_shared<<<ceil_div(orders, 8 * BLOCK), BLOCK>>>(found, damounts, totals + 2 * GROUPS,
                                                             totals + 3 * GROUPS, orders);
    }
    expect("probe_table", found, want_found);
    expect("scan_counts", places + blocks, std::vector<int>(1, (int)want_pairs.size() / 2));
    expect("write_matches", pairs, want_pairs);
    expect("join_partitions", found_parts, want_found);
    for (int k = 0; k < 4; k++)
        expect(k < 2 ? "group_global" : "group_shared", totals + k * GROUPS,
               k % 2 ? want_sums : want_counts);
    return verdict();
}
