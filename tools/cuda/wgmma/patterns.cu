// patterns.cu - products of one warpgroup (wgmma) by each layout of shared memory, place of A, shape and type: are the results right, what
// does a profiler count of them, how long do they take? Built with -arch=sm_90a.
//
//     patterns check            every pattern once; a line each, 1 where D is as it has to be
//     patterns measure FILE FORM    a launch of one product and one of five each, of forms that begin so; FILE: which launch is which
//     patterns time             cycles of loops of products, of one warpgroup and of two
//     patterns probe [N]        matrices that begin within a swizzle's pattern: which base offset, below N or 8, gives the right result
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include "forms.h"
#include "layouts.h"

enum { A_BYTES = 8192, B_BYTES = 32768, SHIFT_MOST = 1024, IMAGE_BYTES = A_BYTES + B_BYTES + 2 * SHIFT_MOST };

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t status = (call);                                                                   \
        if (status != cudaSuccess) {                                                                         \
            printf("%s: %s\n", #call, cudaGetErrorString(status));                                           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

// ---- Kernels ---------------------------------------------------------------------------------------------

static __device__ __forceinline__ void begin_products()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ __forceinline__ void end_products()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(0) : "memory");
}

// The image to shared memory; where it is, a multiple of 1024.
static __device__ uint32_t load_image(unsigned char *shared, const unsigned char *image)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(shared);
    for (int i = 16 * threadIdx.x; i < IMAGE_BYTES; i += 16 * blockDim.x)
        *(uint4 *)(shared + i) = *(const uint4 *)(image + i);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    return at;
}

struct Launch {
    uint64_t a, b; // descriptors, from the image's beginning on
    int products, adds;
    const unsigned char *image;
    const uint32_t *registers;
    void *d;
    long long *cycles;
};

template <class F, bool A_IN_REGISTERS, int SA, int SB, int TA, int TB>
static __device__ __forceinline__ void multiply(typename F::Register (&d)[F::REGISTERS], const uint32_t (&a)[4], const Launch &launch,
                                                uint32_t base, int adds)
{
    if constexpr (A_IN_REGISTERS)
        F::template from_registers<SA, SB, TB>(d, a, launch.b + (base >> 4), adds);
    else
        F::template from_shared<SA, SB, TA, TB>(d, launch.a + (base >> 4), launch.b + (base >> 4), adds);
}

template <class F, bool A_IN_REGISTERS, int SA, int SB, int TA, int TB> __global__ void measured_product(Launch launch)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const uint32_t base = load_image(shared, launch.image);
    typename F::Register d[F::REGISTERS], *own_d = (typename F::Register *)launch.d + threadIdx.x * F::REGISTERS;
    uint32_t a[4];
    for (int i = 0; i < 4; i++)
        a[i] = launch.registers[4 * threadIdx.x + i];
#pragma unroll
    for (int i = 0; i < F::REGISTERS; i++)
        d[i] = own_d[i];
    begin_products();
    for (int i = 0; i < launch.products; i++)
        multiply<F, A_IN_REGISTERS, SA, SB, TA, TB>(d, a, launch, base, launch.adds || i);
    end_products();
#pragma unroll
    for (int i = 0; i < F::REGISTERS; i++)
        own_d[i] = d[i];
}

// Products in groups of 8; cycles of the block's first thread.
template <class F, bool A_IN_REGISTERS, int TA, int TB> __global__ void timed_product(Launch launch)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const uint32_t base = load_image(shared, launch.image);
    typename F::Register d[F::REGISTERS] = {}, *own_d = (typename F::Register *)launch.d + threadIdx.x * F::REGISTERS;
    uint32_t a[4];
    for (int i = 0; i < 4; i++)
        a[i] = launch.registers[4 * threadIdx.x + i];
    begin_products();
    multiply<F, A_IN_REGISTERS, 1, 1, TA, TB>(d, a, launch, base, 0);
    end_products();
    __syncthreads();
    const long long begins = clock64();
    begin_products();
    for (int i = 0; i < launch.products; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            multiply<F, A_IN_REGISTERS, 1, 1, TA, TB>(d, a, launch, base, 1);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
    const long long ends = clock64();
    if (threadIdx.x == 0)
        *launch.cycles = ends - begins;
#pragma unroll
    for (int i = 0; i < F::REGISTERS; i++)
        own_d[i] = d[i];
}

