/* test_steps.c - does every step of every warp come back as it went in, wherever it was kept?
 *
 * A step is drawn from (seed, block, warp, number) alone, so what was put in is drawn again to be
 * compared. Stores are so small that nearly all chunks go to the temporary file, or large enough
 * for all of them. Usage: test_steps [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access_cases.h"
#include "sim/time/steps.h"

enum { WARPS = 6, STEPS = 150, BLOCKS = 4 };

static uint64_t seed = 20260403;

/* What one warp does at one place; `drawn.access` when it is an access. */
struct told {
    enum step_kind kind;
    uint32_t work;
    struct access_case drawn;
};

/* How often each form of address was put in. */
static struct {
    uint32_t falling, wide_stride, far;
} forms;

static void draw_rest(struct random_bits *random, struct warp_access *a)
{
    a->op = (uint8_t)random_below(random, OP_COUNT);
    a->space = (uint8_t)random_below(random, SPACE_COUNT);
    a->flags = (uint8_t)random_below(random, UINT8_MAX + 1);
    a->loads_left = (uint8_t)(random_below(random, 2) ? NEEDS_NO_LOAD : random_below(random, 255));
    a->work = (uint16_t)random_next(random);
    a->site = (uint32_t)random_below(random, 1 << 16);
    if (random_below(random, 3) == 0)
        a->resident = a->active;
}

/* One of few accesses, at another place: most come back as a shape and an address. */
static void draw_again(struct random_bits *random, struct access_case *c)
{
    struct random_bits pattern = random_start(seed, UINT64_MAX - random_below(random, 40));
    struct access_case drawn;
    access_case_draw(&pattern, &drawn);
    draw_rest(&pattern, &drawn.access);
    access_case_translate(random, &drawn, 16 * random_below(random, 1 << 16), c);
    const struct warp_access moved = c->access;
    c->access = drawn.access;
    c->access.addr = moved.addr;
    c->access.base = moved.base;
}

static void draw_told(uint32_t block, uint32_t warp, uint32_t number, struct told *told)
{
    struct random_bits random = random_start(seed, ((uint64_t)block << 40) + (warp << 20) + number);
    told->kind = number == STEPS                   ? STEP_END
                 : random_below(&random, 100) < 12 ? STEP_BARRIER
                                                   : STEP_ACCESS;
    told->work = (uint32_t)random_below(&random, 1 << 16);
    if (told->kind != STEP_ACCESS)
        return;
    if (random_below(&random, 4) == 0)
        draw_again(&random, &told->drawn);
    else {
        access_case_draw(&random, &told->drawn);
        draw_rest(&random, &told->drawn.access);
    }
    told->drawn.access.block = block;
    told->drawn.access.warp = warp;
    told->work = told->drawn.access.work;
}

static void note_form(const struct access_case *c)
{
    const int64_t stride = c->access.stride;
    const uint64_t first = c->addr[__builtin_ctz(c->active)];
    bool is_far = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        is_far |=
            access_lane_active(&c->access, lane) && (c->addr[lane] - first + UINT32_MAX) >> 33;
    forms.falling += c->affine && stride < 0;
    forms.wide_stride += c->affine && stride != (int32_t)stride;
    forms.far += !c->affine && is_far;
}

static void add_step(struct step_block *block, uint32_t warp, uint32_t number)
{
    struct told told;
    draw_told(block->block, warp, number, &told);
    if (told.kind != STEP_ACCESS) {
        step_block_add(block, warp, told.kind, told.work);
        return;
    }
    note_form(&told.drawn);
    step_block_add_access(block, &told.drawn.access);
}

/* The warps take turns as in a tracer, some of them far ahead of others. */
static struct step_block *filled_block(struct step_store *store, uint32_t number)
{
    struct step_block *block = step_block_new(store, number, WARPS);
    struct random_bits random = random_start(seed, number);
    uint32_t done[WARPS] = {0};
    assert_non_null(block);
    for (uint32_t left = WARPS * (STEPS + 1); left != 0;) {
        uint32_t warp = (uint32_t)random_below(&random, WARPS);
        uint64_t run = random_below(&random, 20);
        for (; run != 0 && done[warp] <= STEPS; run--, left--)
            add_step(block, warp, done[warp]++);
    }
    step_block_close(block);
    return block;
}

