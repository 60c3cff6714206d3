/* test_warpgroup_products.c - what a product of a warpgroup (wgmma) takes of shared memory and of tensor cores, held to what an H100
 * counted of every layout, place of A, shape and type (validation/wgmma): all are equal. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/rules/warpgroup_product.h"

enum { LINE_BYTES = 128, FIELD_BYTES = 32 };

/* A row: which product, and the numbers behind its sign. */
struct row {
    struct warpgroup_product product;
    unsigned numbers[4];
};

static FILE *open_table(const char *path)
{
    char head[LINE_BYTES];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(head, sizeof head, file));
    assert_memory_equal(head, "form,n,swizzle,a,b,sign,", 24);
    return file;
}

static bool next(FILE *file, struct row *row)
{
    char line[LINE_BYTES], form[FIELD_BYTES], a[FIELD_BYTES], b[FIELD_BYTES];
    unsigned columns, swizzle;
    int sign;
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    memset(row, 0, sizeof *row);
    unsigned *n = row->numbers;
    assert_in_range(sscanf(line, "%31[^,],%u,%u,%31[^,],%31[^,],%d,%u,%u,%u,%u", form, &columns,
                           &swizzle, a, b, &sign, &n[0], &n[1], &n[2], &n[3]),
                    8, 10);
    row->product = (struct warpgroup_product){columns, strcmp(a, "registers") == 0};
    return true;
}

static void test_wavefronts(void **state)
{
    (void)state;
    struct row row;
    unsigned rows = 0;
    FILE *file = open_table(VALIDATION_DIR "/wgmma/h100_wavefronts.csv");
    for (; next(file, &row); rows++) {
        uint32_t passes = 0;
        for (uint32_t rank = 0; rank < WARPGROUP_WARPS; rank++)
            passes += warpgroup_product_passes(row.product, rank);
        assert_int_equal(row.numbers[0] * passes, row.numbers[1]);
    }
    fclose(file);
    assert_int_equal(rows, 368);
}

/* Between 64 products and 512, by each of one warpgroup or two of an SM. */
static void test_cycles(void **state)
{
    (void)state;
    struct row row;
    unsigned rows = 0;
    FILE *file = open_table(VALIDATION_DIR "/wgmma/h100_cycles.csv");
    for (; next(file, &row); rows++)
        assert_int_equal(row.numbers[0] * (512 - 64) * warpgroup_product_cycles(row.product),
                         row.numbers[3] - row.numbers[2]);
    fclose(file);
    assert_int_equal(rows, 512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wavefronts),
        cmocka_unit_test(test_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
