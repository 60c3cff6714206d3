/* test_texts.c - do the gallery's kernels show what the teaching texts work out or measured with
 * them, as efficiencies, transactions and passes?
 *
 * Texts: the wiki chapter "Global memory" of SaoYan's Learning_CUDA (GeForce GTX 1080 Ti; after
 * Cheng, Grossman and McKercher, "Professional CUDA C Programming"); Tumakov, "Technology of CUDA
 * Programming" (in Russian, Kazan 2017), chapters 7 and 8; blog posts on coalescing (in Chinese, on
 * csdn.net). The textbook of test_book_*.c has files of its own.
 */
#include "published.h"
#include "tracer/tracer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void check_efficiency(const char *gpu, const char *kernel, const char *params,
                             const char *load, const char *store)
{
    struct counters c = published_run(gpu, kernel, params);
    double value = published_profiler(&c, PROFILER_N5, "gld_efficiency");
    assert_string_equal(published_exact(value), load);
    value = published_profiler(&c, PROFILER_N5, "gst_efficiency");
    assert_string_equal(published_exact(value), store);
}

/* The wiki, section 3, on a GTX 1080 Ti: nvprof's gld_efficiency and gst_efficiency. */
static void structs_halve_the_efficiency_and_arrays_restore_it(void **state)
{
    (void)state;
    check_efficiency("gtx1080ti", "incrementInnerStruct", "n=65536", "50", "50");
    check_efficiency("gtx1080ti", "incrementInnerArray", "n=65536", "100", "100");
}

/* nvcc loads an aligned struct whole and so does gcc; clang takes it apart into its members before
 * the instrumentation sees it, so that kernels built by clang cannot show what follows from it. */
static void skip_unless_structs_load_whole(void)
{
    if (strncmp(tracer_compiler(), "clang", 5) == 0)
        skip();
}

/* The wiki, as above, with the struct aligned to 8 bytes. */
static void structs_aligned_to_their_size_are_fully_used(void **state)
{
    (void)state;
    skip_unless_structs_load_whole();
    check_efficiency("gtx1080ti", "incrementInnerStructAligned", "n=65536", "100", "100");
}

/* The wiki: an operation on x alone loses half of the bandwidth, in segments and in lines. */
static void x_alone_of_a_struct_uses_half_of_what_is_loaded(void **state)
{
    (void)state;
    static const char *const gpus[] = {"gtx1080ti", "m2090 l1_caches_global=1",
                                       "m2090 l1_caches_global=0"};
    struct counters c[3];
    published_run_gpus(gpus, 3, "incrementInnerStructX", "n=65536", c);
    for (int i = 0; i < 3; i++)
        assert_string_equal(published_exact(published_metric(&c[i], "gld_efficiency")), "50");
}

/* The wiki, section 4, blocks of 16 x 16: rows are read in full segments; a column is written with
 * 4 of 32 bytes, and read with 8 of 32. */
static void transposes_by_rows_and_by_columns_have_these_efficiencies(void **state)
{
    (void)state;
    const char *params = "nx=512 ny=512 block_x=16 block_y=16";
    check_efficiency("gtx1080ti", "transposeRowCol", params, "100", "12.5");
    check_efficiency("gtx1080ti", "transposeColRow", params, "25", "100");
    check_efficiency("gtx1080ti", "transposeDiagonalRowCol", params, "100", "12.5");
    check_efficiency("gtx1080ti", "transposeDiagonalColRow", params, "25", "100");
}

/* The wiki's other block shapes: where a warp is one row of the block, a column's segment gives it
 * one word, 12.5 %; the 25 % above are the two words of two rows. */
static void blocks_32_wide_read_columns_at_an_eighth(void **state)
{
    (void)state;
    check_efficiency("gtx1080ti", "transposeColRow", "nx=512 ny=512 block_x=32 block_y=32", "12.5",
                     "100");
    check_efficiency("gtx1080ti", "transposeColRow", "nx=512 ny=512 block_x=32 block_y=8", "12.5",
                     "100");
    check_efficiency("gtx1080ti", "transposeRowCol", "nx=512 ny=512 block_x=32 block_y=8", "100",
                     "12.5");
}

/* One warp's load through L1 and past it, rounded to whole percents as the text has them. */
static void check_bus_use(const char *kernel, const char *params, const char *cached,
                          const char *uncached)
{
    static const char *const gpus[] = {"m2090 l1_caches_global=1", "m2090 l1_caches_global=0"};
    struct counters c[2];
    published_run_gpus(gpus, 2, kernel, params, c);
    double value = published_metric(&c[0], "gld_bus_utilization");
    assert_string_equal(published_rounded(value, 0), cached);
    value = published_metric(&c[1], "gld_bus_utilization");
    assert_string_equal(published_rounded(value, 0), uncached);
}

