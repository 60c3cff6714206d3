/* fuzz_result.c - a report in JSON, as diff, gate and grade read it: held to a limit, to itself, and against
 * itself. */
#define _GNU_SOURCE
#include <string.h>

#include "fuzz.h"
#include "gate/diff.h"
#include "gate/gate.h"

static void compare_with_itself(const struct sheets *sheets, FILE *out)
{
    struct diff diff;
    FUZZ_ASSERT(diff_start(&diff, sheets, sheets));
    diff_write_text(&diff, "all", out);
    diff_write_json(&diff, NULL, out);
    diff_write_csv(&diff, NULL, out);
    diff_free(&diff);
}

static void hold_to_itself(const struct sheets *sheets, FILE *out)
{
    struct limit limit;
    struct gate gate;
    char message[LIMIT_MESSAGE_BYTES];
    FUZZ_ASSERT(limit_read(&limit, "warp_accesses=100", false, message));
    const struct gate_request request = {
        .limits = &limit, .limit_count = 1, .baseline = sheets, .baseline_name = "itself"};
    if (gate_check(&gate, sheets, &request)) {
        gate_write_text(&gate, out);
        gate_write_json(&gate, out);
        gate_write_junit(&gate, out);
    } else {
        fuzz_check_message(gate.message);
    }
    gate_free(&gate);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sheets sheets;
    char message[SHEET_MESSAGE_BYTES], *text = malloc(size + 1), *written = NULL;
    size_t bytes;
    FILE *out = open_memstream(&written, &bytes);
    FUZZ_ASSERT(text != NULL && out != NULL);
    if (size)
        memcpy(text, data, size);
    if (sheets_read(&sheets, text, size, message)) {
        compare_with_itself(&sheets, out);
        hold_to_itself(&sheets, out);
    } else {
        fuzz_check_message(message);
    }
    sheets_free(&sheets);
    free(text);
    fclose(out);
    free(written);
    return 0;
}
