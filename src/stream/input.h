/* input.h - a trace file, or standard input, as bytes or lines with their numbers: what all readers
 * of trace files share. Memory is bounded, whatever the file holds.
 */
#ifndef WARPLENS_STREAM_INPUT_H
#define WARPLENS_STREAM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { INPUT_LINE_BYTES = 1 << 16, INPUT_MESSAGE_BYTES = 512 };

struct trace_input {
    FILE *stream;
    const char *name; /* for messages; the caller's */
    uint64_t line;    /* number of the line read last, from 1 */
    uint64_t bytes;   /* read so far */
    bool failed;      /* message is set */
    char message[INPUT_MESSAGE_BYTES];
    size_t begin, end; /* of what is read ahead in text */
    char text[INPUT_LINE_BYTES + 1];
};

/* The stream and the name stay the caller's. */
void input_start(struct trace_input *input, FILE *stream, const char *name);

/* The next line without its line end ("\n" or "\r\n"), ended by a zero; NULL at the end of the file
 * or on an error (input->failed). A line longer than INPUT_LINE_BYTES - 1 and one that holds a zero
 * byte are errors. Valid until the next call; the caller may write into it. */
char *input_line(struct trace_input *input);

/* Up to `count` bytes at `to`; fewer at the end of the file only. An error of the stream sets
 * input->failed and returns 0. Not to be mixed with input_line. */
size_t input_read(struct trace_input *input, void *to, size_t count);

/* The bytes that the next reads will give, up to `count` of them, without taking them: to tell
 * formats apart. Returns how many there are. */
size_t input_peek(struct trace_input *input, const char **at, size_t count);

/* Takes a byte order mark away, before the first read. */
void input_skip_mark(struct trace_input *input);

/* Keeps the message "NAME:LINE: ..." (or "NAME: ..." when no line was read) unless there is one
 * already. Returns false. */
bool input_fail(struct trace_input *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
