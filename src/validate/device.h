/* device.h - the model of a GPU that a profiler names: "Tesla V100-SXM2-16GB" -> v100. */
#ifndef WARPLENS_VALIDATE_DEVICE_H
#define WARPLENS_VALIDATE_DEVICE_H

#include "models/arch.h"

/* The model with the longest title or name that stands in the device's name as whole words, whatever
 * their case. NULL: none; a "Ti" or "SUPER" that the model has not is another chip. */
const struct gpu_model *device_model(const char *device);

#endif
