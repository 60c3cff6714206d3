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

/* 13 for "13", "sm_13" or "SM_13", whether there are rules for it or not; 0 when the name is not of that form. */
int models_parse_sm(const char *name);

/* The compute capability of a GPU that is no model, by its product's name ("rtx3050": 86), to be hinted at and no
 * more; 0: not known. */
int models_guess_sm(const char *name);

/* What there is for a name that models_find does not know, for the end of a message: "; sm_86 has its rules, ...".
 * Returns `text`. */
enum { MODELS_ADVICE_BYTES = 128 };
const char *models_advice(const char *name, char text[MODELS_ADVICE_BYTES]);

#endif