/* Blog on L1 and L2: 128 bytes from an address between 96 and 128 on: 128/256 and 128/160. */
static void misaligned_words_use_half_of_lines_and_four_fifths_of_segments(void **state)
{
    (void)state;
    for (int offset = 25; offset < 32; offset++) {
        char params[48];
        snprintf(params, sizeof params, "n=32 block=32 offset=%d", offset);
        check_bus_use("misaligned", params, "50", "80");
    }
}

/* The same blog: 128 bytes scattered over bytes 0 to 383: 128/384 and 128/192. */
static void scattered_words_use_a_third_of_lines_and_two_thirds_of_segments(void **state)
{
    (void)state;
    check_bus_use("scattered384", "n=32 block=32", "33", "67");
}

/* The same blog: a miss in L1 loads its line as four transactions of 32 bytes, past L1 it is one.
 */
static void a_line_is_four_segments_of_32_bytes(void **state)
{
    (void)state;
    static const char *const gpus[] = {"m2090 l1_caches_global=1", "m2090 l1_caches_global=0"};
    struct counters c[2];
    published_run_gpus(gpus, 2, "lineMiss", "n=32 block=32", c);
    assert_int_equal(c[0].global_load_sectors, 4);
    assert_int_equal(c[1].global_load_sectors, 1);
}

static void check_store(const char *kernel, const char *params, uint64_t b32, uint64_t b64,
                        uint64_t b128)
{
    static const char *const gpus[] = {"m2090", "k40"};
    struct counters c[2];
    published_run_gpus(gpus, 2, kernel, params, c);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(c[i].global_store_requests, 1);
        ASSERT_SIZES(published_store_sizes(&c[i]), b32, b64, b128);
    }
}

/* The wiki, on Fermi and Kepler: stores go out as one, two or four segments at a time. */
static void stores_are_transactions_of_one_two_or_four_segments(void **state)
{
    (void)state;
    check_store("storeSegments", "n=32 block=32 segments=1", 1, 0, 0);
    check_store("storeSegments", "n=32 block=32 segments=2", 0, 1, 0);
    check_store("storeSegments", "n=32 block=32 segments=4", 0, 0, 1);
    check_store("storeScattered", "n=32 block=32", 3, 0, 0);
}

/* The wiki: from compute capability 3.5 on __ldg and const __restrict__ take the read-only cache in
 * the place of the L1. On a K20X that is a path apart; from Maxwell on it is the L1 itself. */
static void read_only_loads_are_global_loads_unless_kepler_runs_them(void **state)
{
    (void)state;
    static const char *const gpus[] = {"k20x", "h200"};
    static const char *const read_only[] = {"copyKernelLdg", "copyKernelRestrict"};
    struct counters c[2];
    for (int i = 0; i < 2; i++) {
        published_run_gpus(gpus, 2, read_only[i], "n=4096", c);
        assert_int_equal(c[0].read_only_load_requests, 4096 / 32);
        assert_int_equal(c[0].read_only_load_sectors, 4096 / 8);
        assert_int_equal(c[0].global_load_requests, 0);
        assert_int_equal(c[1].read_only_load_requests, 0);
        assert_int_equal(c[1].global_load_requests, 4096 / 32);
    }
    published_run_gpus(gpus, 2, "copyKernel", "n=4096", c);
    assert_int_equal(c[0].read_only_load_requests, 0);
    assert_int_equal(c[0].global_load_requests, 4096 / 32);
}

/* Transactions of sm_10 for each half-warp of each load. */
static void check_loads_on_sm_10(const char *kernel, const char *params, uint64_t loads,
                                 struct published_sizes each)
{
    struct counters c = published_run("fx5600", kernel, params);
    const uint64_t half_warps = loads * 4096 / 16;
    assert_int_equal(c.global_load_split_requests, half_warps);
    ASSERT_SIZES(published_load_sizes(&c), each.of_32 * half_warps, each.of_64 * half_warps,
                 each.of_128 * half_warps);
}

/* Blog on coalescing: 12-byte structs cannot coalesce; as three arrays, or loaded as plain floats
 * for shared memory, the same vectors do. */
static void vectors_of_12_bytes_cost_16_transactions_a_load_on_sm_10(void **state)
{
    (void)state;
    check_loads_on_sm_10("vec3d", "n=4096", 3, (struct published_sizes){.of_32 = 16});
    check_loads_on_sm_10("accessFloat3", "n=4096", 3, (struct published_sizes){.of_32 = 16});
    check_loads_on_sm_10("vec3dArrays", "n=4096", 3, (struct published_sizes){.of_64 = 1});
    check_loads_on_sm_10("vec3dShared", "n=4096", 3, (struct published_sizes){.of_64 = 1});
}

