/* fuzz_binary_raw.c - a binary trace as it is: headers, chunks, checksums. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_trace("binary", "t.wlt", NULL, data, size);
    return 0;
}
