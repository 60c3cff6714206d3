// Pictures in many Huffman-coded streams: decoded bit by bit, by a table of 12 bits in global memory, and by one in
// shared memory from interleaved words; then dequantised and transformed, a thread a value or eight threads a block.
#include "common.h"

#define BLOCKS 8 // of 8 x 8 values, a stream
#define LONGEST 12
#define ENTRIES (1 << LONGEST)

// For each length of code: the first code, how many there are, and where their symbols begin.
struct Lengths {
    int first[LONGEST + 1], count[LONGEST + 1], begin[LONGEST + 1];
};

// A value of size bits as JPEG has it: without a leading 1 it is negative.
__device__ inline int extend(unsigned bits, int size)
{
    return size > 0 && bits < 1u << (size - 1) ? (int)bits - (1 << size) + 1 : (int)bits;
}

// A thread a stream; the codes of a length are consecutive numbers. A symbol is 16 * zeros before the value + its bits.
__global__ void decode_bits(const unsigned *words, const int *start, const Lengths *lengths,
                            const unsigned char *symbols, const unsigned char *zigzag,
                            short *values, int streams)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= streams)
        return;
    const unsigned *stream = words + start[s];
    int at = 0, dc = 0;
    for (int b = 0; b < BLOCKS; b++) {
        short *block = values + (s * BLOCKS + b) * 64;
        for (int k = 0; k < 64; k++) {
            int code = 0, length = 0;
            do {
                code = 2 * code + (stream[at / 32] >> (31 - at % 32) & 1);
                at++;
                length++;
            } while (code - lengths->first[length] >= lengths->count[length]);
            const int symbol = symbols[lengths->begin[length] + code - lengths->first[length]];
            if (k > 0 && symbol == 0)
                break;
            unsigned bits = 0;
            for (int i = 0; i < symbol % 16; i++, at++)
                bits = 2 * bits + (stream[at / 32] >> (31 - at % 32) & 1);
            k += symbol / 16;
            if (k == 0)
                dc += extend(bits, symbol % 16);
            block[zigzag[k]] = (short)(k == 0 ? dc : extend(bits, symbol % 16));
        }
    }
}

// The stream's words, every STRIDE-th; up to 63 bits wait in a buffer.
template <int STRIDE> struct Reader {
    const unsigned *next;
    unsigned long long buffer;
    int held;

    // A symbol by its table entry (length above, symbol below), then the bits of its value.
    __device__ inline int symbol(const unsigned short *table, int *value)
    {
        if (held < 32) {
            buffer = buffer << 32 | *next;
            next += STRIDE;
            held += 32;
        }
        const int entry = table[(unsigned)(buffer >> (held - LONGEST)) & (ENTRIES - 1)],
                  size = entry & 15;
        held -= (entry >> 8) + size;
        *value = extend((unsigned)(buffer >> held) & ((1u << size) - 1), size);
        return entry & 255;
    }

    __device__ inline void decode(const unsigned short *table, const unsigned char *zigzag,
                                  short *values)
    {
        int dc = 0, value;
        for (int b = 0; b < BLOCKS; b++) {
            symbol(table, &value);
            dc += value;
            values[64 * b] = (short)dc;
            for (int k = 1; k < 64; k++) {
                const int which = symbol(table, &value);
                if (which == 0)
                    break;
                k += which >> 4;
                values[64 * b + zigzag[k]] = (short)value;
            }
        }
    }
};

// A thread a stream, by one look into the table a symbol.
__global__ void decode_table(const unsigned *__restrict__ words, const int *__restrict__ start,
                             const unsigned short *__restrict__ table,
                             const unsigned char *__restrict__ zigzag, short *__restrict__ values,
                             int streams)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= streams)
        return;
    Reader<1> reader = {words + start[s], 0, 0};
    reader.decode(table, zigzag, values + s * BLOCKS * 64);
}