static void assert_same_access(const struct step *step, const struct access_case *c)
{
    const struct warp_access *got = &step->access, *put = &c->access;
    assert_true(got->active == put->active && (got->active & ~got->resident) == 0);
    assert_int_equal(got->active != got->resident, put->active != put->resident);
    assert_true(got->block == put->block && got->site == put->site && got->work == put->work);
    assert_true(got->width == put->width && got->op == put->op && got->space == put->space);
    assert_true(got->flags == put->flags && got->loads_left == put->loads_left);
    assert_true(got->addr == NULL || got->addr == step->addr);
    if (c->affine && put->stride == (int32_t)put->stride)
        assert_true(got->addr == NULL && got->base == put->base && got->stride == put->stride);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_true(!access_lane_active(got, lane) || access_addr(got, lane) == c->addr[lane]);
}

/* One warp on its way through one block. */
struct reader {
    const struct step_block *block;
    uint32_t warp, number;
    struct step_cursor cursor;
    struct step_chunk buffer;
};

static void reader_start(struct reader *reader, const struct step_block *block, uint32_t warp)
{
    reader->block = block;
    reader->warp = warp;
    reader->number = 0;
    step_cursor_start(&reader->cursor, block, warp, &reader->buffer);
}

static void reader_next(struct reader *reader, struct step *step)
{
    struct told told;
    memset(step, 0xa5, sizeof *step); /* nothing may be left from the step before */
    step_cursor_next(&reader->cursor, reader->block, step);
    draw_told(reader->block->block, reader->warp, reader->number, &told);
    assert_true(step->kind == told.kind && step->work == told.work);
    if (told.kind == STEP_ACCESS)
        assert_same_access(step, &told.drawn);
}

/* Reads every step, goes back `again` times and reads it again; how many chunks were entered. */
static uint32_t check_block(const struct step_block *block, uint32_t again)
{
    static struct reader reader;
    struct step step;
    uint32_t entered = 0;
    for (uint32_t warp = 0; warp < block->warp_count; warp++) {
        reader_start(&reader, block, warp);
        for (reader.number = 0; reader.number <= STEPS; reader.number++) {
            reader_next(&reader, &step);
            entered += reader.cursor.began_at == 0;
            for (uint32_t i = 0; i < again; i++) {
                step_cursor_back(&reader.cursor);
                reader_next(&reader, &step);
            }
        }
    }
    return entered;
}

/* Bytes in memory: one chunk, a few, enough for everything. */
static const size_t store_bytes[] = {STEP_CHUNK_BYTES, 16 * STEP_CHUNK_BYTES, 4 << 20};
enum { STORES = sizeof store_bytes / sizeof *store_bytes };

static void steps_come_back_as_they_went_in(void **state)
{
    (void)state;
    struct step_block *blocks[BLOCKS];
    for (uint32_t s = 0; s < STORES; s++) {
        struct step_store store;
        step_store_init(&store, store_bytes[s]);
        for (uint32_t b = 0; b < BLOCKS; b++)
            blocks[b] = filled_block(&store, b);
        assert_int_equal(store.file != NULL, s < 2);
        for (uint32_t b = 0; b < BLOCKS; b++) {
            check_block(blocks[b], 0);
            step_block_release(blocks[b]);
        }
        assert_null(store.error);
        assert_in_range(store.shapes.count, 20, 40);
        step_store_free(&store);
    }
    assert_true(forms.falling > 100 && forms.wide_stride > 5 && forms.far > 100);
}

