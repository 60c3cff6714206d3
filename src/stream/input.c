/* input.c - one buffer of the longest line's length; what is left in it moves to its front. */
#include "stream/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "text/characters.h"
#include "text/progress.h"

void input_start(struct trace_input *input, FILE *stream, const char *name)
{
    input->stream = stream;
    input->name = name;
    input->line = input->bytes = 0;
    input->failed = false;
    input->message[0] = '\0';
    input->begin = input->end = 0;
}

bool input_fail(struct trace_input *input, const char *format, ...)
{
    va_list arguments;
    if (input->failed)
        return false;
    input->failed = true;
    int used = input->line ? snprintf(input->message, sizeof input->message, "%s:%" PRIu64 ": ",
                                      input->name, input->line)
                           : snprintf(input->message, sizeof input->message, "%s: ", input->name);
    if (used < 0 || (size_t)used >= sizeof input->message)
        return false;
    va_start(arguments, format);
    vsnprintf(input->message + used, sizeof input->message - (size_t)used, format, arguments);
    va_end(arguments);
    text_make_printable(input->message + used); /* names from the file */
    return false;
}

/* Reads more behind what is there; false at the end of the file, or on an error. */
static bool refill(struct trace_input *input)
{
    memmove(input->text, input->text + input->begin, input->end - input->begin);
    input->end -= input->begin;
    input->begin = 0;
    errno = 0;
    size_t got = fread(input->text + input->end, 1, INPUT_LINE_BYTES - input->end, input->stream);
    if (ferror(input->stream)) {
        input_fail(input, "cannot read: %s", strerror(errno ? errno : EIO));
        return false;
    }
    input->end += got;
    progress_read(got);
    return got > 0;
}

static char *take_line(struct trace_input *input, size_t length, size_t with_end)
{
    char *line = input->text + input->begin;
    input->begin += with_end;
    input->bytes += with_end;
    if (memchr(line, '\0', length)) {
        input_fail(input, "a zero byte in the line: this is no text file");
        return NULL;
    }
    if (length && line[length - 1] == '\r')
        length--;
    line[length] = '\0';
    return line;
}

char *input_line(struct trace_input *input)
{
    size_t searched = 0;
    if (input->failed)
        return NULL;
    while (true) {
        size_t held = input->end - input->begin;
        char *from = input->text + input->begin;
        char *end = memchr(from + searched, '\n', held - searched);
        if (end) {
            input->line++;
            return take_line(input, (size_t)(end - from), (size_t)(end - from) + 1);
        }
        searched = held;
        if (held == INPUT_LINE_BYTES) {
            input->line++;
            input_fail(input, "a line of more than %d bytes", INPUT_LINE_BYTES - 1);
            return NULL;
        }
        if (refill(input))
            continue;
        if (held == 0 || input->failed)
            return NULL;
        input->line++;
        return take_line(input, held, held);
    }
}

size_t input_read(struct trace_input *input, void *to, size_t count)
{
    size_t given = 0;
    while (given < count && !input->failed) {
        size_t held = input->end - input->begin;
        size_t part = held < count - given ? held : count - given;
        memcpy((char *)to + given, input->text + input->begin, part);
        input->begin += part;
        input->bytes += part;
        given += part;
        if (given < count && !refill(input))
            break;
    }
    return input->failed ? 0 : given;
}

size_t input_peek(struct trace_input *input, const char **at, size_t count)
{
    while (input->end - input->begin < count && refill(input)) {
    }
    size_t held = input->end - input->begin;
    *at = input->text + input->begin;
    return held < count ? held : count;
}

void input_skip_mark(struct trace_input *input)
{
    enum { MARK_BYTES = 3 };
    const char *head;
    if (input_peek(input, &head, MARK_BYTES) < MARK_BYTES)
        return;
    const size_t bytes = text_mark_bytes(head);
    input->begin += bytes;
    input->bytes += bytes;
}
