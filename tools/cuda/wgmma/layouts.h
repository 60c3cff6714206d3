// layouts.h - matrices A and B of small integers, their images in shared memory by each canonical layout of wgmma, and what a product of
// them has to be. Host code, from the text of the PTX ISA ("Asynchronous Warpgroup Level Matrix Instructions").
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

enum class Element { f16, bf16, tf32, e4m3, e5m2, s8, u8 };

// -3 to 3 (u8: 0 to 3), which every type holds.
static int small_value(Element type, int side, int mn, int k)
{
    const int mixed = (mn * 37 + k * 11 + side * 5 + (mn * k) % 13) % 7;
    return type == Element::u8 ? mixed % 4 : mixed - 3;
}

static uint32_t encode(Element type, int value)
{
    static const struct {
        int exponent, mantissa, bias;
    } floats[] = {{5, 10, 15}, {8, 7, 127}, {8, 23, 127}, {4, 3, 7}, {5, 2, 15}};
    if (type == Element::s8 || type == Element::u8)
        return (uint32_t)value & 0xff;
    const auto f = floats[(int)type];
    const uint32_t size = value < 0 ? -value : value, sign = value < 0;
    const uint32_t exponent = size ? f.bias + (size > 1) : 0,
                   mantissa = size == 3 ? 1u << (f.mantissa - 1) : 0;
    return sign << (f.exponent + f.mantissa) | exponent << f.mantissa | mantissa;
}

// One operand: `rows` of M or N, one product deep.
struct Operand {
    Element type;
    int bytes, rows, depth; // of an element; elements
    int side;               // 0: A, 1: B
    bool by_columns;        // MN-major
    int swizzle;            // bytes: 0, 32, 64, 128
    int slice;              // K-major with a swizzle: which 32 bytes of its rows

    int leading() const
    {
        return by_columns ? (swizzle ? 16 * swizzle : 128) : (swizzle ? 16 : 16 * rows);
    }
    int stride() const
    {
        return by_columns ? (swizzle ? 8 * swizzle : 256) : (swizzle ? 8 * swizzle : 128);
    }
    // Where an element is behind a multiple of 1024.
    int place(int mn, int k) const
    {
        int at;
        if (by_columns && swizzle)
            at = mn / (swizzle / 2) * leading() + k / 8 * stride() + k % 8 * swizzle +
                 mn % (swizzle / 2) * 2;
        else if (by_columns)
            at = mn / 8 * stride() + k / 8 * leading() + k % 8 * 16 + mn % 8 * 2;
        else if (swizzle)
            at = mn * swizzle + slice * 32 + k * bytes;
        else
            at = k * bytes / 16 * leading() + mn / 8 * stride() + mn % 8 * 16 + k * bytes % 16;
        return swizzle ? at ^ (at / 128 % (swizzle / 16) * 16) : at;
    }
    uint64_t descriptor(int base, int base_offset = 0) const
    {
        const uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
        const int start = base + (by_columns || !swizzle ? 0 : slice * 32);
        return (uint64_t)(start & 0x3ffff) >> 4 | (uint64_t)(leading() >> 4) << 16 |
               (uint64_t)(stride() >> 4) << 32 | (uint64_t)base_offset << 49 | mode << 62;
    }
    void write(unsigned char *image, int shift = 0) const
    {
        for (int mn = 0; mn < rows; mn++)
            for (int k = 0; k < depth; k++) {
                const uint32_t value = encode(type, small_value(type, side, mn, k));
                memcpy(image + shift + place(mn, k), &value, bytes);
            }
    }
};

// Registers of A: thread t's are at [4 t].
static std::vector<uint32_t> a_registers(Element type, int bytes)
{
    std::vector<uint32_t> all(4 * 128);
    for (int t = 0; t < 128; t++)
        for (int r = 0; r < 4; r++)
            for (int i = 0; i < 4 / bytes; i++) {
                const int row = t / 32 * 16 + t % 32 / 4 + r % 2 * 8,
                          k = (r / 2 * 16 + t % 4 * 4) / bytes + i;
                all[4 * t + r] |= encode(type, small_value(type, 0, row, k)) << 8 * bytes * i;
            }
    return all;
}

// Element e of thread t's of D.
static void place_of(int t, int e, int *row, int *column)
{
    *row = t / 32 * 16 + t % 32 / 4 + e / 2 % 2 * 8;
    *column = e / 4 * 8 + t % 4 * 2 + e % 2;
}

static int product_at(Element a, Element b, int depth, int row, int column)
{
    int sum = 0;
    for (int k = 0; k < depth; k++)
        sum += small_value(a, 0, row, k) * small_value(b, 1, column, k);
    return sum;
}