static void many_cursors_do_not_disturb_each_other(void **state)
{
    (void)state;
    enum { READERS = 2 * BLOCKS * WARPS };
    static struct reader readers[READERS];
    struct step_block *blocks[BLOCKS];
    struct step_store store;
    struct random_bits random = random_start(seed, 1);
    struct step step;
    uint32_t left = READERS;
    step_store_init(&store, 16 * STEP_CHUNK_BYTES);
    for (uint32_t b = 0; b < BLOCKS; b++)
        blocks[b] = filled_block(&store, 10 + b);
    for (uint32_t i = 0; i < READERS; i++)
        reader_start(&readers[i], blocks[i % BLOCKS], i / BLOCKS % WARPS);
    while (left) {
        struct reader *reader = &readers[random_below(&random, READERS)];
        if (reader->number > STEPS)
            continue;
        reader_next(reader, &step);
        left -= reader->number++ == STEPS;
    }
    for (uint32_t b = 0; b < BLOCKS; b++)
        step_block_release(blocks[b]);
    assert_null(store.error);
    step_store_free(&store);
}

/* Steps that are the first of their chunk are met as well: they begin at byte 0. */
static void going_back_gives_the_same_step_again(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < STORES; s++) {
        struct step_store store;
        step_store_init(&store, store_bytes[s]);
        struct step_block *block = filled_block(&store, 20 + s);
        assert_true(check_block(block, 2) > 3 * WARPS);
        step_block_release(block);
        step_store_free(&store);
    }
}

static void a_block_lives_until_the_last_model_lets_go(void **state)
{
    (void)state;
    struct step_store store;
    step_store_init(&store, 4 * STEP_CHUNK_BYTES);
    struct step_block *block = filled_block(&store, 30);
    struct step_block *other = filled_block(&store, 31);
    block->references += 2;
    for (uint32_t model = 0; model < 3; model++) {
        check_block(block, 0);
        assert_int_equal(store.free_count, 0);
        step_block_release(block);
    }
    assert_true(store.free_count > 0 && store.free_count < store.chunk_count);
    check_block(other, 0);
    step_block_release(other);
    assert_int_equal(store.free_count, store.chunk_count);
    assert_null(store.error);
    step_store_free(&store);
}

/* As when a launch is given up: a warp that has no steps yet holds no chunk. */
static void a_block_that_is_given_up_gives_its_chunks_back(void **state)
{
    (void)state;
    struct step_store store;
    step_store_init(&store, 4 * STEP_CHUNK_BYTES);
    for (uint32_t warp = 0; warp < 2; warp++) {
        struct step_block *block = step_block_new(&store, 0, 2);
        step_block_add(block, warp, STEP_BARRIER, 1);
        step_block_close(block);
        step_block_release(block);
        assert_int_equal(store.chunk_count, 1);
        assert_int_equal(store.free_count, 1);
    }
    step_store_free(&store);
}

/* 1,024 bytes less 8 of its own: 169 barriers of 6 bytes each, and an end of 6 where there is no room any more. */
static void a_chunk_is_filled_as_far_as_steps_fit(void **state)
{
    (void)state;
    for (uint32_t barriers = 168; barriers <= 169; barriers++) {
        struct step_store store;
        step_store_init(&store, 4 * STEP_CHUNK_BYTES);
        struct step_block *block = step_block_new(&store, 0, 1);
        for (uint32_t i = 0; i < barriers; i++)
            step_block_add(block, 0, STEP_BARRIER, 1);
        step_block_add(block, 0, STEP_END, 0);
        step_block_close(block);
        assert_int_equal(store.chunk_count, barriers == 168 ? 1 : 2);
        step_block_release(block);
        step_store_free(&store);
    }
}

/* Strides 4 * i, each of them twice, in one warp; they come back so, whether their shapes had room or not. */
static void check_strides(struct step_store *store, uint32_t strides)
{
    struct step_block *block = step_block_new(store, 0, 1);
    struct warp_access a = {.active = 0xffff, .resident = UINT32_MAX, .width = 4, .site = 7};
    static struct step_chunk buffer;
    struct step_cursor cursor;
    struct step step;
    for (uint32_t i = 0; i < 2 * strides; i++) {
        a.base = 1000 * i;
        a.stride = 4 * (i / 2);
        step_block_add_access(block, &a);
    }
    step_block_close(block);
    step_cursor_start(&cursor, block, 0, &buffer);
    for (uint32_t i = 0; i < 2 * strides; i++) {
        step_cursor_next(&cursor, block, &step);
        assert_true(step.kind == STEP_ACCESS && step.access.base == 1000 * i);
        assert_true(step.access.stride == 4 * (i / 2) && step.access.addr == NULL);
    }
    step_block_release(block);
}

