/* fuzz_nvbit.c - what NVBit's mem_trace prints. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_trace("nvbit", "t.nvbit", NULL, data, size);
    return 0;
}
