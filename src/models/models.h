/* models.h - the GPUs warplens knows: the list that meson.build makes from src/models/. */
#ifndef WARPLENS_MODELS_MODELS_H
#define WARPLENS_MODELS_MODELS_H

#include "models/arch.h"

/* All models, oldest compute capability first; the table ends at model_count. */
extern const struct gpu_model *const models[];
extern const size_t model_count;

/* A model by its name ("gtx280") or by its rule set ("sm_13" or "13": the default chip, or that of
 * the nearest relative). NULL when there is none. */
const struct gpu_model *models_find(const char *name);

#endif
