/* access_check.h - what a stream promises of an access and a launch (sim/rules/access.h, stream/stream.h),
 * checked at the edge: by readers of what they read, by writers of what they are given.
 */
#ifndef WARPLENS_STREAM_ACCESS_CHECK_H
#define WARPLENS_STREAM_ACCESS_CHECK_H

#include "stream/stream.h"

enum {
    CHECK_TEXT_BYTES = 224,
    BLOCK_THREADS_MOST = 1024,
    DYNAMIC_SHARED_MOST = 227 * 1024,
    REGISTERS_MOST = 255
};

/* NULL, or what is wrong and what is allowed, in `text`. `present`: the lanes that the warp has. */
const char *access_check(const struct warp_access *access, uint32_t present,
                         char text[CHECK_TEXT_BYTES]);

/* The same of its copy, asynchronous or bulk, beside access_check of the access. */
const char *access_check_copy(const struct warp_access *access, char text[CHECK_TEXT_BYTES]);

/* Of a step that begins no copy: groups that it leaves, its phase. */
const char *access_check_step(const struct trace_copy *copy, char text[CHECK_TEXT_BYTES]);

/* Grid, block, dynamic shared memory and registers. */
const char *launch_check(const struct launch_info *launch, char text[CHECK_TEXT_BYTES]);

#endif
