/* arch_file.c - reads a user's GPU.
 *
 * The whole file is taken into memory first (64 KB at most), so that a directory, a device without end
 * or a binary file ends in one message. Lines may stand in any order; the fields that are missing come
 * from `base` once all lines are read. The first mistake ends the reading. Whether values fit together
 * is not judged here: a GPU that cannot exist is the user's to try.
 */
#include "cli/inputs/arch_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/memory.h"
#include "text/nearest.h"
#include "cli/options/options.h"
#include "models/models.h"
#include "text/characters.h"
#include "text/number.h"

enum {
    FILE_BYTES_MAX = 65536,
    LINE_BYTES_MAX = 511,
    FIELD_COUNT = sizeof(struct arch) / sizeof(int64_t),
};

enum word { WORD_NAME, WORD_TITLE, WORD_BASE, WORD_COUNT };

struct reader {
    const char *path;
    char *message;
    int line;                   /* the one being read; 0: none */
    int word_lines[WORD_COUNT]; /* where each was given; 0: not yet */
    int field_lines[FIELD_COUNT];
    const struct gpu_model *base;
    struct user_gpu *gpu;
};

/* Sets the message and is false. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
{
    char where[16] = "";
    if (r->line)
        snprintf(where, sizeof where, ":%d", r->line);
    int used = snprintf(r->message, ARCH_FILE_MESSAGE_BYTES, "%.200s%s: ", r->path, where);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + used, ARCH_FILE_MESSAGE_BYTES - (size_t)used, format, arguments);
    va_end(arguments);
    text_make_printable(r->message); /* the file's text */
    return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool take_name(struct reader *r, const char *value)
{
    static const char *const plain = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (strlen(value) >= sizeof r->gpu->name || value[strspn(value, plain)] != '\0')
        return refuse(r, "name = %.40s: allowed are 1 to %zu of a-z, 0-9 and -", value,
                      sizeof r->gpu->name - 1);
    if (models_find(value))
        return refuse(r, "name = %s: warplens has a GPU of that name", value);
    strcpy(r->gpu->name, value);
    return true;
}

static bool take_title(struct reader *r, const char *value)
{
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            return refuse(r, "title: allowed are printable ASCII characters");
    if (strlen(value) >= sizeof r->gpu->title)
        return refuse(r, "title: allowed are at most %zu characters", sizeof r->gpu->title - 1);
    strcpy(r->gpu->title, value);
    return true;
}

static bool take_base(struct reader *r, const char *value)
{
    r->base = models_find(value);
    if (r->base)
        return true;
    struct nearest nearest = nearest_start(value);
    for (size_t i = 0; models_parse_sm(value) == 0 && i < model_count; i++)
        nearest_offer(&nearest, models[i]->name);
    char text[NEAREST_TEXT_BYTES], advice[MODELS_ADVICE_BYTES];
    return refuse(r, "base = %.40s: unknown GPU%s%s; `warplens gpus` lists them", value,
                  nearest_text(&nearest, text), models_advice(value, advice));
}

static const struct {
    const char *name;
    bool (*take)(struct reader *r, const char *value);
} words[WORD_COUNT] = {
    [WORD_NAME] = {"name", take_name},
    [WORD_TITLE] = {"title", take_title},
    [WORD_BASE] = {"base", take_base},
};

/* ---- fields ---------------------------------------------------------------------------------- */

static void store(struct user_gpu *gpu, const struct arch_field *field,
                  const struct model_value *value)
{
    memcpy((char *)&gpu->model + field->model_offset, value, sizeof *value);
}

bool arch_file_value(const struct arch_field *field, const char *text, int64_t *value,
                     char allowed[ARCH_FILE_MESSAGE_BYTES])
{
    static const char *const plain_units[] = {"MB/s",        "kHz", "ps",     "ns",     "cycles",
                                              "millicycles", "%",   "0 or 1", "version"};
    bool plain = false;
    for (size_t i = 0; i < sizeof plain_units / sizeof plain_units[0]; i++)
        plain |= strcmp(field->unit, plain_units[i]) == 0;
    bool suffix_refused = plain && strpbrk(text, "kKmMgG") != NULL;
    if (!suffix_refused && text_number(text, value) && *value >= field->min && *value <= field->max)
        return true;
    snprintf(allowed, ARCH_FILE_MESSAGE_BYTES, "allowed is %lld to %lld%s (%s: %s)",
             (long long)field->min, (long long)field->max,
             suffix_refused ? " without a suffix" : "", field->unit, field->meaning);
    return false;
}

static bool unknown_field(struct reader *r, const char *name)
{
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < arch_field_count; i++)
        nearest_offer(&nearest, arch_fields[i].name);
    for (size_t i = 0; i < WORD_COUNT; i++)
        nearest_offer(&nearest, words[i].name);
    char text[NEAREST_TEXT_BYTES];
    return refuse(r, "%.63s: unknown field%s; `warplens gpus NAME` lists them", name,
                  nearest_text(&nearest, text));
}

