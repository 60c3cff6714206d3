/* trace_info.h - `trace info`: what is in a trace, counted as it goes by. */
#ifndef WARPLENS_CLI_COMMANDS_TRACE_INFO_H
#define WARPLENS_CLI_COMMANDS_TRACE_INFO_H

#include <stdio.h>

#include "stream/stream.h"

struct trace_info;

struct trace_info *trace_info_new(void); /* NULL: no memory */
void trace_info_free(struct trace_info *info);
struct trace_sink trace_info_sink(struct trace_info *info);
void trace_info_print(const struct trace_info *info, const char *path, FILE *out);

#endif
