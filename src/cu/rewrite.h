/* rewrite.h - preprocessed CUDA C++ -> C++ that any compiler takes.
 *
 * What C++ has no words for is changed, and nothing else: launches become calls of wl::launch, the
 * markers of warplens/cuda_markers.h become attributes and storage classes. Newlines and line markers
 * stay where they are, so lines in messages and in debug information are the user's.
 *
 * What cannot run under warplens at all, and is used in a file of the user's, is an error
 * (unsupported.def). The text may be any bytes.
 */
#ifndef WARPLENS_CU_REWRITE_H
#define WARPLENS_CU_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

struct rewritten {
    char *text; /* to be freed; NULL when there is an error */
    size_t length;
    char error[1024]; /* "file:line: what, what instead"; "" when there is none */
};

/* Whether it went well. */
bool cu_rewrite(const char *text, size_t length, struct rewritten *out);

/* Adds to the message of a compiler that has not found a header what to use instead: NULL when the
 * header is not one of those that are known. */
const char *cu_rewrite_header_advice(const char *header);
/* The same of a name that it does not know: NULL when it is of no library that is known. */
const char *cu_rewrite_name_advice(const char *name, size_t length);

#endif
