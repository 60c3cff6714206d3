/* elf.c - section lookup and bounds-checked reading of an ELF image.
 *
 * Decisions: numbers are put together byte by byte, so the host's byte order and alignment do not
 * matter and the system header <elf.h> is not needed. Compressed sections count as absent, since
 * reading them would take a library beyond libc. Section counts that do not fit the file header
 * (65,280 sections and more) are taken from section 0, as the format says.
 *
 * Sources: System V ABI, chapter 4 "Object Files" (header, section header); DWARF 5, section 7.6
 * (LEB128).
 */
#include "machine_code/elf.h"

#include <string.h>

enum {
    ELF_HEADER_BYTES = 64,
    ELF_SECTION_HEADER_BYTES = 64,
    ELF_SECTIONS_OFFSET_AT = 40,
    ELF_SECTION_ENTRY_SIZE_AT = 58,
    ELF_CLASS_64 = 2,
    ELF_DATA_LITTLE_ENDIAN = 1,
    ELF_TYPE_NOBITS = 8,
    ELF_FLAG_COMPRESSED = 0x800,
    ELF_NAMES_INDEX_IN_SECTION_0 = 0xffff
};

struct elf_cursor elf_open_cursor(struct elf_bytes bytes)
{
    static const uint8_t
        nothing[1]; /* pointers can be compared and subtracted even with no bytes */
    const uint8_t *start = bytes.size > 0 ? bytes.data : nothing;
    return (struct elf_cursor){.at = start, .end = start + bytes.size, .failed = false};
}

bool elf_cursor_at_end(const struct elf_cursor *cursor)
{
    return cursor->failed || cursor->at == cursor->end;
}

/* True when that many bytes are left; fails the cursor otherwise. */
static bool elf_check_left(struct elf_cursor *cursor, uint64_t byte_count)
{
    if (!cursor->failed && byte_count > (uint64_t)(cursor->end - cursor->at))
        cursor->failed = true;
    return !cursor->failed;
}

struct elf_bytes elf_read_bytes(struct elf_cursor *cursor, uint64_t byte_count)
{
    if (byte_count == 0 || !elf_check_left(cursor, byte_count))
        return (struct elf_bytes){NULL, 0};
    struct elf_bytes bytes = {cursor->at, (size_t)byte_count};
    cursor->at += bytes.size;
    return bytes;
}

uint64_t elf_read_uint(struct elf_cursor *cursor, unsigned byte_count)
{
    if (!elf_check_left(cursor, byte_count))
        return 0;
    uint64_t value = 0;
    for (unsigned i = 0; i < byte_count; i++)
        value |= (uint64_t)cursor->at[i] << (8 * i);
    cursor->at += byte_count;
    return value;
}

/* Both LEB128 forms: the value so far and, in *bit_count, how many bits were given. A number of
 * more than 64 bits fails: none is needed, and padding without end would make a reader slow. */
static uint64_t elf_read_leb(struct elf_cursor *cursor, unsigned *bit_count)
{
    uint64_t value = 0;
    uint64_t byte = 0x80;
    for (*bit_count = 0; byte & 0x80 && *bit_count < 64; *bit_count += 7) {
        byte = elf_read_uint(cursor, 1);
        value |= (byte & 0x7f) << *bit_count;
    }
    if (byte & 0x80)
        cursor->failed = true;
    return cursor->failed ? 0 : value;
}

uint64_t elf_read_uleb(struct elf_cursor *cursor)
{
    unsigned bit_count;
    return elf_read_leb(cursor, &bit_count);
}

int64_t elf_read_sleb(struct elf_cursor *cursor)
{
    unsigned bit_count;
    uint64_t value = elf_read_leb(cursor, &bit_count);
    if (bit_count < 64 && (value >> (bit_count - 1)) & 1)
        value |= UINT64_MAX << bit_count;
    return (int64_t)value;
}

const char *elf_read_string(struct elf_cursor *cursor)
{
    if (!elf_check_left(cursor, 1))
        return NULL;
    const uint8_t *start = cursor->at;
    const uint8_t *nul = memchr(start, 0, (size_t)(cursor->end - start));
    if (nul == NULL) {
        cursor->failed = true;
        return NULL;
    }
    cursor->at = nul + 1;
    return (const char *)start;
}

struct elf_bytes elf_cut_strings(struct elf_bytes bytes)
{
    while (bytes.size > 0 && bytes.data[bytes.size - 1] != 0)
        bytes.size--;
    return bytes;
}

