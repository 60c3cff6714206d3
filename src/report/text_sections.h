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

/* Bytes of each DRAM partition: the whole kernel and its first wave of blocks. */
void text_partitions(const struct result *r, FILE *out);
/* The partitions that each block of options->block_first to block_last reads and writes. */
void text_blocks(const struct result *r, const struct report_options *options, FILE *out);

/* The launches by kernel and shape; nothing when there is one. */
void text_launches(const struct result *r, FILE *out);

/* How long it takes, and what the caches and partitions do; nothing without the model of time. */
void text_time(const struct result *r, FILE *out);
void text_memory(const struct result *r, FILE *out);

/* What the warps of one block did when; nothing when none was asked for. */
void text_timeline(const struct result *r, FILE *out);

#endif
