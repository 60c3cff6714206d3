/* line_capture.h - finds the costliest warp access of one source line of a kernel, under each GPU.
 */
#ifndef WARPLENS_SESSION_LINE_CAPTURE_H
#define WARPLENS_SESSION_LINE_CAPTURE_H

#include "session/session.h"

enum { CAPTURE_KINDS = SPACE_COUNT * OP_COUNT };

/* A line may load and store, from several spaces: one entry for each kind of access. Do not copy:
 * access.addr may point to addr, and access.copy to copy. */
struct captured_access {
    uint64_t count; /* accesses of this kind in the line; 0: none, and the rest is unset */
    uint64_t cost;  /* transactions, passes or sectors of the costliest one; the first of equals */
    uint64_t order;
    const char *array;
    struct warp_access access;
    uint64_t addr[WARP_LANES];
    struct async_copy copy;
};

/* Takes the run from request->source and fills captured[gpu * CAPTURE_KINDS + space * OP_COUNT + op],
 * whose texts are *info's, the caller's to release in any case. NULL, or the message of what went
 * wrong; a line without accesses is an error that names those that have some. */
const char *line_capture_run(const struct session_request *request, uint32_t line,
                             struct captured_access *captured, struct run_info **info);

#endif
