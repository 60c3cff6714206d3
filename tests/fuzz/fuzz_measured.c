/* fuzz_measured.c - what profilers measured, as `warplens validate` reads it. */
#include "fuzz.h"
#include "validate/kernel_name.h"
#include "validate/measured.h"

enum { COMPARED_LAUNCHES = 32 };

/* Names match themselves, and others whichever comes first. */
static void match_names(const struct measured *measured)
{
    struct kernel_name names[COMPARED_LAUNCHES];
    size_t count = measured->launch_count;
    count = count < COMPARED_LAUNCHES ? count : COMPARED_LAUNCHES;
    for (size_t i = 0; i < count; i++) {
        kernel_name_read(&names[i], measured->launches[i].name);
        if (kernel_name_match(&names[i], &names[i]) != KERNEL_SAME)
            abort();
        for (size_t k = 0; k < i; k++)
            if (kernel_name_match(&names[i], &names[k]) != kernel_name_match(&names[k], &names[i]))
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct measured measured = {0};
    double value, tolerance;
    if (measured_read(&measured, fuzz_path(data, size)))
        fuzz_check_message(measured.message);
    else
        match_names(&measured);
    for (size_t i = 0; i < measured.launch_count; i++)
        measured_get(&measured, &measured.launches[i], 0, &value, &tolerance);
    measured_free(&measured);
    return 0;
}
