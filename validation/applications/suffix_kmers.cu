// k-mers of a genome and seeds of reads: bases packed 16 a word, short k-mers counted in a table, longer canonical ones
// in a hash table, minimizers, and the exact seeds of reads searched in a suffix array.
#include "common.h"
#include <string>
#include <unordered_map>

#define SHORT_K 8
#define LONG_K 21
#define MINIMIZER_K 12
#define WINDOW 16
#define SEED 20
#define SEEDS 4
#define READ_WORDS 6
#define READ_LENGTH (16 * READ_WORDS)
#define NO_KMER 0xffffffffffffffffull
#define BLOCK 256

__host__ __device__ inline unsigned code(char base)
{
    return base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : 3;
}

__host__ __device__ inline unsigned long long mix(unsigned long long x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    return x ^ (x >> 29);
}

// Of 32 bases from position on, the first above; words beyond the last base are there and 0.
__device__ inline unsigned long long bases_at(const unsigned *__restrict__ packed, int position)
{
    const int word = position / 16, shift = 2 * (position % 16);
    const unsigned a = packed[word], b = packed[word + 1], c = packed[word + 2];
    return (unsigned long long)__funnelshift_l(b, a, shift) << 32 | __funnelshift_l(c, b, shift);
}

// The smaller of a k-mer of LONG_K bases and its reverse complement.
__device__ inline unsigned long long canonical(unsigned long long kmer)
{
    unsigned long long turned = __brevll(~kmer);
    turned = (turned >> 1 & 0x5555555555555555ull) | (turned & 0x5555555555555555ull) << 1;
    return min(kmer, turned >> (64 - 2 * LONG_K));
}

// A thread 16 letters, the first highest in its word.
__global__ void pack_bases(const uchar4 *__restrict__ letters, unsigned *__restrict__ packed,
                           int words)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words)
        return;
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const uchar4 four = letters[4 * i + k];
        word = word << 8 | code(four.x) << 6 | code(four.y) << 4 | code(four.z) << 2 | code(four.w);
    }
    packed[i] = word;
}

// A thread a position: SHORT_K letters, one counter of 65536.
__global__ void count_short(const char *letters, unsigned *counts, int positions)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions)
        return;
    unsigned kmer = 0;
    for (int k = 0; k < SHORT_K; k++)
        kmer = kmer << 2 | code(letters[i + k]);
    atomicAdd(&counts[kmer], 1u);
}

// A thread a position: the slot of its canonical k-mer, by linear probing, counts.
__global__ void count_hashed(const unsigned *__restrict__ packed, unsigned long long *kmers,
                             unsigned *counts, unsigned mask, int positions)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions)
        return;
    const unsigned long long kmer = canonical(bases_at(packed, i) >> (64 - 2 * LONG_K));
    unsigned at = (unsigned)mix(kmer) & mask;
    while (true) {
        const unsigned long long there = atomicCAS(&kmers[at], NO_KMER, kmer);
        if (there == NO_KMER || there == kmer)
            break;
        at = (at + 1) & mask;
    }
    atomicAdd(&counts[at], 1u);
}

// How often the k-mer of each position occurs.
__global__ void look_up(const unsigned *__restrict__ packed,
                        const unsigned long long *__restrict__ kmers,
                        const unsigned *__restrict__ counts, unsigned mask,
                        unsigned *__restrict__ abundance, int positions)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions)
        return;
    const unsigned long long kmer = canonical(bases_at(packed, i) >> (64 - 2 * LONG_K));
    unsigned at = (unsigned)mix(kmer) & mask;
    while (kmers[at] != kmer)
        at = (at + 1) & mask;
    abundance[i] = counts[at];
}