// ---- Patterns ---------------------------------------------------------------------------------------------

struct Pattern {
    std::string form;
    Element a_type, b_type;
    int n, depth, bytes, result, registers, swizzle;
    bool a_in_registers, a_by_columns, b_by_columns;
    int sign; // of the product: that of scale-a times scale-b
    void (*product)(Launch);
    void (*timed)(Launch);

    Operand a(int slice) const
    {
        return {a_type, bytes, 64, depth, 0, a_by_columns, swizzle, slice};
    }
    Operand b(int slice) const
    {
        return {b_type, bytes, n, depth, 1, b_by_columns, swizzle, slice};
    }
    int last_slice() const
    {
        return swizzle ? swizzle / 32 - 1 : 0;
    }
    // form,n,swizzle,a,b,sign
    void print(FILE *file) const
    {
        fprintf(file, "%s,%d,%d,%s,%s,%d", form.c_str(), n, swizzle,
                a_in_registers ? "registers" : a_by_columns ? "mn" : "k", b_by_columns ? "mn" : "k", sign);
    }
};

static std::vector<Pattern> patterns;

template <class F, bool A_IN_REGISTERS, int SA, int SB, int TA, int TB> static void add(const char *form, Element a, Element b, bool timed)
{
    for (int swizzle : {0, 32, 64, 128})
        patterns.push_back({form, a, b, F::N, F::K, F::ELEMENT, F::RESULT, F::REGISTERS, swizzle, A_IN_REGISTERS, TA == 1, TB == 1,
                            SA * SB, measured_product<F, A_IN_REGISTERS, SA, SB, TA, TB>,
                            timed ? timed_product<F, A_IN_REGISTERS, TA, TB> : nullptr});
}

template <class F> static void add_k(const char *form, Element a, Element b, bool timed)
{
    add<F, false, 1, 1, 0, 0>(form, a, b, timed);
    add<F, true, 1, 1, 0, 0>(form, a, b, timed);
}
template <class F> static void add_columns(const char *form, Element type, bool timed)
{
    add<F, false, 1, 1, 0, 1>(form, type, type, timed);
    add<F, false, 1, 1, 1, 0>(form, type, type, timed);
    add<F, false, 1, 1, 1, 1>(form, type, type, timed);
    add<F, true, 1, 1, 0, 1>(form, type, type, timed);
}

static void add_all()
{
#define K_MAJOR(form, a, b) add_k<form>(#form, Element::a, Element::b, true)
#define BOTH(form, type) K_MAJOR(form, type, type), add_columns<form>(#form, Element::type, true)
    BOTH(f32_f16_8, f16);
    BOTH(f32_f16_64, f16);
    BOTH(f32_f16_128, f16);
    BOTH(f32_f16_256, f16);
    K_MAJOR(f32_tf32_8, tf32, tf32);
    K_MAJOR(f32_tf32_64, tf32, tf32);
    K_MAJOR(f32_tf32_128, tf32, tf32);
    K_MAJOR(f32_tf32_256, tf32, tf32);
    K_MAJOR(f32_e4m3_8, e4m3, e4m3);
    K_MAJOR(f32_e4m3_64, e4m3, e4m3);
    K_MAJOR(f32_e4m3_128, e4m3, e4m3);
    K_MAJOR(f32_e4m3_256, e4m3, e4m3);
    BOTH(f16_f16_64, f16);
    BOTH(f32_bf16_64, bf16);
    K_MAJOR(f16_f16_8, f16, f16);
    K_MAJOR(f32_e5m2_e4m3_64, e5m2, e4m3);
    K_MAJOR(f16_e5m2_64, e5m2, e5m2);
    K_MAJOR(s32_s8_64, s8, s8);
    K_MAJOR(s32_u8_s8_64, u8, s8);
    K_MAJOR(s32_u8_128, u8, u8);
    add<f32_f16_64, false, -1, 1, 0, 0>("f32_f16_64", Element::f16, Element::f16, false);
    add<f32_tf32_64, true, 1, -1, 0, 0>("f32_tf32_64", Element::tf32, Element::tf32, false);
    add<f32_f16_8, true, -1, -1, 0, 1>("f32_f16_8", Element::f16, Element::f16, false);
}

