/* fuzz_merge.c - a file of a sweep's lines, as `warplens merge` reads it: into an index, and line by
 * line into the entries of a table. */
#define _GNU_SOURCE
#include "fuzz.h"
#include "report/report.h"
#include "sweep/index.h"
#include "sweep/run_read.h"

enum { JOBS = 64 }; /* lines that are read again */

static bool read_entries(struct sweep_index *index, struct sweep_entries *entries, FILE *out)
{
    char message[SWEEP_MESSAGE_BYTES];
    for (size_t job = 0; job < index->first.jobs && job < JOBS; job++) {
        struct sweep_line line;
        FUZZ_ASSERT(sweep_index_line(index, job, &line) == SWEEP_FINE);
        sweep_head_put(&line.head, out);
        sweep_line_put_report(&line, out);
        bool read = run_read_all(entries, &line, message);
        sweep_line_free(&line);
        if (!read) {
            fuzz_check_message(message);
            return false;
        }
    }
    return entries->count == index->first.jobs; /* a table of one GPU */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep_index index;
    struct sweep_entries entries = {0};
    char *text = NULL;
    size_t bytes;
    const char *path = fuzz_path(data, size);
    FILE *out = open_memstream(&text, &bytes);
    FUZZ_ASSERT(out != NULL);
    if (sweep_index_read(&index, &path, 1) != SWEEP_FINE ||
        sweep_index_check_complete(&index) != SWEEP_FINE) {
        fuzz_check_message(index.message);
    } else if (read_entries(&index, &entries, out)) {
        report_compare_text(entries.entries, entries.count, NULL, out);
        report_compare_csv(entries.entries, entries.count, NULL, out);
    }
    fclose(out);
    free(text);
    sweep_index_free(&index);
    report_entries_free(entries.entries, entries.count);
    return 0;
}
