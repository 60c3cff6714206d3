/* source_texts.h - the texts of the source files that a run's accesses lie in, where they can be had. */
#ifndef WARPLENS_CLI_INPUTS_SOURCE_TEXTS_H
#define WARPLENS_CLI_INPUTS_SOURCE_TEXTS_H

#include "cli/inputs/source.h"

/* Kernels of the gallery: texts that the program carries. CUDA programs: the files of the command line, and
 * what lies beside them. Traces: none. What cannot be read is left out; false when memory is short. */
bool source_texts_add(struct run_info *info, const struct opened_source *opened);

#endif
