/* gate_sheets.c - text -> sheets, as from a file. */
#define _GNU_SOURCE
#include "gate_sheets.h"

#include <stdlib.h>

#include "test_support.h"

struct sheets gate_sheets(const char *runs)
{
    char *text, message[SHEET_MESSAGE_BYTES];
    struct sheets sheets;
    int length = asprintf(&text, SHEET_BEGIN "\"gcc\",\"runs\":[\n%s\n]}\n", runs);
    assert_true(length > 0);
    if (!sheets_read(&sheets, text, (size_t)length, message))
        fail_msg("%s", message);
    free(text);
    return sheets;
}