/* The same blog: structs padded to 16 bytes coalesce, in two transactions as the CUDA C Programming
 * Guide 3.2, G.3.2.1, has it for words of that size. */
static void vectors_padded_to_16_bytes_coalesce_on_sm_10(void **state)
{
    (void)state;
    skip_unless_structs_load_whole();
    check_loads_on_sm_10("vec3dAligned", "n=4096", 1, (struct published_sizes){.of_128 = 2});
}

/* The same blog: a thread that does not load leaves the others coalesced. */
static void a_thread_that_stays_idle_leaves_the_load_coalesced(void **state)
{
    (void)state;
    check_loads_on_sm_10("skipLane", "n=4096 lane=3", 1, (struct published_sizes){.of_64 = 1});
}

/* Tumakov, chapter 7: 32 banks, s[threadIdx.x * L]: 2-way at L = 2, 4-way at L = 4, conflicts at
 * every even L. Not on Kepler, whose banks deliver words in pairs. */
static void even_strides_conflict_on_32_banks(void **state)
{
    (void)state;
    static const char *const gpus[] = {"m2090", "gtx1080ti", "v100", "h200"};
    struct counters c[4];
    for (unsigned stride = 1; stride <= 32; stride++) {
        char params[48];
        snprintf(params, sizeof params, "blocks=1 block=64 stride=%u", stride);
        published_run_gpus(gpus, 4, "sharedStride", params, c);
        /* The greatest power of two in the stride: what it has in common with 32 banks. */
        const uint64_t ways = stride & -stride;
        for (int i = 0; i < 4; i++)
            assert_int_equal(c[i].shared_load_passes, ways * 64 / 32);
    }
}

/* Tumakov, chapter 7: each thread of the plain product loads 2N numbers, through tiles of 16 x 16
 * doubles 2N/16. */
static void tiles_of_doubles_load_a_sixteenth(void **state)
{
    (void)state;
    struct counters c = published_run("gtx280", "matrixMult", "Arows=128 Acols=128 Bcols=128");
    assert_int_equal(c.global_load_bytes_requested / sizeof(double), 128 * 128 * (2 * 128 / 16));
}

/* The passes of constant loads under sm_1x, which counts half-warps, and later. */
static void check_constant_passes(const char *kernel, const char *params, uint64_t half_warp,
                                  uint64_t warp)
{
    static const char *const gpus[] = {"fx5600", "gtx280", "m2090", "k20x", "gtx1080ti", "h200"};
    struct counters c[6];
    published_run_gpus(gpus, 6, kernel, params, c);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(c[i].constant_load_requests, 256 / 32);
        assert_int_equal(c[i].constant_load_passes, (i < 2 ? 2 * half_warp : warp) * (256 / 32));
    }
}

/* CUDA C Programming Guide 3.2, G.3: one address is served at a time; Tumakov, chapter 8, and the
 * wiki teach the first case, a constant for all threads. */
static void constants_take_one_pass_for_each_address(void **state)
{
    (void)state;
    check_constant_passes("addKernel", "size=256", 1, 1);
    for (unsigned n = 1; n <= 32; n++) {
        char params[48];
        snprintf(params, sizeof params, "blocks=1 addresses=%u", n);
        check_constant_passes("constantPerLane", params, n < 16 ? n : 16, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_halve_the_efficiency_and_arrays_restore_it),
        cmocka_unit_test(structs_aligned_to_their_size_are_fully_used),
        cmocka_unit_test(x_alone_of_a_struct_uses_half_of_what_is_loaded),
        cmocka_unit_test(transposes_by_rows_and_by_columns_have_these_efficiencies),
        cmocka_unit_test(blocks_32_wide_read_columns_at_an_eighth),
        cmocka_unit_test(misaligned_words_use_half_of_lines_and_four_fifths_of_segments),
        cmocka_unit_test(scattered_words_use_a_third_of_lines_and_two_thirds_of_segments),
        cmocka_unit_test(a_line_is_four_segments_of_32_bytes),
        cmocka_unit_test(stores_are_transactions_of_one_two_or_four_segments),
        cmocka_unit_test(read_only_loads_are_global_loads_unless_kepler_runs_them),
        cmocka_unit_test(vectors_of_12_bytes_cost_16_transactions_a_load_on_sm_10),
        cmocka_unit_test(vectors_padded_to_16_bytes_coalesce_on_sm_10),
        cmocka_unit_test(a_thread_that_stays_idle_leaves_the_load_coalesced),
        cmocka_unit_test(even_strides_conflict_on_32_banks),
        cmocka_unit_test(tiles_of_doubles_load_a_sixteenth),
        cmocka_unit_test(constants_take_one_pass_for_each_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
