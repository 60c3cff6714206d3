/* accelsim_line.c - word by word. A field that is missing is an empty word, which is no number. */
#include "trace_io/accelsim/accelsim_line.h"

#include <inttypes.h>
#include <string.h>

#include "trace_io/fields.h"

enum { MODE_LIST, MODE_STRIDE, MODE_DELTAS };

struct words {
    struct trace_input *input;
    char *at;
};

static bool bad(const struct words *words, const char *what, const char *word)
{
    if (*word == '\0')
        return input_fail(words->input, "the line ends where its %s should be", what);
    return input_fail(words->input, "\"%.40s\" where the %s should be", word, what);
}

static bool take_u32(struct words *words, const char *what, uint32_t *value)
{
    const char *word = field_word(&words->at);
    return field_u32(word, value) || bad(words, what, word);
}

static bool take_hex(struct words *words, const char *what, uint64_t most, uint64_t *value)
{
    const char *word = field_word(&words->at);
    return (field_hex(word, value) && *value <= most) || bad(words, what, word);
}

static bool take_i64(struct words *words, const char *what, int64_t *value)
{
    const char *word = field_word(&words->at);
    return field_i64(word, value) || bad(words, what, word);
}

static bool take_registers(struct words *words, const char *what, uint32_t most, uint32_t *count,
                           uint8_t *registers)
{
    const char *count_word = field_word(&words->at);
    if (!field_u32(count_word, count) || *count > most)
        return bad(words, what, count_word);
    for (uint32_t i = 0; i < *count; i++) {
        const char *word = field_word(&words->at);
        uint32_t number;
        if (*word != 'R' || !field_u32(word + 1, &number) || number > ACCELSIM_RZ)
            return bad(words, "register (R0 to R255)", word);
        registers[i] = (uint8_t)number;
    }
    return true;
}

/* ---- Addresses ------------------------------------------------------------------------------- */

static bool take_list(struct words *words, struct lane_row *row)
{
    for (uint32_t left = row->active; left; left &= left - 1)
        if (!take_hex(words, "address", UINT64_MAX, &row->addr[__builtin_ctz(left)]))
            return false;
    return true;
}

static bool take_stride(struct words *words, struct lane_row *row)
{
    uint64_t base;
    int64_t stride;
    if (!take_hex(words, "address", UINT64_MAX, &base) || !take_i64(words, "stride", &stride))
        return false;
    if (row->active == 0)
        return true;
    unsigned first = (unsigned)__builtin_ctz(row->active);
    uint32_t run = row->active >> first;
    if (run & (run + 1))
        return input_fail(words->input,
                          "a stride (address mode 1) for the lanes %08x, which are not next to "
                          "each other",
                          row->active);
    for (uint32_t left = row->active; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        row->addr[lane] = base + (uint64_t)stride * (lane - first);
    }
    return true;
}

static bool take_deltas(struct words *words, struct lane_row *row)
{
    uint64_t addr;
    if (!take_hex(words, "address", UINT64_MAX, &addr))
        return false;
    for (uint32_t left = row->active; left; left &= left - 1) {
        int64_t delta = 0;
        if (left != row->active && !take_i64(words, "distance between addresses", &delta))
            return false;
        addr += (uint64_t)delta;
        row->addr[__builtin_ctz(left)] = addr;
    }
    return true;
}

static bool take_addresses(struct words *words, struct lane_row *row)
{
    const char *word = field_word(&words->at);
    uint32_t mode = UINT32_MAX;
    field_u32(word, &mode);
    switch (mode) {
    case MODE_LIST:
        return take_list(words, row);
    case MODE_STRIDE:
        return take_stride(words, row);
    case MODE_DELTAS:
        return take_deltas(words, row);
    default:
        return bad(words, "address mode (0, 1 or 2)", word);
    }
}

/* ---- The line -------------------------------------------------------------------------------- */

static bool take_place(struct words *words, struct accelsim_format format,
                       struct accelsim_instruction *to)
{
    uint64_t mask;
    if (format.version < 3)
        for (unsigned i = 0; i < 4; i++)
            if (!take_u32(words, "block or warp", i < 3 ? &to->cta[i] : &to->warp))
                return false;
    if (format.has_lines && !take_u32(words, "source line", &to->line))
        return false;
    if (!take_hex(words, "PC", UINT32_MAX, &to->pc) ||
        !take_hex(words, "mask of lanes", UINT32_MAX, &mask))
        return false;
    to->mask = (uint32_t)mask;
    return true;
}

static bool take_opcode(struct words *words, struct accelsim_instruction *to)
{
    char *word = field_word(&words->at);
    to->opcode = word;
    if (*word < 'A' || *word > 'Z')
        return bad(words, "opcode", word);
    return sass_opcode_read(word, &to->does) ||
           input_fail(words->input, "%.60s: accesses of 1, 2, 4, 8 and 16 bytes are read", word);
}

/* Of newer tracers: an immediate; nothing is done with it. */
static bool take_end(struct words *words)
{
    char *word = field_word(&words->at), *next = field_word(&words->at);
    int64_t immediate;
    uint64_t large;
    if (*word && !field_i64(word, &immediate) && !field_u64(word, &large))
        return bad(words, "immediate", word);
    return *next == '\0' || bad(words, "end of the line", next);
}

bool accelsim_line_read(struct trace_input *input, char *text, struct accelsim_format format,
                        struct accelsim_instruction *to)
{
    struct words words = {input, text};
    to->line = 0;
    if (!take_place(&words, format, to) ||
        !take_registers(&words, "number of destinations", ACCELSIM_DESTS, &to->dest_count,
                        to->dests) ||
        !take_opcode(&words, to) ||
        !take_registers(&words, "number of sources", ACCELSIM_SOURCES, &to->source_count,
                        to->sources) ||
        !take_u32(&words, "memory width", &to->width))
        return false;
    to->row.active = to->mask;
    if (to->width && strncmp(to->opcode, "UTMA", 4) != 0 && strncmp(to->opcode, "UBLK", 4) != 0)
        return take_addresses(&words, &to->row) && take_end(&words);
    return to->width || take_end(&words);
}