// A thread a window of WINDOW k-mers: the position of the one with the smallest hash, of equal ones the first.
__global__ void __launch_bounds__(BLOCK)
    minimizers(const unsigned *__restrict__ packed, int *__restrict__ smallest, int windows)
{
    __shared__ unsigned hashes[BLOCK + WINDOW - 1];
    const int first = blockIdx.x * BLOCK, count = min(BLOCK, windows - first);
    for (int k = threadIdx.x; k < count + WINDOW - 1; k += BLOCK)
        hashes[k] = (unsigned)mix(bases_at(packed, first + k) >> (64 - 2 * MINIMIZER_K));
    __syncthreads();
    if (threadIdx.x >= count)
        return;
    int best = threadIdx.x;
#pragma unroll
    for (int k = 1; k < WINDOW; k++)
        if (hashes[threadIdx.x + k] < hashes[best])
            best = threadIdx.x + k;
    smallest[first + threadIdx.x] = first + best;
}

// A thread a seed of a read: two searches in the suffix array give its first rank and how often it occurs.
__global__ void find_seeds(const unsigned *__restrict__ packed, const int *__restrict__ suffixes,
                           const unsigned *__restrict__ reads, int2 *__restrict__ found, int seeds,
                           int length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= seeds)
        return;
    const unsigned long long seed =
        bases_at(reads + i / SEEDS * READ_WORDS, i % SEEDS * SEED) >> (64 - 2 * SEED);
    int bounds[2];
#pragma unroll
    for (int side = 0; side < 2; side++) {
        int low = side == 0 ? 0 : bounds[0], high = length;
        while (low < high) {
            const int middle = (low + high) / 2, position = suffixes[middle];
            const unsigned long long there = bases_at(packed, position) >> (64 - 2 * SEED);
            // A suffix that ends within the seed is before it, even if zeros make it equal.
            if (there < seed || (there == seed && (side == 1 || position + SEED > length)))
                low = middle + 1;
            else
                high = middle;
        }
        bounds[side] = low;
    }
    found[i] =
        bounds[1] > bounds[0] ? make_int2(bounds[0], bounds[1] - bounds[0]) : make_int2(-1, 0);
}