// ---- Running them ------------------------------------------------------------------------------------------

struct Buffers {
    unsigned char *image;
    uint32_t *registers, *d;
    long long *cycles;
    std::vector<unsigned char> host_image;
};
static Buffers buffers;

static void make_buffers()
{
    CHECK(cudaMalloc(&buffers.image, IMAGE_BYTES));
    CHECK(cudaMalloc(&buffers.registers, 4 * 256 * 4));
    CHECK(cudaMemset(buffers.registers, 0, 4 * 256 * 4));
    CHECK(cudaMalloc(&buffers.d, 256 * 128 * 4));
    CHECK(cudaMalloc(&buffers.cycles, 8));
    buffers.host_image.resize(IMAGE_BYTES);
}

// An element of D, as it is in registers, of a whole number.
static uint32_t result_bits(const Pattern &p, int value)
{
    float single = (float)value;
    uint32_t bits = (uint32_t)value;
    if (p.form[0] == 'f')
        memcpy(&bits, &single, 4);
    if (p.result == 4)
        return bits;
    const uint32_t sign = bits >> 16 & 0x8000;
    return value ? sign | ((((bits >> 23) & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff)) : 0;
}

enum { BEGINS_WITH = 2 };

static void fill_d(const Pattern &p)
{
    const uint32_t one = result_bits(p, BEGINS_WITH);
    const std::vector<uint32_t> d(128 * p.registers, p.result == 2 ? one << 16 | one : one);
    CHECK(cudaMemcpy(buffers.d, d.data(), 4 * d.size(), cudaMemcpyHostToDevice));
}

static Launch prepare(const Pattern &p, int slice, int shift, int base_offset, int products, int adds)
{
    memset(buffers.host_image.data(), 0, IMAGE_BYTES);
    const Operand a = p.a(slice), b = p.b(slice);
    if (!p.a_in_registers)
        a.write(buffers.host_image.data(), shift);
    b.write(buffers.host_image.data() + A_BYTES + SHIFT_MOST, shift);
    CHECK(cudaMemcpy(buffers.image, buffers.host_image.data(), IMAGE_BYTES, cudaMemcpyHostToDevice));
    const std::vector<uint32_t> registers = a_registers(p.a_type, p.bytes);
    CHECK(cudaMemcpy(buffers.registers, registers.data(), 4 * registers.size(), cudaMemcpyHostToDevice));
    fill_d(p);
    return {a.descriptor(shift, base_offset), b.descriptor(A_BYTES + SHIFT_MOST + shift, base_offset), products, adds,
            buffers.image, buffers.registers, buffers.d, buffers.cycles};
}

static void start(void (*kernel)(Launch), const Launch &launch, int threads)
{
    CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, IMAGE_BYTES));
    kernel<<<1, threads, IMAGE_BYTES>>>(launch);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

