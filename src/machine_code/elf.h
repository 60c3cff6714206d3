/* elf.h - the sections of a 64-bit little-endian ELF image, and a cursor that stays in its bytes.
 *
 * The image is untrusted: every offset and length is checked here, once, so that the readers built
 * on top (symbols, line tables) only test whether their cursor has failed.
 */
#ifndef WARPLENS_MACHINE_CODE_ELF_H
#define WARPLENS_MACHINE_CODE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A range of the image; size 0 when there is nothing. Owned by whoever owns the image. */
struct elf_bytes {
    const uint8_t *data;
    size_t size;
};

/* Once a read would pass the end, `failed` is set and stays set, and every read gives 0 or NULL. */
struct elf_cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
};

struct elf_image {
    struct elf_bytes file;
    struct elf_bytes headers;      /* the section header table, whole entries only */
    struct elf_bytes header_names; /* the section names, cut after the last NUL */
};

struct elf_section {
    uint32_t type;          /* SHT_* */
    uint32_t link;          /* index of a related section: a symbol table's strings */
    uint64_t entry_size;    /* bytes; 0 when the section is not a table */
    struct elf_bytes bytes; /* contents as stored */
};

/* False when the bytes are no 64-bit little-endian ELF file. A damaged section table is not an
 * error: no section is found then. */
bool elf_open_image(struct elf_image *image, struct elf_bytes file);

/* False when there is no such section, when it lies outside the file, has no contents in the file
 * or is compressed. */
bool elf_get_section(const struct elf_image *image, uint64_t index, struct elf_section *section);
bool elf_find_section(const struct elf_image *image, const char *name, struct elf_section *section);

/* The bytes up to and including the last NUL: any offset inside is then the start of a string. */
struct elf_bytes elf_cut_strings(struct elf_bytes bytes);
/* `strings` as cut by elf_cut_strings; NULL when the offset lies outside. */
const char *elf_get_string(struct elf_bytes strings, uint64_t offset);

struct elf_cursor elf_open_cursor(struct elf_bytes bytes);
bool elf_cursor_at_end(const struct elf_cursor *cursor); /* true after a failure, too */
struct elf_bytes elf_read_bytes(struct elf_cursor *cursor, uint64_t byte_count);
uint64_t elf_read_uint(struct elf_cursor *cursor, unsigned byte_count); /* 1 to 8 bytes */
uint64_t
elf_read_uleb(struct elf_cursor *cursor); /* fails after 10 bytes, as the signed one does */
int64_t elf_read_sleb(struct elf_cursor *cursor);
const char *elf_read_string(struct elf_cursor *cursor); /* NUL-terminated, inside the bytes */

#endif
