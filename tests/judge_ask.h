/* judge_ask.h - a judge as its tests ask it: an access goes in, the counters of its site come out.
 *
 * Only test programs include this, each once.
 */
#ifndef WARPLENS_TESTS_JUDGE_ASK_H
#define WARPLENS_TESTS_JUDGE_ASK_H

#include "test_support.h"

#include <string.h>

#include "models/models.h"
#include "rules_access.h"
#include "sim/rules/judge.h"

static struct judge judge;

static inline void open_judge(const char *gpu)
{
    struct arch arch;
    arch_from_model(models_find(gpu), &arch);
    assert_true(judge_init(&judge, &arch, 2));
    assert_true(judge_reserve_sites(&judge, 4));
}

static inline const struct counters *count(struct warp_access a)
{
    judge_access(&judge, &a, NULL);
    return &judge.sites[a.site];
}

/* The footprint of an access; its counters as well. */
static inline struct footprint footprint_of(struct warp_access a)
{
    static struct footprint footprint;
    memset(&footprint, 0xa5, sizeof footprint);
    judge_access(&judge, &a, &footprint);
    judge_flush(&judge);
    return footprint;
}

static inline struct warp_access in(struct warp_access a, uint8_t space, uint8_t op)
{
    a.space = space;
    a.op = op;
    return a;
}

#endif
