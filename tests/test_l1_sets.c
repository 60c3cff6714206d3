/* test_l1_sets.c - does an L1 of Hopper keep the lines that an H200 keeps? The walks of validation/h200_l1_sets.csv are taken through the cache
 * of the model, and the carve-outs are asked of it.
 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/time/sm_unit.h"
#include "small_gpu.h"
#include "models/models.h"

enum { VISITS = 6, LINES_OF_FILE = 2000, KB = 1024 };

struct row {
    char kind[8];
    unsigned threads, shared_bytes, step, lines;
    int result[VISITS];
};

static struct row rows[LINES_OF_FILE];
static size_t row_count;
static struct arch h200;

static int read_rows(void **state)
{
    (void)state;
    char line[512];
    FILE *in = fopen(L1_SETS, "r");
    if (in == NULL)
        return -1;
    while (fgets(line, sizeof line, in) && row_count < LINES_OF_FILE) {
        struct row *r = &rows[row_count];
        const bool is_carve = strncmp(line, "carve", 5) == 0;
        r->step = r->lines = 0;
        row_count +=
            is_carve ? sscanf(line, "%7[a-z],%u,%u,,,%d %d", r->kind, &r->threads, &r->shared_bytes,
                              &r->result[0], &r->result[1]) == 5
                     : sscanf(line, "%7[a-z],%u,%u,%u,%u,%d %d %d %d %d %d", r->kind, &r->threads,
                              &r->shared_bytes, &r->step, &r->lines, &r->result[0], &r->result[1],
                              &r->result[2], &r->result[3], &r->result[4], &r->result[5]) == 11;
    }
    fclose(in);
    arch_from_model(models_find("h200"), &h200);
    return row_count > 800 ? 0 : -1;
}

/* Lines there is room for when the smallest carve-out that holds `shared` bytes and the system's kilobyte is taken; without shared memory
 * the driver takes 32 KB whatever was asked for. */
static uint32_t room_beside(unsigned shared)
{
    static const unsigned kilobytes[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
    size_t k = shared ? 0 : 2;
    while (kilobytes[k] * KB < shared + KB)
        k++;
    return (256 - kilobytes[k]) * KB / 128 - (uint32_t)h200.l1_lines_kept_back;
}

static void walk(const struct row *r, int missed[VISITS])
{
    struct cache cache;
    struct cache_line evicted;
    assert_true(cache_init_with_room(&cache, room_beside(r->shared_bytes), (uint32_t)h200.l1_ways));
    for (int v = 0; v < VISITS; v++) {
        missed[v] = 0;
        for (uint32_t i = 0; i < r->lines; i++) {
            missed[v] += cache_find(&cache, i * r->step) == NULL;
            cache_claim(&cache, i * r->step, &evicted);
        }
    }
    cache_free(&cache);
}

/* With room for all of them what is missed is told by the sets. One set of the H200 has a way less, in which something lies that the kernel
 * itself uses: its four lines miss, where it has four, or as many as it would otherwise. */
static void walks_with_room_miss_what_their_sets_cannot_hold(void **state)
{
    (void)state;
    size_t compared = 0, equal = 0;
    for (const struct row *r = rows; r < rows + row_count; r++) {
        int missed[VISITS];
        if (strcmp(r->kind, "walk") != 0 || r->lines > room_beside(r->shared_bytes))
            continue;
        walk(r, missed);
        assert_int_equal(missed[0], r->result[0]);
        for (int v = 1; v < VISITS; v++) {
            const int more = r->result[v] - missed[v];
            if (more != 0 && more != 4)
                fail_msg("step %u, %u lines, visit %d: %d missed on the H200, %d here", r->step,
                         r->lines, v, r->result[v], missed[v]);
            equal += more == 0;
            compared++;
        }
    }
    print_message("%zu of %zu walks equal, the others but for the one set\n", equal, compared);
    assert_true(compared > 900);
    assert_true(2 * equal > compared);
}

/* Without room for all of them the sets that give a line come in an order of their own: misses are near. */
static void walks_without_room_miss_about_as_many(void **state)
{
    (void)state;
    double sum = 0, most = 0;
    size_t compared = 0;
    for (const struct row *r = rows; r < rows + row_count; r++) {
        int missed[VISITS];
        if (strcmp(r->kind, "walk") != 0 || r->lines <= room_beside(r->shared_bytes))
            continue;
        walk(r, missed);
        const double off = 100.0 * abs(missed[1] - r->result[1]) / r->lines;
        sum += off;
        most = off > most ? off : most;
        compared++;
    }
    print_message("%zu walks: misses of the second visit %.1f %% of the lines off in the mean, "
                  "%.1f at most\n",
                  compared, sum / (double)compared, most);
    assert_true(compared > 100);
    assert_true(sum / (double)compared < 3);
}

/* Beyond 164 KB the walks that tell a carve-out are of so few lines that they fit now and then. */
static void carve_outs_are_the_drivers(void **state)
{
    (void)state;
    size_t compared = 0;
    for (const struct row *r = rows; r < rows + row_count; r++) {
        if (strcmp(r->kind, "carve") != 0 || r->result[1] < 0 || r->result[1] > 164)
            continue;
        const struct occupancy occupancy = {.blocks_per_sm = r->result[0],
                                            .warps_per_block = (r->threads + 31) / 32};
        const uint64_t bytes = sm_unit_l1_bytes(&h200, &occupancy, r->shared_bytes);
        if (bytes != (uint64_t)(256 - r->result[1]) * KB)
            fail_msg("%u threads, %u bytes of shared memory, %d blocks: %d KB carved out on the "
                     "H200, %d here",
                     r->threads, r->shared_bytes, r->result[0], r->result[1],
                     256 - (int)(bytes / KB));
        compared++;
    }
    print_message("%zu carve-outs equal\n", compared);
    assert_true(compared > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_with_room_miss_what_their_sets_cannot_hold),
        cmocka_unit_test(walks_without_room_miss_about_as_many),
        cmocka_unit_test(carve_outs_are_the_drivers),
    };
    return cmocka_run_group_tests(tests, read_rows, NULL);
}
