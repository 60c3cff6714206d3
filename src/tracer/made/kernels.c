/* kernels.c - which of nvcc's kernels a launch is of: by symbols, which are mangled alike.
 *
 * A launch of a template is a call of a function that calls it (cuda_launch.h), and its code says which. Symbols differ
 * where a name is the file's own: nvcc has no internal linkage, and puts the file into the name of the anonymous namespace.
 * They are compared without that. Where no symbol is equal, a name that one kernel alone has will do.
 */
#include "tracer/made/kernels.h"

#include <string.h>

#include "machine_code/code_size.h"
#include "machine_code/lineinfo.h"
#include "machine_code/source_name.h"
#include "tracer/engine.h"
#include "tracer/repeats.h"
#include "tracer/work/work.h"

enum { CALLS_DEEP = 3, INSTRUCTIONS_MAX = 1 << 14, NAME_BYTES = 256 };

#if defined(__aarch64__)
#define code_decode code_decode_arm64
#else
#define code_decode code_decode_x86_64
#endif

static size_t kernel_count(void)
{
    return &wl_nvcc_kernel_count ? wl_nvcc_kernel_count : 0;
}

/* ---- Symbols ---------------------------------------------------------------------------------- */

/* Behind the anonymous namespace's name when it begins here: "12_GLOBAL__N_1", "31_GLOBAL__N__b9467fa6_5_t1_cu_cc4". */
static const char *skip_anonymous(const char *at)
{
    size_t digits = strspn(at, "0123456789"), length = 0;
    if (digits == 0 || digits > 4 || strncmp(at + digits, "_GLOBAL__N_", 11) != 0)
        return at;
    for (size_t i = 0; i < digits; i++)
        length = length * 10 + (size_t)(at[i] - '0');
    return strnlen(at + digits, length) == length ? at + digits + length : at;
}

/* What is compared next: an L in front of a name is internal linkage, a dot begins what a compiler has added. */
static const char *next_of(const char *at)
{
    if (at[0] == 'L' && at[1] >= '0' && at[1] <= '9')
        at++;
    return skip_anonymous(at);
}

static bool is_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a = next_of(a);
        b = next_of(b);
        const bool a_ends = *a == '\0' || *a == '.', b_ends = *b == '\0' || *b == '.';
        if (a_ends || b_ends)
            return a_ends && b_ends;
        if (*a != *b)
            return false;
    }
}

static const struct wl_nvcc_kernel *find_symbol(const char *symbol)
{
    for (size_t i = 0; symbol && i < kernel_count(); i++)
        if (is_same(wl_nvcc_kernels[i].symbol, symbol))
            return &wl_nvcc_kernels[i];
    return NULL;
}

static const struct wl_nvcc_kernel *find_name(const char *launched)
{
    const struct wl_nvcc_kernel *found = NULL;
    char name[NAME_BYTES];
    size_t length = strcspn(launched, "<"), begin = length;
    while (begin > 0 && launched[begin - 1] != ':')
        begin--;
    for (size_t i = 0; i < kernel_count(); i++) {
        source_name_of_function(wl_nvcc_kernels[i].symbol, name, sizeof name);
        if (strlen(name) != length - begin || strncmp(name, launched + begin, length - begin) != 0)
            continue;
        if (found)
            return NULL;
        found = &wl_nvcc_kernels[i];
    }
    return found;
}

/* ---- Code ------------------------------------------------------------------------------------- */

/* The first kernel that the function at `at` calls, or one that it calls; *left: instructions that are looked at. */
static const struct wl_nvcc_kernel *find_called(uintptr_t at, unsigned deep, unsigned *left)
{
    const uintptr_t room = work_table.slot_count * WORK_SLOT_BYTES;
    const struct wl_nvcc_kernel *found = find_symbol(spaces_function(at));
    if (found || deep == 0)
        return found;
    while (found == NULL && *left > 0 && at - work_table.code_begin < room) {
        const struct code_instruction in =
            code_decode((const uint8_t *)at, room - (at - work_table.code_begin));
        if (in.bytes == 0 || in.kind == CODE_RETURN)
            break;
        --*left;
        if ((in.kind == CODE_CALL || in.kind == CODE_JUMP) && in.has_target)
            found = find_called(at + (uintptr_t)in.target, deep - 1, left);
        at += in.bytes;
    }
    return found;
}

/* ---- Launches --------------------------------------------------------------------------------- */

static const struct wl_nvcc_kernel *find(const struct launch_key *key)
{
    const bool is_told = key->has_arguments && key->kernel;
    unsigned left = INSTRUCTIONS_MAX;
    const struct wl_nvcc_kernel *found = is_told
                                             ? find_symbol(spaces_function((uintptr_t)key->kernel))
                                             : find_called((uintptr_t)key->call, CALLS_DEEP, &left);
    return found ? found : find_name(key->name);
}

const struct wl_nvcc_kernel *made_of_launch(const struct launch_key *key)
{
    static struct launch_key last; /* programs launch one kernel again and again */
    static const struct wl_nvcc_kernel *of_last;
    if (kernel_count() == 0)
        return NULL;
    const void *kernel = key->has_arguments ? key->kernel : NULL;
    if (last.call != key->call || last.kernel != kernel || last.name != key->name) {
        of_last = find(key);
        last.call = key->call;
        last.kernel = kernel;
        last.name = key->name;
    }
    return of_last;
}
