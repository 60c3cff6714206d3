/* text_sections.h - the sections of the text report, and the cells of their tables. */
#ifndef WARPLENS_REPORT_TEXT_SECTIONS_H
#define WARPLENS_REPORT_TEXT_SECTIONS_H

#include "report/report.h"
#include "report/table.h"

void text_number_cell(struct table *table, uint64_t value);
/* "-" when there is no whole. */
void text_percent_cell(struct table *table, uint64_t part, uint64_t whole);
void text_headings(struct table *table, const char *const *words, size_t count);
#define TEXT_HEADINGS(table, ...)                                                                  \
    text_headings(table, (const char *const[]){__VA_ARGS__},                                       \
                  sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* "transpose.c:91"; of a long file name the end. */
enum { TEXT_LINE_BYTES = 64 };
const char *text_line_name(const struct result_part *line, char text[TEXT_LINE_BYTES]);

/* Whose figures follow, the verdict, and the figures to look at first. */
void text_head(const struct result *r, bool full, FILE *out);
/* The lines that cost most, first that of the accesses that are to blame (NULL: none). */
void text_costly_lines(const struct result *r, const struct result_part *blamed, FILE *out);

/* Bytes of each DRAM partition: the whole kernel and its first wave of blocks. */
void text_partitions(const struct result *r, FILE *out);
/* The partitions that each block of options->block_first to block_last reads and writes. */
void text_blocks(const struct result *r, const struct report_options *options, FILE *out);

/* The launches by kernel and shape, those that take longest first; `full`: all of them. Nothing when there is one. */
void text_launches(const struct result *r, bool full, FILE *out);

/* What the caches and partitions do; nothing without the model of time. */
void text_memory(const struct result *r, FILE *out);

/* What the warps of one block did when; nothing when none was asked for. */
void text_timeline(const struct result *r, FILE *out);

#endif