int main(int argc, char **argv)
{
    const int length = argument(argc, argv, 1, 4096) + 255, rounds = argument(argc, argv, 2, 1),
              reads = length / 64, seeds = reads * SEEDS, shorts = length - SHORT_K + 1,
              longs = length - LONG_K + 1, windows = length - MINIMIZER_K + 1 - WINDOW + 1,
              words = ceil_div(length, 16);
    // Random bases; a piece of 512 in eight is an earlier one again, with a base in 64 changed.
    std::string genome(length, 'A');
    for (int i = 0; i < length; i++) {
        const unsigned h = hash32(i + 5), piece = i / 512, p = hash32(piece + 333);
        const bool again = piece > 0 && p % 8 == 0 && h % 64 != 0;
        genome[i] = again ? genome[(p / 8 % piece) * 512 + i % 512] : "ACGT"[h >> 9 & 3];
    }
    std::string letters = genome + std::string(16 * words - length, 'A'), all_reads;
    std::vector<unsigned> read_words(reads * READ_WORDS), want_packed(words),
        want_short(1 << (2 * SHORT_K)), want_abundance(longs);
    for (int r = 0; r < reads; r++) {
        const int from = hash32(r + 777) % (length - READ_LENGTH + 1);
        for (int k = 0; k < READ_LENGTH; k++) {
            // Every eighth read is of nowhere; the others have a base in 32 changed.
            const unsigned h = hash32(r * READ_LENGTH + k + 999);
            const char base = r % 8 == 7 || h % 32 == 0 ? "ACGT"[h >> 9 & 3] : genome[from + k];
            all_reads += base;
            read_words[r * READ_WORDS + k / 16] |= code(base) << (30 - k % 16 * 2);
        }
    }
    for (int i = 0; i < 16 * words; i++)
        want_packed[i / 16] |= code(letters[i]) << (30 - i % 16 * 2);
    std::unordered_map<std::string, unsigned> often;
    std::vector<std::string> names(longs);
    for (int i = 0; i < longs; i++) {
        std::string turned(LONG_K, 'A');
        for (int k = 0; k < LONG_K; k++)
            turned[LONG_K - 1 - k] = "TGCA"[code(genome[i + k])];
        names[i] = std::min(genome.substr(i, LONG_K), turned);
        often[names[i]]++;
    }
    for (int i = 0; i < longs; i++)
        want_abundance[i] = often[names[i]];
    for (int i = 0; i < shorts; i++) {
        unsigned kmer = 0;
        for (int k = 0; k < SHORT_K; k++)
            kmer += code(genome[i + k]) << 2 * (SHORT_K - 1 - k);
        want_short[kmer]++;
    }
    std::vector<int> want_smallest(windows), suffixes(length), want_found;
    std::vector<unsigned> hashes(length);
    for (int i = 0; i + MINIMIZER_K <= length; i++) {
        unsigned long long kmer = 0;
        for (int k = 0; k < MINIMIZER_K; k++)
            kmer = 4 * kmer + code(genome[i + k]);
        hashes[i] = (unsigned)mix(kmer);
    }
    for (int i = 0; i < windows; i++)
        want_smallest[i] = (int)(std::min_element(&hashes[i], &hashes[i] + WINDOW) - &hashes[0]);
    for (int i = 0; i < length; i++)
        suffixes[i] = i;
    std::sort(suffixes.begin(), suffixes.end(), [&](int a, int b) {
        return genome.compare(a, std::string::npos, genome, b, std::string::npos) < 0;
    });
    std::unordered_map<std::string, int2> ranks;
    for (int i = 0; i < length; i++)
        if (suffixes[i] + SEED <= length)
            ranks.insert({genome.substr(suffixes[i], SEED), make_int2(i, 0)}).first->second.y++;
    for (int i = 0; i < seeds; i++) {
        const auto rank =
            ranks.find(all_reads.substr(i / SEEDS * READ_LENGTH + i % SEEDS * SEED, SEED));
        const int2 want = rank == ranks.end() ? make_int2(-1, 0) : rank->second;
        want_found.insert(want_found.end(), {want.x, want.y});
    }
    int slots = 2;
    while (slots < 2 * longs)
        slots *= 2;
    const char *dletters = to_device(std::vector<char>(letters.begin(), letters.end()));
    const unsigned *dreads = to_device(read_words);
    const int *dsuffixes = to_device(suffixes);
    unsigned *packed = device_zeros<unsigned>(words + 2), *counts = device_zeros<unsigned>(slots),
             *shorts_out = device_zeros<unsigned>(want_short.size()),
             *abundance = device_zeros<unsigned>(longs);
    unsigned long long *kmers = device_zeros<unsigned long long>(slots);
    int *smallest = device_zeros<int>(windows), *found = device_zeros<int>(2 * seeds);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(slots, 256), 256>>>(kmers, NO_KMER, slots);
        fill_array<<<ceil_div(slots, 256), 256>>>(counts, 0u, slots);
        fill_array<<<256, 256>>>(shorts_out, 0u, 65536);
        pack_bases<<<ceil_div(words, 128), 128>>>((const uchar4 *)dletters, packed, words);
        count_short<<<ceil_div(shorts, 256), 256>>>(dletters, shorts_out, shorts);
        count_hashed<<<ceil_div(longs, 256), 256>>>(packed, kmers, counts, slots - 1, longs);
        look_up<<<ceil_div(longs, 256), 256>>>(packed, kmers, counts, slots - 1, abundance, longs);
        minimizers<<<ceil_div(windows, BLOCK), BLOCK>>>(packed, smallest, windows);
        find_seeds<<<ceil_div(seeds, 128), 128>>>(packed, dsuffixes, dreads, (int2 *)found, seeds,
                                                  length);
    }
    expect("pack_bases", packed, want_packed);
    expect("count_short", shorts_out, want_short);
    expect("look_up", abundance, want_abundance);
    expect("minimizers", smallest, want_smallest);
    expect("find_seeds", found, want_found);
    return verdict();
}
