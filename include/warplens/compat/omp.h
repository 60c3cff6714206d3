/* omp.h - OpenMP's functions for a host of one thread: the compiler is not told of OpenMP, so its pragmas are
 * comments, and every loop and region runs once, in the one thread that there is. Names and answers are those of the
 * OpenMP API 5.0 for a program without parallel regions.
 */
#ifndef WARPLENS_COMPAT_OMP_H
#define WARPLENS_COMPAT_OMP_H
#pragma GCC system_header

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int held;
} omp_lock_t;
typedef struct {
    int count;
} omp_nest_lock_t;
typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic,
    omp_sched_guided,
    omp_sched_auto
} omp_sched_t;

#define WL_OMP static inline __attribute__((unused))

#define WL_OMP_ANSWER(name, value)                                                                 \
    WL_OMP int name(void)                                                                          \
    {                                                                                              \
        return value;                                                                              \
    }
WL_OMP_ANSWER(omp_get_thread_num, 0)
WL_OMP_ANSWER(omp_get_num_threads, 1)
WL_OMP_ANSWER(omp_get_max_threads, 1)
WL_OMP_ANSWER(omp_get_num_procs, 1)
WL_OMP_ANSWER(omp_in_parallel, 0)
WL_OMP_ANSWER(omp_get_dynamic, 0)
WL_OMP_ANSWER(omp_get_nested, 0)
WL_OMP_ANSWER(omp_get_thread_limit, 1)
WL_OMP_ANSWER(omp_get_max_active_levels, 1)
WL_OMP_ANSWER(omp_get_level, 0)
WL_OMP_ANSWER(omp_get_active_level, 0)
WL_OMP_ANSWER(omp_in_final, 1)
WL_OMP_ANSWER(omp_get_num_devices, 0)
WL_OMP_ANSWER(omp_get_num_teams, 1)
WL_OMP_ANSWER(omp_get_team_num, 0)
WL_OMP_ANSWER(omp_is_initial_device, 1)
#undef WL_OMP_ANSWER

/* More threads than one are not to be had. */
#define WL_OMP_WISH(name)                                                                          \
    WL_OMP void name(int wanted)                                                                   \
    {                                                                                              \
        (void)wanted;                                                                              \
    }
WL_OMP_WISH(omp_set_num_threads)
WL_OMP_WISH(omp_set_dynamic)
WL_OMP_WISH(omp_set_nested)
WL_OMP_WISH(omp_set_max_active_levels)
#undef WL_OMP_WISH

WL_OMP void omp_set_schedule(omp_sched_t kind, int chunk)
{
    (void)kind;
    (void)chunk;
}
WL_OMP void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    *kind = omp_sched_static;
    *chunk = 0;
}
WL_OMP int omp_get_ancestor_thread_num(int level)
{
    return level == 0 ? 0 : -1;
}
WL_OMP int omp_get_team_size(int level)
{
    return level == 0 ? 1 : -1;
}

WL_OMP double omp_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
WL_OMP double omp_get_wtick(void)
{
    return 1e-9;
}

WL_OMP void omp_init_lock(omp_lock_t *lock)
{
    lock->held = 0;
}
WL_OMP void omp_destroy_lock(omp_lock_t *lock)
{
    lock->held = 0;
}
WL_OMP void omp_set_lock(omp_lock_t *lock)
{
    lock->held = 1;
}
WL_OMP void omp_unset_lock(omp_lock_t *lock)
{
    lock->held = 0;
}
WL_OMP int omp_test_lock(omp_lock_t *lock)
{
    const int taken = !lock->held;
    lock->held = 1;
    return taken;
}
WL_OMP void omp_init_nest_lock(omp_nest_lock_t *lock)
{
    lock->count = 0;
}
WL_OMP void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
    lock->count = 0;
}
WL_OMP void omp_set_nest_lock(omp_nest_lock_t *lock)
{
    lock->count++;
}
WL_OMP void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
    lock->count--;
}
WL_OMP int omp_test_nest_lock(omp_nest_lock_t *lock)
{
    return ++lock->count;
}

#undef WL_OMP
#ifdef __cplusplus
}
#endif
#endif