const char *elf_get_string(struct elf_bytes strings, uint64_t offset)
{
    return offset < strings.size ? (const char *)strings.data + offset : NULL;
}

/* A cursor over the file from an offset on; failed when the offset lies outside. */
static struct elf_cursor elf_open_at(const struct elf_image *image, uint64_t offset)
{
    struct elf_cursor cursor = elf_open_cursor(image->file);
    elf_read_bytes(&cursor, offset);
    return cursor;
}

/* One entry of the section header table. *name is an offset into the section names. */
static bool elf_read_section(const struct elf_image *image, uint64_t index, uint64_t *name,
                             struct elf_section *section)
{
    if (index >= image->headers.size / ELF_SECTION_HEADER_BYTES)
        return false;
    struct elf_cursor header = elf_open_cursor(image->headers);
    elf_read_bytes(&header, index * ELF_SECTION_HEADER_BYTES);
    *name = elf_read_uint(&header, 4);
    section->type = (uint32_t)elf_read_uint(&header, 4);
    uint64_t flags = elf_read_uint(&header, 8);
    elf_read_bytes(&header, 8); /* address in memory */
    uint64_t offset = elf_read_uint(&header, 8);
    uint64_t byte_count = elf_read_uint(&header, 8);
    section->link = (uint32_t)elf_read_uint(&header, 4);
    elf_read_bytes(&header, 4 + 8); /* info, alignment */
    section->entry_size = elf_read_uint(&header, 8);

    struct elf_cursor contents = elf_open_at(image, offset);
    section->bytes = elf_read_bytes(&contents, byte_count);
    return !contents.failed && section->type != ELF_TYPE_NOBITS && !(flags & ELF_FLAG_COMPRESSED);
}

bool elf_get_section(const struct elf_image *image, uint64_t index, struct elf_section *section)
{
    uint64_t name;
    return elf_read_section(image, index, &name, section);
}

bool elf_find_section(const struct elf_image *image, const char *name, struct elf_section *section)
{
    size_t section_count = image->headers.size / ELF_SECTION_HEADER_BYTES;
    for (size_t i = 0; i < section_count; i++) {
        uint64_t name_offset;
        if (!elf_read_section(image, i, &name_offset, section))
            continue;
        const char *found = elf_get_string(image->header_names, name_offset);
        if (found != NULL && strcmp(found, name) == 0)
            return true;
    }
    return false;
}

/* Section 0 is empty, but holds the counts that do not fit the file header. */
static void elf_read_extended_counts(const struct elf_image *image, uint64_t sections_offset,
                                     uint64_t *section_count, uint64_t *names_index)
{
    struct elf_cursor first = elf_open_at(image, sections_offset);
    elf_read_bytes(&first, 32);
    uint64_t count = elf_read_uint(&first, 8);
    uint64_t link = elf_read_uint(&first, 4);
    if (*section_count == 0)
        *section_count = count;
    if (*names_index == ELF_NAMES_INDEX_IN_SECTION_0)
        *names_index = link;
}

static void elf_locate_sections(struct elf_image *image)
{
    struct elf_cursor header = elf_open_at(image, ELF_SECTIONS_OFFSET_AT);
    uint64_t offset = elf_read_uint(&header, 8);
    header = elf_open_at(image, ELF_SECTION_ENTRY_SIZE_AT);
    uint64_t entry_size = elf_read_uint(&header, 2);
    uint64_t count = elf_read_uint(&header, 2);
    uint64_t names_index = elf_read_uint(&header, 2);
    if (offset == 0 || entry_size != ELF_SECTION_HEADER_BYTES)
        return;
    elf_read_extended_counts(image, offset, &count, &names_index);
    if (count > image->file.size / ELF_SECTION_HEADER_BYTES)
        return;

    struct elf_cursor table = elf_open_at(image, offset);
    image->headers = elf_read_bytes(&table, count * ELF_SECTION_HEADER_BYTES);
    struct elf_section names;
    if (elf_get_section(image, names_index, &names))
        image->header_names = elf_cut_strings(names.bytes);
}

bool elf_open_image(struct elf_image *image, struct elf_bytes file)
{
    static const uint8_t identity[] = {0x7f, 'E', 'L', 'F', ELF_CLASS_64, ELF_DATA_LITTLE_ENDIAN};
    *image = (struct elf_image){.file = file};
    if (file.size < ELF_HEADER_BYTES || memcmp(file.data, identity, sizeof identity) != 0)
        return false;
    elf_locate_sections(image);
    return true;
}
