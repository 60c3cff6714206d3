/* text_reader.h - what the files of the text trace's reader share. Internal to it. */
#ifndef WARPLENS_TRACE_IO_TEXT_TEXT_READER_H
#define WARPLENS_TRACE_IO_TEXT_TEXT_READER_H

#include "trace_io/builder.h"
#include "trace_io/text/text_line.h"

enum {
    TEXT_ERROR_BYTES = 320,
    SHARED_ARRAYS_MOST = 256,
    PART_BYTES_MOST = 1 << 20, /* of lines that several warps or blocks share */
    PARTS_MOST = 1024
};

/* A __shared__ array of the running launch. */
struct shared_array {
    const char *name;
    uint64_t offset, bytes;
};

/* Lines between a head as "block 0-3 warp 1" and its end. */
struct text_part {
    uint32_t first_warp, last_warp;
};

struct part_line {
    uint32_t part, offset; /* which part; where its text begins */
    uint64_t number;       /* in the file */
};

/* Parts for the same blocks that are not carried out yet. */
struct text_parts {
    uint64_t first_block, last_block;
    struct text_part parts[PARTS_MOST];
    uint32_t count;
    char *text; /* owned; lines, each ended by a zero */
    size_t used, room;
    struct part_line *lines; /* owned */
    size_t line_count, line_room;
};

/* Where a line stands. */
enum text_place { PLACE_TOP = 1, PLACE_LAUNCH = 2, PLACE_PART = 4 };

struct text_reader {
    struct trace_input *input;
    struct trace_builder builder;
    const char *file; /* base name of the trace: where accesses are that name no source line */
    char error[TEXT_ERROR_BYTES]; /* of the line being read */

    enum text_place place;
    struct launch_info launch; /* as its line says */
    bool launch_waits;         /* managed memory may follow before it begins */
    struct shared_array shared[SHARED_ARRAYS_MOST];
    size_t shared_count;
    uint64_t shared_end, shared_bytes; /* where the next one goes; of all of them */

    bool is_direct; /* the part is one warp's of one block: its lines are carried out at once */
    uint32_t warp;
    struct text_parts waiting;

    const struct trace_array *named; /* the first one that the access names */
    const char *named_shared;

    struct async_copy copy; /* of the access that follows, if has_copy */
    bool has_copy;
    struct bulk_copy bulk; /* the same */
    bool has_bulk;
};

/* Puts the line's message into the input. Always false. */
bool text_fail(struct text_reader *r);

/* What a line begins with, and where such a line may stand: places. */
struct text_statement {
    const char *name;
    bool (*read)(struct text_reader *r, struct text_line *line);
    unsigned places;
};
enum { TEXT_STATEMENTS = 17 };
extern const struct text_statement text_statements[TEXT_STATEMENTS];

/* text_copies.c: "copy.cg to=...", which is the other side of the next line's access, "copy.commit" and "copy.wait". False:
 * it is no such line; *good: it is well. */
bool text_read_copy(struct text_reader *r, struct text_line *line, struct word word, uint32_t warp,
                    bool *good);
/* The access with that other side. */
bool text_give_copy(struct text_reader *r, struct warp_access *access);

/* The rest of a line that commits, or waits: lanes, work, and how many groups may be left where it waits. */
bool text_read_copy_step(struct text_reader *r, struct text_line *line, enum copy_step step,
                         uint32_t warp);
/* text_bulk.c: the same of "bulk.copy to=...", "bulk.commit", "phase.wait" and their like. */
bool text_read_bulk(struct text_reader *r, struct text_line *line, struct word word, uint32_t warp,
                    bool *good);
bool text_give_bulk(struct text_reader *r, struct warp_access *access);

/* text_fault.c */
bool text_read_fault(struct text_reader *r, struct text_line *line);

/* Ends the running launch, if there is one, with all its blocks. */
bool text_launch_is_over(struct text_reader *r, const uint64_t *shared);
/* Begins the launch that waits, if one does. */
bool text_launch_begins(struct text_reader *r);

/* "all warps", "block 0 warp 1-3": begins a part. `line` stands at its begin. */
bool text_part_begin(struct text_reader *r, struct text_line *line);
/* A line of the running part. */
bool text_part_line(struct text_reader *r, char *text);
/* Carries out what waits; `all`: nothing more comes for its blocks. */
bool text_parts_flush(struct text_reader *r, bool all);
void text_parts_free(struct text_parts *parts);

/* An access of a warp of the open block. */
bool text_access(struct text_reader *r, char *text, uint32_t warp);

#endif
