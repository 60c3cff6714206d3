/* fuzz_measured.c - what profilers measured, as `warplens validate` reads it. */
#include "fuzz.h"
#include "validate/measured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct measured measured = {0};
    double value, tolerance;
    if (measured_read(&measured, fuzz_path(data, size)))
        fuzz_check_message(measured.message);
    for (size_t i = 0; i < measured.launch_count; i++)
        measured_get(&measured, &measured.launches[i], 0, &value, &tolerance);
    measured_free(&measured);
    return 0;
}
