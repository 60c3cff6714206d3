/* arch.h - what a GPU is to the model: a table of sourced numbers, and the plain copy the model
 * uses.
 *
 * struct gpu_model is the file in src/models/: every value with its source. struct arch is the same
 * values alone. --set and the report work on the field table, so a field is one line of
 * arch_fields.def and one line in each model.
 */
#ifndef WARPLENS_MODELS_ARCH_H
#define WARPLENS_MODELS_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch {
#define FIELD(name, unit, min, max, meaning) int64_t name;
#include "models/arch_fields.def"
#undef FIELD
};

/* Where a value comes from. */
enum source {
    SOURCE_NONE,      /* not given: a model with such a field is refused by the tests */
    SOURCE_PAPER,     /* [W] vendor paper, programming guide, occupancy calculator */
    SOURCE_PUBLISHED, /* [P] published measurement */
    SOURCE_MEASURED,  /* [M] measured for this project on the part itself */
    SOURCE_FITTED,    /* [F] fitted to published or measured results */
    SOURCE_UNSURE,    /* [?] unconfirmed */
};

struct model_value {
    int64_t value;
    enum source source;
    const char *reference; /* short text: which paper, table, measurement */
    bool inherited;        /* of the capability, generation or kind of memory, not the chip's own */
};

struct gpu_model {
    const char *name;  /* as --gpu takes it: lower case letters and digits */
    const char *title; /* as the vendor calls it */
    const char *about; /* one line: what this model is good for, what is uncertain */
    bool is_default;   /* the chip that a rule set's name ("sm_13") stands for; one for each sm */
    const char *base; /* of a user's GPU: the model that its inherited values are from; else NULL */
#define FIELD(name, unit, min, max, meaning) struct model_value name;
#include "models/arch_fields.def"
#undef FIELD
};

/* One row of the field table. */
struct arch_field {
    const char *name, *unit, *meaning;
    int64_t min, max;
    size_t offset;       /* of the int64_t in struct arch */
    size_t model_offset; /* of the struct model_value in struct gpu_model */
};

extern const struct arch_field arch_fields[];
extern const size_t arch_field_count;

/* The field of that name, or NULL. */
const struct arch_field *arch_find_field(const char *name);

int64_t arch_get(const struct arch *arch, const struct arch_field *field);

/* Stores a value; false (and no change) when it is outside the field's range. */
bool arch_set(struct arch *arch, const struct arch_field *field, int64_t value);

/* NULL, or why values that lie in their ranges do not go together: a sentence that names the fields.
 * Models are held to it by a test, users' values where they come in. */
const char *arch_contradiction(const struct arch *arch);

/* Copies a model's values. */
void arch_from_model(const struct gpu_model *model, struct arch *arch);

/* The value with its source, of a field of a model. */
const struct model_value *arch_model_value(const struct gpu_model *model,
                                           const struct arch_field *field);

/* How many of a model's values are its own, and how many inherited; how many of both are unconfirmed. */
struct value_counts {
    size_t own, inherited, unsure;
};
struct value_counts arch_count_values(const struct gpu_model *model);

/* "[W]", "[P]", "[M]", "[F]", "[?]". */
const char *arch_source_tag(enum source source);

#endif
