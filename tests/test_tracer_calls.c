/* test_tracer_calls.c - do lanes that call functions in divergent code part and meet again as on
 * SIMT hardware? Calls from branches, loops and conditions, and recursion.
 */
#include "test_support.h"
#include "divergence_model.h"

static void model_twoVisits(uint32_t lanes, uint32_t more, int key)
{
    visit(lanes, key);
    visit(lanes & more, key + 1);
    visit(lanes, key + 2);
}

static void model_twoCallSites(uint32_t warp, int scale)
{
    (void)scale;
    model_twoVisits(LANES(warp, t % 2), LANES(warp, t < 9), 1);
    model_twoVisits(LANES(warp, t % 2 == 0), LANES(warp, t < 9), 4);
    visit(warp, 0);
}

static void model_callFromLoop(uint32_t warp, int scale)
{
    uint32_t loop = warp;
    for (int i = 0; (loop = LANES(loop, i < trips_outer(t) * scale)) != 0; i++)
        model_twoVisits(loop, LANES(loop, (t + i) % 3 == 0), 1 + 3 * i);
    visit(warp, 0);
}

static void model_callInCondition(uint32_t warp, int scale)
{
    uint32_t loop = warp;
    for (int i = 0; loop; i++) {
        visit(loop, 1 + 3 * i);
        loop = LANES(loop, i < trips_outer(t) * scale);
        visit(loop, 2 + 3 * i);
        visit(LANES(loop, t % 2), 3 + 3 * i);
        visit(LANES(loop, t % 2 && t % 3), 4000 + i);
    }
    visit(warp, 0);
}

static void model_descend(uint32_t lanes, int depth, int scale)
{
    visit(lanes, 2 * depth);
    if (lanes)
        model_descend(LANES(lanes, depth < t % 5 * scale), depth + 1, scale);
    visit(lanes, 2 * depth + 1);
}

static void model_recursion(uint32_t warp, int scale)
{
    model_descend(warp, 0, scale);
}

static void model_walkTree(uint32_t lanes, int node)
{
    uint32_t inside = LANES(lanes, 2 * node < (t % 3 == 0 ? 4 : 16));
    visit(lanes, 2 * node);
    if (inside)
        model_walkTree(inside, 2 * node);
    if (inside)
        model_walkTree(LANES(inside, (t + node) % 4), 2 * node + 1);
    visit(lanes, 2 * node + 1);
}

static void model_twoRecursions(uint32_t warp, int scale)
{
    (void)scale;
    model_walkTree(warp, 1);
}

RUNTIME_CALLS(DIVERGENCE_TEST)

int main(void)
{
    const struct CMUnitTest tests[] = {RUNTIME_CALLS(DIVERGENCE_UNIT)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
