/* published.h - runs gallery kernels under named GPUs, for the tests of published figures.
 *
 * A GPU is a model's name, followed by fields to change: "m2050 l1_caches_global=0". Parameters are
 * written in the same way: "n=1024 offset=11"; those not named keep the kernel's default. A run
 * that cannot be made as asked, or that fails, fails the test.
 */
#ifndef WARPLENS_TESTS_PUBLISHED_H
#define WARPLENS_TESTS_PUBLISHED_H

#include "gallery.h"
#include "session/session.h"

enum {
    PUBLISHED_GPUS_MAX = 8,
    PUBLISHED_BLOCKS = 256, /* the first ones, whose partition rows a result keeps */
};

/* One run with all that its results point to. */
struct published {
    struct gallery_args args;
    struct session_gpu gpus[PUBLISHED_GPUS_MAX];
    struct result results[PUBLISHED_GPUS_MAX]; /* results[i] belongs to the i-th GPU */
    size_t count;
};

/* Kernels besides the gallery's, which must outlive all runs. */
void published_add_kernels(const struct gallery_kernel *kernels, size_t count);

/* Runs a kernel once and judges it under `count` GPUs; published_close frees the results. */
void published_open(struct published *run, const char *const *gpus, size_t count,
                    const char *kernel, const char *params);
void published_close(struct published *run);

/* The same with caches and time, which the others leave out. */
void published_open_timed(struct published *run, const char *gpu, const char *kernel,
                          const char *params);
struct counters published_run_timed(const char *gpu, const char *kernel, const char *params);
void published_run_timed_gpus(const char *const *gpus, size_t count, const char *kernel,
                              const char *params, struct counters *totals);

/* The counters of the whole run under one GPU, or under several: totals[i] belongs to gpus[i]. */
struct counters published_run(const char *gpu, const char *kernel, const char *params);
void published_run_gpus(const char *const *gpus, size_t count, const char *kernel,
                        const char *params, struct counters *totals);

/* Runs a kernel with every warp access going to `sink`, judged by nobody. */
void published_trace(const char *kernel, const char *params, const struct trace_sink *sink);

/* A metric of metrics.def; a counter of the generation's own profiler. */
double published_metric(const struct counters *c, const char *name);
double published_profiler(const struct counters *c, enum profiler profiler, const char *name);

/* A figure as text, to be compared with the text that was printed: all its digits, or rounded to so
 * many decimals. The text lives until the eighth call after. */
const char *published_exact(double value);
const char *published_rounded(double value, int decimals);

/* Transactions by their size, of a kernel's global loads or stores. */
struct published_sizes {
    uint64_t of_32, of_64, of_128;
};

struct published_sizes published_load_sizes(const struct counters *c);
struct published_sizes published_store_sizes(const struct counters *c);

#define ASSERT_SIZES(got, b32, b64, b128)                                                          \
    do {                                                                                           \
        const struct published_sizes sizes_ = got;                                                 \
        assert_int_equal(sizes_.of_32, b32);                                                       \
        assert_int_equal(sizes_.of_64, b64);                                                       \
        assert_int_equal(sizes_.of_128, b128);                                                     \
    } while (0)

#endif
