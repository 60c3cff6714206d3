/* line.c - lines are read as strictly as they are written: the same names in the same order. */
#define _GNU_SOURCE
#include "sweep/line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "sweep/json_read.h"

static const char tail[] = "]}";

void sweep_head_put(const struct sweep_head *head, FILE *out)
{
    fprintf(out, "{\"schema\":1,\"sweep\":\"%s\",\"jobs\":%zu,\"job\":%zu,\"shard\":\"%zu/%zu\"",
            head->sweep, head->jobs, head->job, head->shard, head->shards);
    fputs(",\"compiler\":", out);
    quote_json_string(head->compiler, out);
    fputs(",\"args\":", out);
    quote_json_string(head->args, out);
    fputs(",\"label\":", out);
    quote_json_string(head->label, out);
    fputs(",\"runs\":[", out);
}

static void put_exchanged(const char *text, size_t bytes, char from, char to, FILE *out)
{
    for (size_t i = 0; i < bytes; i++)
        fputc(text[i] == from ? to : text[i], out);
}

void sweep_line_put_runs(const char *runs, size_t bytes, FILE *out)
{
    put_exchanged(runs, bytes, '\n', '\t', out);
    fprintf(out, "%s\n", tail);
}

void sweep_line_put_report(const struct sweep_line *line, FILE *out)
{
    put_exchanged(line->runs, line->runs_bytes, '\t', '\n', out);
}

static bool read_count(struct json_reader *reader, const char *name, size_t least, size_t most,
                       size_t *value)
{
    uint64_t number;
    if (!json_read_bytes(reader, name))
        return false;
    struct json_reader before = *reader;
    if (json_read_uint(reader, &number) && number >= least && number <= most) {
        *value = (size_t)number;
        return true;
    }
    *reader = before;
    reader->failed = true;
    return false;
}

static bool read_text(struct json_reader *reader, const char *name, char **text)
{
    *text = json_read_bytes(reader, name) ? json_read_string(reader) : NULL;
    return *text != NULL;
}

static bool read_name(struct json_reader *reader, char name[SWEEP_NAME_BYTES])
{
    size_t length = SWEEP_NAME_BYTES - 1;
    if (reader->failed)
        return false;
    if ((size_t)(reader->end - reader->at) < length) {
        reader->at = reader->end;
        return false;
    }
    memcpy(name, reader->at, length);
    name[length] = '\0';
    if (strspn(name, "0123456789abcdef") != length)
        return false;
    reader->at += length;
    return true;
}

static bool read_head(struct json_reader *reader, struct sweep_head *head)
{
    return json_read_bytes(reader, "{\"schema\":1,\"sweep\":\"") &&
           read_name(reader, head->sweep) &&
           read_count(reader, "\",\"jobs\":", 1, SWEEP_JOBS_MAX, &head->jobs) &&
           read_count(reader, ",\"job\":", 0, head->jobs - 1, &head->job) &&
           read_count(reader, ",\"shard\":\"", 1, SWEEP_JOBS_MAX, &head->shard) &&
           read_count(reader, "/", head->shard, SWEEP_JOBS_MAX, &head->shards) &&
           json_read_bytes(reader, "\"") && head->job % head->shards == head->shard - 1 &&
           read_text(reader, ",\"compiler\":", &head->compiler) &&
           read_text(reader, ",\"args\":", &head->args) &&
           read_text(reader, ",\"label\":", &head->label) && json_read_bytes(reader, ",\"runs\":");
}

bool sweep_line_read(struct sweep_line *line, const char *text, size_t bytes,
                     char message[SWEEP_MESSAGE_BYTES])
{
    struct json_reader reader = {.at = text, .end = text + bytes};
    *line = (struct sweep_line){0};
    bool fine = read_head(&reader, &line->head);
    fine = fine && reader.at < reader.end && *reader.at == '[';
    if (fine) {
        line->runs = reader.at + 1;
        fine = json_skip_value(&reader);
        line->runs_bytes = (size_t)(reader.at - line->runs) - 1;
    }
    fine = fine && json_read_bytes(&reader, "}") && reader.at == reader.end;
    if (fine)
        return true;
    snprintf(message, SWEEP_MESSAGE_BYTES,
             reader.at == reader.end
                 ? "the line is torn: it ends after %zu bytes; `warplens sweep` with the "
                   "same arguments and -o completes the file"
                 : "this is no line of `warplens sweep` from byte %zu on",
             (size_t)(reader.at - text) + (reader.at != reader.end));
    sweep_line_free(line);
    return false;
}

void sweep_line_free(struct sweep_line *line)
{
    free(line->head.compiler);
    free(line->head.args);
    free(line->head.label);
    *line = (struct sweep_line){0};
}

/* The quotes inside of a string have backslashes before them: this is a name. */
bool sweep_line_has_failure(const char *runs, size_t bytes)
{
    static const char name[] = "\"error\":";
    return memmem(runs, bytes, name, sizeof name - 1) != NULL;
}