// Elements of D that are not what they have to be.
static int wrong_results(const Pattern &p, const Launch &launch)
{
    std::vector<uint32_t> d(128 * p.registers);
    CHECK(cudaMemcpy(d.data(), buffers.d, 4 * d.size(), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int t = 0; t < 128; t++)
        for (int e = 0; e < p.n / 2; e++) {
            int row, column;
            place_of(t, e, &row, &column);
            const int product = product_at(p.a_type, p.b_type, p.depth, row, column);
            const uint32_t wanted = result_bits(p, p.sign * launch.products * product + (launch.adds ? BEGINS_WITH : 0));
            const uint32_t word = d[t * p.registers + e * p.result / 4];
            wrong += (p.result == 4 ? word : word >> 16 * (e % 2) & 0xffff) != wanted;
        }
    return wrong;
}

static int check_all()
{
    int failed = 0;
    printf("form,n,swizzle,a,b,sign,slice,products,adds,right\n");
    for (const Pattern &p : patterns)
        for (int round = 0; round < 2; round++) {
            const int slice = round ? p.last_slice() : 0;
            const Launch launch = prepare(p, slice, 0, 0, 1 + round, round);
            start(p.product, launch, 128);
            const int wrong = wrong_results(p, launch);
            p.print(stdout);
            printf(",%d,%d,%d,%d\n", slice, launch.products, launch.adds, wrong == 0);
            failed += wrong != 0;
        }
    printf("%d of %d patterns wrong\n%s\n", failed, (int)(2 * patterns.size()), failed ? "FAILED" : "PASSED");
    return failed != 0;
}

static int measure_all(const char *name, const std::string &form)
{
    FILE *file = fopen(name, "w");
    if (file == NULL)
        return 1;
    fprintf(file, "launch,form,n,swizzle,a,b,sign,products\n");
    int launches = 0;
    for (const Pattern &p : patterns)
        for (int products : {1, 5}) {
            if (p.form.compare(0, form.size(), form) != 0)
                continue;
            start(p.product, prepare(p, 0, 0, 0, products, 0), 128);
            fprintf(file, "%d,", launches++);
            p.print(file);
            fprintf(file, ",%d\n", products);
        }
    fclose(file);
    printf("%d launches\n", launches);
    return 0;
}

static int time_all()
{
    printf("form,n,swizzle,a,b,sign,warpgroups,products,cycles\n");
    for (const Pattern &p : patterns)
        for (int warpgroups = 1; warpgroups <= 2 && p.timed; warpgroups++)
            for (int products : {8, 64, 512}) {
                const Launch launch = prepare(p, 0, 0, 0, products, 1);
                long long cycles, best = 0;
                for (int round = 0; round < 3; round++) {
                    start(p.timed, launch, 128 * warpgroups);
                    CHECK(cudaMemcpy(&cycles, buffers.cycles, 8, cudaMemcpyDeviceToHost));
                    best = best == 0 || cycles < best ? cycles : best;
                }
                p.print(stdout);
                printf(",%d,%d,%lld\n", warpgroups, products, best);
            }
    return 0;
}

// The image is what a tensor copy leaves there: units are swapped by the address, wherever the matrix begins. `matches`: with that base
// offset the product is right.
static int probe_all(int base_offsets)
{
    printf("form,n,swizzle,a,b,sign,shift,base_offset,right\n");
    for (const Pattern &p : patterns) {
        if (p.form != "f32_f16_64" || p.swizzle == 0 || p.sign < 0 || p.a_in_registers)
            continue;
        for (int shift = 128; shift < 8 * p.swizzle; shift += 128)
            for (int base_offset = 0; base_offset < base_offsets; base_offset++) {
                Launch launch = prepare(p, 0, 0, base_offset, 1, 0);
                std::vector<unsigned char> turned(IMAGE_BYTES);
                const int units = p.swizzle / 16;
                for (int at = 0; at < A_BYTES + B_BYTES + SHIFT_MOST; at++) { // from the pattern's beginning to the address's
                    const int plain = at ^ (at / 128 % units * 16), moved = plain + shift;
                    turned[moved ^ (moved / 128 % units * 16)] = buffers.host_image[at];
                }
                CHECK(cudaMemcpy(buffers.image, turned.data(), IMAGE_BYTES, cudaMemcpyHostToDevice));
                launch.a += shift >> 4;
                launch.b += shift >> 4;
                start(p.product, launch, 128);
                p.print(stdout);
                printf(",%d,%d,%d\n", shift, base_offset, wrong_results(p, launch) == 0);
            }
    }
    return 0;
}

int main(int count, char **words)
{
    const std::string what = count > 1 ? words[1] : "check";
    make_buffers();
    add_all();
    if (what == "check")
        return check_all();
    if (what == "time")
        return time_all();
    if (what == "probe")
        return probe_all(count > 2 ? atoi(words[2]) : 8);
    if (what == "measure" && count == 4)
        return measure_all(words[2], words[3]);
    fprintf(stderr, "patterns check | measure FILE FORM | time | probe [BASE_OFFSETS]\n");
    return 2;
}
