/* divergence_model.h - what a model of a kernel's control flow says, against what was recorded.
 *
 * A model walks the control flow of a kernel over masks of lanes: both sides of a branch one after
 * the other, lanes together again where the branch ends (reconvergence at the immediate
 * post-dominator). It calls visit() where the kernel does; the recorded accesses must be those
 * visits, in order.
 */
#ifndef WARPLENS_TESTS_DIVERGENCE_MODEL_H
#define WARPLENS_TESTS_DIVERGENCE_MODEL_H

#include "trace_recorder.h"

/* The lanes t of a mask for which a condition holds. */
#define LANES(mask, condition)                                                                     \
    __extension__({                                                                                \
        uint32_t lanes_ = 0;                                                                       \
        for (int t = 0; t < WARP_LANES; t++)                                                       \
            lanes_ |= (uint32_t)((mask) >> t & 1U && (condition)) << t;                            \
        lanes_;                                                                                    \
    })

/* The lanes of `lanes` make the visit `key` together; nothing when there are none. */
void visit(uint32_t lanes, int key);

typedef void model_function(uint32_t warp, int scale);

/* Runs a kernel with blocks of several sizes and compares each warp with the model. */
void divergence_check(host_function *host, model_function *model, int scale);

/* The kernels were built by clang, which decides itself which side of a branch goes first: the
 * order of visits is not compared then. gcc's kernels keep the order of the source. */
bool divergence_clang_kernels(void);

/* RUNTIME_...(DIVERGENCE_TEST): a test of each kernel, named run_NAME, with the model model_NAME.
 * Small trip counts first: a failure there is easier to read. Scaled, the lanes overflow their
 * columns of events and no longer stop at the same places. */
#define DIVERGENCE_TEST(name)                                                                      \
    static void lanes_meet_again_in_##name(void **state)                                           \
    {                                                                                              \
        (void)state;                                                                               \
        divergence_check(run_##name, model_##name, 1);                                             \
        divergence_check(run_##name, model_##name, 30);                                            \
    }
#define DIVERGENCE_UNIT(name) cmocka_unit_test(lanes_meet_again_in_##name),

#endif