// The tables in shared memory; word i of the 32 streams of a warp lie side by side.
__global__ void __launch_bounds__(64)
    decode_interleaved(const unsigned *__restrict__ words, const int *__restrict__ start,
                       const uint4 *__restrict__ table, const unsigned char *__restrict__ zigzag,
                       short *__restrict__ values, int streams)
{
    __shared__ uint4 shared_table[ENTRIES / 8];
    __shared__ unsigned char shared_zigzag[64];
    for (int k = threadIdx.x; k < ENTRIES / 8; k += 64)
        shared_table[k] = table[k];
    shared_zigzag[threadIdx.x] = zigzag[threadIdx.x];
    __syncthreads();
    const int s = blockIdx.x * 64 + threadIdx.x;
    if (s >= streams)
        return;
    Reader<32> reader = {words + start[s / 32] + s % 32, 0, 0};
    reader.decode((const unsigned short *)shared_table, shared_zigzag, values + s * BLOCKS * 64);
}

__device__ inline unsigned to_byte(float value)
{
    return (unsigned)min(max(__float2int_rn(value + 128.0f), 0), 255);
}

// A thread a value: dequantised, then eight products a row and eight a column; basis is 8 frequencies by 8 places.
__global__ void transform_values(const short *values, const float *quants, const float *basis,
                                 unsigned char *out, int count)
{
    __shared__ float waves[64], from[4][64], rows[4][64];
    int t = threadIdx.x, b = threadIdx.y, x = t % 8, y = t / 8;
    int i = (blockIdx.x * 4 + b) * 64 + t;
    if (b == 0)
        waves[t] = basis[t];
    from[b][t] = i < count ? values[i] * quants[t] : 0;
    __syncthreads();
    float sum = 0;
    for (int u = 0; u < 8; u++)
        sum += from[b][8 * y + u] * waves[8 * u + x];
    rows[b][t] = sum;
    __syncthreads();
    sum = 0;
    for (int v = 0; v < 8; v++)
        sum += rows[b][8 * v + x] * waves[8 * v + y];
    if (i < count)
        out[i] = (unsigned char)to_byte(sum);
}

// Eight values in registers, by even and odd frequencies; c_k is half the cosine of k pi / 16.
__device__ inline void transform8(float (&v)[8])
{
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f,
                c5 = 0.27778512f, c6 = 0.19134172f, c7 = 0.09754516f;
    const float a = c4 * (v[0] + v[4]), b = c4 * (v[0] - v[4]), c = c2 * v[2] + c6 * v[6],
                d = c6 * v[2] - c2 * v[6];
    const float even[4] = {a + c, b + d, b - d, a - c};
    const float odd[4] = {c1 * v[1] + c3 * v[3] + c5 * v[5] + c7 * v[7],
                          c3 * v[1] - c7 * v[3] - c1 * v[5] - c5 * v[7],
                          c5 * v[1] - c1 * v[3] + c7 * v[5] + c3 * v[7],
                          c7 * v[1] - c5 * v[3] + c3 * v[5] - c1 * v[7]};
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = even[k] + odd[k];
        v[7 - k] = even[k] - odd[k];
    }
}

// Eight threads a block of values: a row each by one load, a column each from shared memory, a row of bytes each.
__global__ void __launch_bounds__(128)
    transform_rows(const uint4 *__restrict__ values, const float4 *__restrict__ quants,
                   uint2 *__restrict__ out, int rows)
{
    __shared__ float tile[16][8][9];
    const int t = threadIdx.x % 8, b = threadIdx.x / 8, i = blockIdx.x * 128 + threadIdx.x;
    const uint4 eight = i < rows ? values[i] : make_uint4(0, 0, 0, 0);
    const float4 low = quants[2 * t], high = quants[2 * t + 1];
    float v[8] = {(short)eight.x * low.x,  ((int)eight.x >> 16) * low.y,
                  (short)eight.y * low.z,  ((int)eight.y >> 16) * low.w,
                  (short)eight.z * high.x, ((int)eight.z >> 16) * high.y,
                  (short)eight.w * high.z, ((int)eight.w >> 16) * high.w};
    transform8(v);
#pragma unroll
    for (int k = 0; k < 8; k++)
        tile[b][t][k] = v[k];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 8; k++)
        v[k] = tile[b][k][t];
    transform8(v);
