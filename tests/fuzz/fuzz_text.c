/* fuzz_text.c - a text trace. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_trace("text", "t.wlt.txt", NULL, data, size);
    return 0;
}
