/* writer.h - the rewritten text while it is written. */
#ifndef WARPLENS_CU_WRITER_H
#define WARPLENS_CU_WRITER_H

#include "cu/rewriter.h"

struct writer {
    struct rewriter *r;
    char *text;
    size_t length, room;
    uint32_t named; /* dynamic arrays so far */
    unsigned nesting;
};

/* Without memory they note the rewriter's error. */
void writer_put_bytes(struct writer *w, const char *bytes, size_t count);
void writer_put(struct writer *w, const char *text);
void writer_put_number(struct writer *w, uint32_t number);
void writer_put_token(struct writer *w, uint32_t i);
/* What lies before token `i`; `i` may be behind the last. */
void writer_put_gap(struct writer *w, uint32_t i);
/* rewrite.c: token `i` with its edits, of which there may be several. */
void writer_put_edited(struct writer *w, uint32_t i);
/* rewrite.c: tokens [from, to), each with what lies before it and its edits, launches and inline PTX. */
void writer_put_tokens(struct writer *w, uint32_t from, uint32_t to);
void writer_put_launch(struct writer *w, const struct launch *launch);
void writer_put_assembly(struct writer *w, const struct assembly *assembly);
/* What the user's #pragma unroll N say (warplens/unroll_factors.h), behind the text. */
void writer_put_unroll_factors(struct writer *w);

#endif
