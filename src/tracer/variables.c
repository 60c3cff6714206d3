/* variables.c - the program's __device__, __managed__ and __constant__ variables.
 *
 * They are where the linker has put them: each kind in a section of its own, which the qualifier
 * names. Device and managed variables are arrays of global memory with addresses of their own, in
 * front of what the program allocates; constant ones have their offset in constant memory. Names and
 * sizes come from the symbol table. All count as written: memory of a program begins as zero or with
 * its initial values.
 */
#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

#define SECTION(name)                                                                              \
    extern char name##_begin[] __asm__("__start_warplens_" #name) __attribute__((weak));           \
    extern char name##_end[] __asm__("__stop_warplens_" #name) __attribute__((weak));
SECTION(constant)
SECTION(constant_const)
SECTION(device)
SECTION(device_const)
SECTION(managed)

enum { VARIABLE_ALIGN = 256 };

struct section {
    char *begin, *end;
};

static uint64_t section_bytes(struct section section)
{
    return section.begin ? (uint64_t)(section.end - section.begin) : 0;
}

static bool section_holds(struct section section, const char *p)
{
    return (uintptr_t)p - (uintptr_t)section.begin < section_bytes(section);
}

/* Arrays at their offsets in the section, which begins where an allocated array would. */
static void section_add(struct section section, enum array_home home)
{
    size_t count;
    const struct lineinfo_variable *variables = spaces_variables(&count);
    uint64_t bytes = section_bytes(section);
    uint64_t offset = bytes ? memory_reserve(bytes) : MEMORY_NOWHERE;
    if (offset == MEMORY_NOWHERE)
        return;
    for (size_t i = 0; i < count; i++) {
        char *at = (char *)(engine.image_base + variables[i].offset);
        if (section_holds(section, at) &&
            !memory_add_outside(home, at, variables[i].size,
                                offset + (uint64_t)(at - section.begin), variables[i].name))
            tracer_fail("no memory for the array %s", variables[i].name);
    }
}

void variables_start(void)
{
    section_add((struct section){device_begin, device_end}, HOME_DEVICE);
    section_add((struct section){device_const_begin, device_const_end}, HOME_DEVICE);
    section_add((struct section){managed_begin, managed_end}, HOME_MANAGED);
}

static uint64_t first_constants(void)
{
    uint64_t bytes = section_bytes((struct section){constant_begin, constant_end});
    return (bytes + VARIABLE_ALIGN - 1) / VARIABLE_ALIGN * VARIABLE_ALIGN;
}

bool variables_is_constant(const void *pointer, uint64_t *offset)
{
    const char *p = pointer;
    if (section_holds((struct section){constant_begin, constant_end}, p))
        *offset = (uint64_t)(p - constant_begin);
    else if (section_holds((struct section){constant_const_begin, constant_const_end}, p))
        *offset = first_constants() + (uint64_t)(p - constant_const_begin);
    else
        return false;
    return true;
}

const void *variables_constant_bytes(uint64_t offset)
{
    uint64_t first = first_constants();
    return offset < first ? constant_begin + offset : constant_const_begin + (offset - first);
}

const char *variables_constants(unsigned piece, size_t *bytes)
{
    const struct section section = piece
                                       ? (struct section){constant_const_begin, constant_const_end}
                                       : (struct section){constant_begin, constant_end};
    *bytes = (size_t)section_bytes(section);
    return section.begin;
}