#pragma unroll
    for (int k = 0; k < 8; k++)
        tile[b][k][t] = v[k];
    __syncwarp();
    unsigned bytes[2] = {0, 0};
#pragma unroll
    for (int k = 0; k < 8; k++)
        bytes[k / 4] |= to_byte(tile[b][t][k]) << 8 * (k % 4);
    if (i < rows)
        out[i] = make_uint2(bytes[0], bytes[1]);
}

// A fixed list, as a file format has it: so many codes of each length, the shortest for the most frequent symbols.
static std::vector<int> code_lengths(const std::vector<int> &often)
{
    const int numbers[LONGEST + 1] = {0, 0, 1, 2, 3, 4, 5, 6, 0, 8, 0, 0, 192};
    std::vector<int> order, lengths(256);
    for (int s = 0; s < 256; s++)
        if (often[s] > 0)
            order.push_back(s);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return often[a] != often[b] ? often[a] > often[b] : a < b; });
    size_t rank = 0;
    for (int length = 1; length <= LONGEST; length++)
        for (int k = 0; k < numbers[length] && rank < order.size(); k++)
            lengths[order[rank++]] = length;
    return lengths;
}

static void expect_bytes(const char *what, const unsigned char *device,
                         const std::vector<double> &want)
{
    const std::vector<unsigned char> got = to_host(device, want.size());
    for (size_t i = 0; i < want.size(); i++) {
        if (fabs(got[i] - std::min(std::max(want[i], 0.0), 255.0)) <= 0.51)
            continue;
        printf("%s: byte %zu is %d, not %g\n", what, i, got[i], want[i]);
        wrong_arrays++;
        return;
    }
}

