/* nvbit_line.c - see nvbit_line.h. */
#include "trace_io/nvbit/nvbit_line.h"

#include <string.h>

#include "trace_io/fields.h"

static const char mark[] = "MEMTRACE: CTX ";

static enum nvbit_kind bad(struct trace_input *input, const char *what)
{
    input_fail(input,
               "%s of mem_trace cannot be read: the line is cut off, or something else was "
               "printed into it",
               what);
    return NVBIT_NOTHING;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static bool cut_u32(char *text, const char *label, uint32_t *value)
{
    char *field = field_cut_label(text, label);
    return field && field_u32(field, value);
}

static bool cut_triple(char *text, const char *label, uint32_t value[3])
{
    char *field = field_cut_label(text, label);
    return field && field_triple(field, value);
}

/* Fields from the end of `text`, down to the grid's size. */
static bool read_sizes(char *text, struct launch_info *launch)
{
    char *stream = field_cut_label(text, " - cuda stream id ");
    uint32_t shared_bytes;
    if (stream == NULL || !cut_u32(text, " - shmem ", &shared_bytes))
        return false;
    launch->dynamic_shared_bytes = shared_bytes;
    return cut_u32(text, " - nregs ", &launch->registers) &&
           cut_triple(text, " - block size ", launch->block) &&
           cut_triple(text, " - grid size ", launch->grid);
}

static bool read_marked_launch(char *text, struct nvbit_line *line)
{
    char *context = field_after(text, mark), *name = strstr(text, " - Kernel name ");
    char *context_end = context ? strstr(context, " - ") : NULL;
    if (context_end == NULL || name == NULL || !read_sizes(text, &line->launch))
        return false;
    char *id = field_cut_label(name, " - grid launch id ");
    *context_end = '\0';
    line->launch.kernel = name + strlen(" - Kernel name ");
    line->marked = true;
    return id && field_u64(id, &line->launch_id) && field_hex(context, &line->context);
}

/* Adds a line to a launch; false when there is no room. */
static bool launch_add(struct nvbit_line *line, const char *text)
{
    size_t length = strlen(text), gap = line->launch_used ? 3 : 0;
    if (line->launch_used + gap + length >= sizeof line->launch_text)
        return false;
    memcpy(line->launch_text + line->launch_used, " - ", gap);
    memcpy(line->launch_text + line->launch_used + gap, text, length + 1);
    line->launch_used += gap + length;
    return true;
}

/* Separators at a line's ends: launch_add puts them between lines. */
static char *strip_separators(char *text)
{
    text += strspn(text, " \t-");
    field_trim(text);
    size_t length = strlen(text);
    if (length >= 2 && strcmp(text + length - 2, " -") == 0)
        text[length - 2] = '\0';
    return text;
}

static enum nvbit_kind add_to_launch(struct trace_input *input, char *text, struct nvbit_line *line)
{
    text = strip_separators(text);
    bool is_last = strstr(text, "cuda stream id ") != NULL;
    if (!launch_add(line, text))
        return bad(input, "a launch");
    if (!is_last)
        return NVBIT_NOTHING;
    line->launch_used = 0;
    return read_marked_launch(line->launch_text, line) ? NVBIT_LAUNCH : bad(input, "a launch");
}

static enum nvbit_kind read_plain_launch(char *text, struct nvbit_line *line)
{
    if (strlen(text) >= sizeof line->launch_text)
        return NVBIT_NOTHING;
    memcpy(line->launch_text, text, strlen(text) + 1);
    line->marked = false;
    if (!read_sizes(line->launch_text, &line->launch))
        return NVBIT_NOTHING;
    line->launch.kernel = line->launch_text + strlen("Kernel ");
    return NVBIT_LAUNCH;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

/* The field up to the next " - ", ended by a zero; goes on behind it. */
static char *take_field(char **at)
{
    char *field = *at, *end = field ? strstr(field, " - ") : NULL;
    if (end == NULL)
        return NULL;
    *end = '\0';
    *at = end + 3;
    return field;
}

static bool read_addresses(char *at, struct lane_row *row)
{
    row->active = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        char *word = field_word(&at);
        if (word[0] != '0' || word[1] != 'x' || !field_hex(word, &row->addr[lane]))
            return false;
        row->active |= (uint32_t)(row->addr[lane] != 0) << lane;
    }
    return *field_word(&at) == '\0';
}

/* From "CTA" on. */
static bool read_access(char *at, struct nvbit_line *line)
{
    char *cta = take_field(&at), *warp = take_field(&at), *opcode = take_field(&at);
    if (opcode == NULL)
        return false;
    cta = field_after(cta, "CTA ");
    warp = field_after(warp, "warp ");
    line->opcode = opcode;
    return cta && warp && *opcode && field_triple(cta, line->cta) && field_u32(warp, &line->warp) &&
           read_addresses(at, &line->row);
}

static bool read_marked_access(char *text, struct nvbit_line *line)
{
    char *at = field_after(text, mark), *context = take_field(&at);
    char *id = take_field(&at);
    id = id ? field_after(id, "grid_launch_id ") : NULL;
    line->marked = true;
    return id && field_hex(context, &line->context) && field_u64(id, &line->launch_id) &&
           read_access(at, line);
}

enum nvbit_kind nvbit_line_read(struct trace_input *input, char *text, struct nvbit_line *line)
{
    char *marked = strstr(text, mark); /* the program's text may be in front, without a line end */
    if (line->launch_used)
        return marked ? bad(input, "a launch") : add_to_launch(input, text, line);
    if (marked && strstr(marked, " - LAUNCH - "))
        return add_to_launch(input, marked, line);
    if (marked && strstr(marked, " - grid_launch_id "))
        return read_marked_access(marked, line) ? NVBIT_ACCESS : bad(input, "an access");
    if (field_after(text, "Kernel "))
        return read_plain_launch(text, line);
    line->marked = false;
    if (field_after(text, "CTA ") && read_access(text, line))
        return NVBIT_ACCESS;
    return NVBIT_NOTHING;
}
