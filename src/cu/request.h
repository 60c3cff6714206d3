/* request.h - what the compiler may read for a request. */
#ifndef WARPLENS_CU_REQUEST_H
#define WARPLENS_CU_REQUEST_H

#include "cu/build.h"
#include "cu/process.h"
#include "cu/toolchain.h"

/* The sources, the folders of -I, and our own files; arguments_free frees confined->reads. False, with a message of up to
 * TOOLCHAIN_ERROR_BYTES, when a source is a symbolic link. */
bool request_confine(const struct cu_request *request, const struct home *home,
                     struct process_confined *confined, char *error);

#endif