int main(int argc, char **argv)
{
    const int streams = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1),
              blocks = streams * BLOCKS, count = 64 * blocks;
    std::vector<unsigned char> zigzag, symbols;
    std::vector<float> quants(64), basis(64);
    for (int d = 0; d < 15; d++)
        for (int k = std::max(0, d - 7); k <= std::min(d, 7); k++)
            zigzag.push_back((unsigned char)(d % 2 ? 8 * k + d - k : 8 * (d - k) + k));
    for (int k = 0; k < 64; k++) {
        quants[k] = 10.0f + 3 * (k / 8 + k % 8);
        basis[k] =
            (float)(cos((2 * (k % 8) + 1) * (k / 8) * M_PI / 16) * (k < 8 ? sqrt(0.125) : 0.5));
    }
    // Values, and for each stream its symbols and bits: symbol << 16 | bits.
    std::vector<short> values(count);
    std::vector<std::vector<unsigned>> codes(streams);
    std::vector<int> often(256);
    for (int b = 0; b < blocks; b++) {
        int before = b % BLOCKS ? values[64 * b - 64] : 0, zeros = 0;
        for (int k = 0; k < 64; k++) {
            const unsigned h = hash32(64 * b + k + 4711);
            const int sign = h & 1 ? 1 : -1, range = 1 + 24 / (k + 1);
            int value = (int)(h >> 4) % (2 + k / 2 + (b % 5 == 0) * 40) == 0
                            ? sign * (int)(1 + (h >> 20) % range)
                            : 0;
            if (k == 0)
                value = (int)(h >> 8) % 81 - 40;
            values[64 * b + zigzag[k]] = (short)value;
            const int coded = k == 0 ? value - before : value;
            if (k > 0 && value == 0) {
                zeros++;
                continue;
            }
            for (; zeros > 15; zeros -= 16)
                codes[b / BLOCKS].push_back(0xf0u << 16);
            int size = 0;
            while (abs(coded) >> size)
                size++;
            const unsigned bits = coded < 0 ? coded + (1 << size) - 1 : coded;
            codes[b / BLOCKS].push_back((unsigned)(16 * zeros + size) << 16 | bits);
            zeros = 0;
        }
        if (zeros > 0)
            codes[b / BLOCKS].push_back(0);
    }
    for (const std::vector<unsigned> &stream : codes)
        for (unsigned code : stream)
            often[code >> 16]++;
    const std::vector<int> lengths = code_lengths(often);
    std::vector<unsigned short> table(ENTRIES);
    std::vector<Lengths> by_length(1);
    int code_of[256], code = 0;
    for (int length = 1; length <= LONGEST; length++, code *= 2) {
        by_length[0].first[length] = code;
        by_length[0].begin[length] = (int)symbols.size();
        for (int s = 0; s < 256; s++) {
            if (lengths[s] != length)
                continue;
            std::fill_n(table.begin() + (code << (LONGEST - length)), 1 << (LONGEST - length),
                        (unsigned short)(length << 8 | s));
            symbols.push_back((unsigned char)s);
            code_of[s] = code++;
            by_length[0].count[length]++;
        }
    }
    // The streams' words one after the other, each with a word to spare, and by groups of 32.
    std::vector<unsigned> words, interleaved;
    std::vector<int> start(1), group_start(1);
    for (int s = 0; s < streams; s++) {
        size_t at = 32 * words.size();
        for (unsigned c : codes[s]) {
            const int length = lengths[c >> 16], size = c >> 16 & 15;
            const unsigned all = (unsigned)code_of[c >> 16] << size | (c & 0xffff);
            for (int k = length + size - 1; k >= 0; k--, at++) {
                words.resize(at / 32 + 1);
                words[at / 32] |= (all >> k & 1) << (31 - at % 32);
            }
        }
        words.push_back(0);
        start.push_back((int)words.size());
        if (s % 32 < 31 && s < streams - 1)
            continue;
        int longest = 0;
        for (int k = s / 32 * 32; k <= s; k++)
            longest = std::max(longest, start[k + 1] - start[k]);
        interleaved.resize(group_start.back() + 32 * longest);
        for (int k = s / 32 * 32; k <= s; k++)
            for (int i = start[k]; i < start[k + 1]; i++)
                interleaved[group_start.back() + 32 * (i - start[k]) + k % 32] = words[i];
        group_start.push_back((int)interleaved.size());
    }
    std::vector<double> want(count, 128);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 64; k++)
            want[i] += (double)values[i / 64 * 64 + k] * quants[k] * basis[k % 8 * 8 + i % 8] *
                       basis[k / 8 * 8 + i % 64 / 8];
    const unsigned *dwords = to_device(words), *dinterleaved = to_device(interleaved);
    const int *dstart = to_device(start), *dgroups = to_device(group_start);
    const Lengths *dlengths = to_device(by_length);
    const unsigned char *dsymbols = to_device(symbols), *dzigzag = to_device(zigzag);
    const unsigned short *dtable = to_device(table);
    const float *dquants = to_device(quants), *dbasis = to_device(basis);
    short *out[3];
    unsigned char *bytes[2];
    for (int k = 0; k < 3; k++)
        out[k] = device_zeros<short>(count);
    for (int k = 0; k < 2; k++)
        bytes[k] = device_zeros<unsigned char>(count);
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < 3; k++)
            fill_array<<<ceil_div(count, 256), 256>>>(out[k], (short)0, count);
        decode_bits<<<ceil_div(streams, 64), 64>>>(dwords, dstart, dlengths, dsymbols, dzigzag,
                                                   out[0], streams);
        decode_table<<<ceil_div(streams, 64), 64>>>(dwords, dstart, dtable, dzigzag, out[1],
                                                    streams);
        decode_interleaved<<<ceil_div(streams, 64), 64>>>(
            dinterleaved, dgroups, (const uint4 *)dtable, dzigzag, out[2], streams);
        transform_values<<<ceil_div(blocks, 4), dim3(64, 4)>>>(out[1], dquants, dbasis, bytes[0],
                                                               count);
        transform_rows<<<ceil_div(blocks, 16), 128>>>(
            (const uint4 *)out[2], (const float4 *)dquants, (uint2 *)bytes[1], 8 * blocks);
    }
    expect("decode_bits", out[0], values);
    expect("decode_table", out[1], values);
    expect("decode_interleaved", out[2], values);
    expect_bytes("transform_values", bytes[0], want);
    expect_bytes("transform_rows", bytes[1], want);
    return verdict();
}