static bool is_first(struct reader *r, const char *name, int *given)
{
    if (*given)
        return refuse(r, "%s: given before, in line %d", name, *given);
    *given = r->line;
    return true;
}

static bool take_field(struct reader *r, const struct arch_field *field, const char *text)
{
    char allowed[ARCH_FILE_MESSAGE_BYTES];
    struct model_value value = {.source = SOURCE_NONE, .reference = r->path};
    if (!is_first(r, field->name, &r->field_lines[field - arch_fields]))
        return false;
    if (!arch_file_value(field, text, &value.value, allowed))
        return refuse(r, "%s = %.40s: %s", field->name, text, allowed);
    store(r->gpu, field, &value);
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool take_setting(struct reader *r, const char *name, const char *value)
{
    if (*value == '\0')
        return refuse(r, "%.63s: has no value", name);
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (strcmp(name, words[i].name) == 0)
            return is_first(r, name, &r->word_lines[i]) && words[i].take(r, value);
    const struct arch_field *field = arch_find_field(name);
    return field ? take_field(r, field, value) : unknown_field(r, name);
}

static bool take_line(struct reader *r, char *line)
{
    if (strlen(line) > LINE_BYTES_MAX)
        return refuse(r, "the line is longer than %d characters", LINE_BYTES_MAX);
    line[strcspn(line, "#")] = '\0';
    line = text_trim(line);
    if (*line == '\0')
        return true;
    char *equals = strchr(line, '=');
    if (equals == NULL || equals == line)
        return refuse(r, "'%.40s': allowed is name = value", line);
    *equals = '\0';
    return take_setting(r, text_trim(line), text_trim(equals + 1));
}

static bool take_lines(struct reader *r, char *text)
{
    while (*text) {
        char *end = text + strcspn(text, "\n");
        bool last = *end == '\0';
        *end = '\0';
        r->line++;
        if (!take_line(r, text))
            return false;
        text = last ? end : end + 1;
    }
    r->line = 0;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool fill_fields(struct reader *r)
{
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct arch_field *field = &arch_fields[i];
        if (r->field_lines[i])
            continue;
        if (r->base == NULL)
            return refuse(r,
                          "no line for %s (%lld to %lld; %s: %s), and no base = NAME to take it "
                          "from",
                          field->name, (long long)field->min, (long long)field->max, field->unit,
                          field->meaning);
        struct model_value value = *arch_model_value(r->base, field);
        value.inherited = true;
        store(r->gpu, field, &value);
    }
    return true;
}

static bool finish(struct reader *r)
{
    struct user_gpu *gpu = r->gpu;
    if (!r->word_lines[WORD_NAME])
        return refuse(r, "no line name = NAME");
    if (!fill_fields(r))
        return false;
    if (!r->word_lines[WORD_TITLE])
        strcpy(gpu->title, gpu->name);
    snprintf(gpu->about, sizeof gpu->about, "%s%s%sfrom %.80s", r->base ? "based on " : "",
             r->base ? r->base->name : "", r->base ? ", " : "", r->path);
    gpu->model.name = gpu->name;
    gpu->model.title = gpu->title;
    gpu->model.about = gpu->about;
    gpu->model.base = r->base ? r->base->name : NULL;
    return true;
}

/* Fills `text` with the file and a zero byte. */
static int load(struct reader *r, char *text)
{
    FILE *file = fopen(r->path, "rb");
    if (file == NULL) {
        refuse(r, "cannot open: %s", strerror(errno));
        return EXIT_IO;
    }
    errno = 0;
    size_t length = fread(text, 1, FILE_BYTES_MAX + 1, file);
    bool failed = ferror(file) != 0;
    if (failed)
        refuse(r, "cannot read: %s", strerror(errno));
    fclose(file);
    if (failed)
        return EXIT_IO;
    bool fine = length == 0               ? refuse(r, "is empty")
                : length > FILE_BYTES_MAX ? refuse(r, "is longer than %d bytes", FILE_BYTES_MAX)
                : memchr(text, 0, length) ? refuse(r, "is no text: it holds a zero byte")
                                          : true;
    text[length > FILE_BYTES_MAX ? FILE_BYTES_MAX : length] = '\0';
    return fine ? EXIT_OK : EXIT_USAGE;
}

int arch_file_read(const char *path, struct user_gpu *gpu, char message[ARCH_FILE_MESSAGE_BYTES])
{
    struct reader reader = {.path = path, .message = message, .gpu = gpu};
    char *text = memory_take(1, FILE_BYTES_MAX + 1);
    if (text == NULL) {
        refuse(&reader, "no memory to read it");
        return EXIT_IO;
    }
    memset(gpu, 0, sizeof *gpu);
    int status = load(&reader, text);
    if (status == EXIT_OK &&
        (!take_lines(&reader, text + text_mark_bytes(text)) || !finish(&reader)))
        status = EXIT_USAGE;
    free(text);
    return status;
}
