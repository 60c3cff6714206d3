/* accelsim_kernel.h - a .traceg file: one kernel. */
#ifndef WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_KERNEL_H
#define WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_KERNEL_H

#include "trace_io/accelsim/accelsim_warp.h"

/* Gives the launch to the sink; false with a message, or without one when the sink wants no more.
 * The caller sets input, sink, sort, sites and arrays. */
bool accelsim_kernel_read(struct accelsim_kernel *kernel);

#endif
