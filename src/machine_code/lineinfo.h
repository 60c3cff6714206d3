/* lineinfo.h - which source line a return address belongs to, and which shared arrays there are.
 *
 * Reads the running program's own ELF file: .debug_line (DWARF 4 and 5) and the symbol table. Reads
 * the file once, keeps what it needs, uses no library beyond libc.
 */
#ifndef WARPLENS_MACHINE_CODE_LINEINFO_H
#define WARPLENS_MACHINE_CODE_LINEINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lineinfo;

struct lineinfo_line {
    const char *file; /* base name of the source file; owned by the lineinfo; NULL when unknown */
    uint32_t line;    /* 1-based; 0 when unknown */
};

/* A symbol in the thread-local segment: a __shared__ array; or any other that begins at a multiple of
 * 256 bytes: perhaps a __device__ or __constant__ one. */
struct lineinfo_variable {
    const char *name;   /* without the compiler's ".123" suffix; owned by the lineinfo */
    uint64_t offset;    /* from the start of the TLS segment, or the address as linked */
    uint64_t size;      /* bytes */
    const char *symbol; /* the whole name as linked; owned by the lineinfo */
};

/* Opens an ELF file ("/proc/self/exe" for ourselves). NULL when it cannot be read or is not a
 * 64-bit little-endian ELF file, and, with ENOMEM in errno, when there is no memory. A file without debug lines or symbols opens and answers "unknown".
 */
struct lineinfo *lineinfo_open(const char *path);
void lineinfo_close(struct lineinfo *info);

/* The line of the instruction *before* a return address: `address` is as linked (the run-time
 * address minus the load bias), and the row that covers address - 1 is meant. */
struct lineinfo_line lineinfo_find(const struct lineinfo *info, uint64_t address);

/* The name of the function that holds an address as linked, NULL when unknown. */
const char *lineinfo_function(const struct lineinfo *info, uint64_t address);

/* Where that function's code is, [*low, *high); false when unknown. */
bool lineinfo_function_code(const struct lineinfo *info, uint64_t address, uint64_t *low,
                            uint64_t *high);

/* The TLS symbols sorted by offset; *count is set. */
const struct lineinfo_variable *lineinfo_tls_symbols(const struct lineinfo *info, size_t *count);
/* The other variables at multiples of 256 bytes, sorted by address. */
const struct lineinfo_variable *lineinfo_objects(const struct lineinfo *info, size_t *count);

#endif