static void shapes_beyond_the_table_are_kept_with_their_accesses(void **state)
{
    (void)state;
    struct step_store store;
    step_store_init(&store, 1 << 20);
    check_strides(&store, 100);
    assert_int_equal(store.shapes.count, 100);
    check_strides(&store, STEP_SHAPES_MAX + 500);
    assert_int_equal(store.shapes.count, STEP_SHAPES_MAX);
    check_strides(&store, 300); /* nobody uses the full table any more: it begins anew */
    assert_int_equal(store.shapes.count, 300);
    assert_null(store.error);
    step_store_free(&store);
}

/* As in a long trace: a new block each time that one ends. */
static void chunks_are_used_again(void **state)
{
    (void)state;
    enum { RESIDENT = 5, ALL = 1000 };
    struct step_block *resident[RESIDENT] = {NULL};
    struct step_store store;
    uint32_t at_first = 0;
    step_store_init(&store, 8 * STEP_CHUNK_BYTES);
    for (uint32_t b = 0; b < ALL; b++) {
        struct step_block **place = &resident[b * 3 % RESIDENT];
        if (*place)
            step_block_release(*place);
        *place = step_block_new(&store, b, 2);
        assert_non_null(*place);
        for (uint32_t i = 0; i < 200; i++)
            step_block_add(*place, i % 2, STEP_BARRIER, b);
        step_block_close(*place);
        if (b == RESIDENT)
            at_first = store.chunk_count;
    }
    assert_int_equal(store.chunk_count, at_first);
    for (uint32_t i = 0; i < RESIDENT; i++)
        step_block_release(resident[i]);
    assert_int_equal(store.free_count, store.chunk_count);
    assert_null(store.error);
    step_store_free(&store);
}

/* Fills, reads and frees a store that cannot have its file. A model that has not yet looked at the
 * error finds that its warps end. */
static bool work_without_file(void)
{
    static struct step_chunk buffer;
    struct step_store store;
    struct step_cursor cursor;
    struct step step;
    step_store_init(&store, STEP_CHUNK_BYTES);
    struct step_block *block = filled_block(&store, 40);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        step_cursor_start(&cursor, block, warp, &buffer);
        for (uint32_t i = 0; i <= STEPS; i++)
            step_cursor_next(&cursor, block, &step);
    }
    bool is_told = store.error != NULL && step.kind == STEP_END;
    step_block_release(block);
    step_store_free(&store);
    return is_told;
}

/* In a process of its own, since a limit stays. */
static void check_limited(int resource, rlim_t limit)
{
    struct rlimit limits = {limit, limit};
    int status = -1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        signal(SIGSEGV, SIG_DFL); /* cmocka's handler would go on with the tests in here */
        alarm(30);
        if (setrlimit(resource, &limits) != 0)
            _exit(2);
        _exit(work_without_file() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_file_that_cannot_be_opened_or_grow_is_an_error(void **state)
{
    (void)state;
    check_limited(RLIMIT_NOFILE, 0);
    check_limited(RLIMIT_FSIZE, 0);
    check_limited(RLIMIT_FSIZE, 3 * STEP_CHUNK_BYTES + 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_come_back_as_they_went_in),
        cmocka_unit_test(many_cursors_do_not_disturb_each_other),
        cmocka_unit_test(going_back_gives_the_same_step_again),
        cmocka_unit_test(a_block_lives_until_the_last_model_lets_go),
        cmocka_unit_test(a_block_that_is_given_up_gives_its_chunks_back),
        cmocka_unit_test(a_chunk_is_filled_as_far_as_steps_fit),
        cmocka_unit_test(shapes_beyond_the_table_are_kept_with_their_accesses),
        cmocka_unit_test(chunks_are_used_again),
        cmocka_unit_test(a_file_that_cannot_be_opened_or_grow_is_an_error),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d steps a warp\n", seed, (int)STEPS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
