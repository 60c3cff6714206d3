/* observe_atomics.c - a run does not say whether a program uses what an atomic returns. The common use shows in
 * its addresses: `out[atomicAdd(&count, 1)] = value` puts the values of the lanes that take part side by
 * side, though the lanes are not. Lanes that are equally far apart do not tell. The atomic may be one that some of
 * the lanes do for all.
 */
#include "advise/observe_atomics.h"

#include <string.h>

enum { LANES_LEAST = 3 };

/* Whether lanes that are not equally far apart have words that are. */
static bool is_by_rank(const struct warp_access *a)
{
    uint32_t rest = a->active;
    const unsigned first = (unsigned)__builtin_ctz(rest);
    rest &= rest - 1;
    const unsigned second = rest ? (unsigned)__builtin_ctz(rest) : first;
    const uint64_t step = access_addr(a, second) - access_addr(a, first);
    bool words_equal = step != 0, lanes_equal = true;
    for (unsigned rank = 1; rest; rank++, rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        words_equal &= access_addr(a, lane) - access_addr(a, first) == rank * step;
        lanes_equal &= lane - first == rank * (second - first);
    }
    return __builtin_popcount(a->active) >= LANES_LEAST && words_equal && !lanes_equal;
}

void observe_atomic(struct atomic_turns *turns, struct object *object, const char *kernel,
                    const struct warp_access *a)
{
    struct atomic_turn *turn = &turns->of_warp[a->warp % BLOCK_WARPS_MAX];
    if (a->op != OP_ATOMIC) {
        if (turn->object && turn->block == a->block && (turn->active & ~a->active) == 0 &&
            is_by_rank(a))
            turn->object->returns_used = true;
        return;
    }
    *turn = (struct atomic_turn){object, a->active, a->block};
    if (object->atomics == 0)
        object->atomic_kernel = kernel;
    else if (strcmp(object->atomic_kernel, kernel) != 0)
        object->atomic_kernel = "";
}
