/* trace_text.c - see trace_text.h. */
#include "test_support.h"

#include "trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *trace_text_file(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", DATA_DIR, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("no file %s", path);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    size_t bytes = fread(text, 1, (1 << 16) - 1, file);
    assert_in_range(bytes, 1, (1 << 16) - 2);
    fclose(file);
    return text;
}

static void read_text(trace_read *read, const char *text, size_t bytes, struct trace_calls *calls,
                      char message[INPUT_MESSAGE_BYTES])
{
    static struct trace_input input;
    struct trace_sink sink = trace_calls_sink(calls);
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, bytes, stream), bytes);
    rewind(stream);
    input_start(&input, stream, "trace");
    const char *error = read(&input, &sink);
    snprintf(message, INPUT_MESSAGE_BYTES, "%s", error ? error : "");
    fclose(stream);
}

struct trace_calls trace_text_calls(trace_read *read, const char *text, size_t bytes,
                                    char message[INPUT_MESSAGE_BYTES])
{
    struct trace_calls calls = {0};
    read_text(read, text, bytes, &calls, message);
    return calls;
}

void trace_text_expect(trace_read *read, const char *name, const char *calls_name)
{
    char *text = trace_text_file(name), *expected = trace_text_file(calls_name);
    char message[INPUT_MESSAGE_BYTES];
    struct trace_calls calls = trace_text_calls(read, text, strlen(text), message);
    assert_string_equal(message, "");
    assert_string_equal(calls.text, expected);
    trace_calls_free(&calls);
    free(text);
    free(expected);
}

void trace_text_refused(trace_read *read, const char *name, const char *from, const char *to,
                        const char *message)
{
    char *text = trace_text_file(name), *at = strstr(text, from), got[INPUT_MESSAGE_BYTES];
    if (at == NULL)
        fail_msg("\"%s\" is not in %s", from, name);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
    struct trace_calls calls = trace_text_calls(read, text, strlen(text), got);
    assert_string_equal(got, message);
    trace_calls_free(&calls);
    free(text);
}

static void read_damaged(trace_read *read, const char *text, size_t bytes)
{
    char message[INPUT_MESSAGE_BYTES];
    struct trace_calls calls = trace_text_calls(read, text, bytes, message);
    if (*message) {
        assert_memory_equal(message, "trace:", 6);
        assert_null(strchr(message, '\n'));
    }
    trace_calls_free(&calls);
}

void trace_text_damage(trace_read *read, const char *name)
{
    static const char bytes[] = " 0\n-,x.9zR#=";
    char *text = trace_text_file(name);
    size_t length = strlen(text);
    for (size_t end = 0; end < length; end += 1 + length / 30)
        read_damaged(read, text, end);
    uint64_t state = length;
    for (unsigned i = 0; i < 25; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        char *at = &text[(state >> 33) % length], kept = *at;
        *at = bytes[(state >> 20) % (sizeof bytes - 1)];
        read_damaged(read, text, length);
        *at = kept;
    }
    free(text);
}

void trace_text_stops(trace_read *read, const char *name)
{
    char *text = trace_text_file(name), message[INPUT_MESSAGE_BYTES];
    struct trace_calls all = trace_text_calls(read, text, strlen(text), message);
    size_t lines = 0;
    for (size_t i = 0; i < all.used; i++)
        lines += all.text[i] == '\n';
    for (size_t count = 1; count <= lines; count++) {
        struct trace_calls calls = {.calls_left = count};
        size_t got = 0;
        read_text(read, text, strlen(text), &calls, message);
        for (size_t i = 0; i < calls.used; i++)
            got += calls.text[i] == '\n';
        assert_int_equal(got, count);
        assert_memory_equal(calls.text, all.text, calls.used);
        assert_string_equal(message, "");
        trace_calls_free(&calls);
    }
    trace_calls_free(&all);
    free(text);
}
