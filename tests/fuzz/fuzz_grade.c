/* fuzz_grade.c - an exercise of `warplens grade`; what is read keeps its promises. */
#include <string.h>

#include "fuzz.h"
#include "grade/spec.h"

static void check_item(const struct spec_item *item)
{
    char text[LIMIT_TEXT_BYTES];
    struct quantity quantity;
    FUZZ_ASSERT(item->points >= 1 && item->points <= SPEC_POINTS_MAX && item->line >= 1);
    if (item->is_pass)
        return;
    FUZZ_ASSERT(quantity_find(item->limit.quantity, ~0U, &quantity) == QUANTITY_FOUND);
    FUZZ_ASSERT(strlen(limit_subject(&item->limit, text)) > 0);
    FUZZ_ASSERT(item->limit.bound >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct grade_spec spec;
    char message[SPEC_MESSAGE_BYTES];
    bool is_io;
    if (!spec_read(&spec, fuzz_path(data, size), message, &is_io)) {
        fuzz_check_message(message);
        return 0;
    }
    FUZZ_ASSERT(spec.item_count >= 1 && spec.item_count <= SPEC_ITEMS_MAX);
    FUZZ_ASSERT(spec.timeout_s >= 1 && spec.timeout_s <= SPEC_TIMEOUT_MAX_S);
    for (size_t i = 0; i < spec.item_count; i++)
        check_item(&spec.items[i]);
    return 0;
}
