/* write.h - a finished comparison -> bytes. */
#ifndef WARPLENS_VALIDATE_WRITE_H
#define WARPLENS_VALIDATE_WRITE_H

#include "validate/validate.h"

struct write_options {
    bool details;         /* text: also a table for each launch */
    const char *compiler; /* that built the kernels */
};

/* Errors of the stream are the caller's to check. */
void write_text(const struct validation *v, const struct write_options *options, FILE *out);
void write_json(const struct validation *v, const struct write_options *options, FILE *out);
/* Columns gpu,run,kernel,parameters,launch,function,counter,measured,modelled. */
void write_csv(const struct validation *v, const struct write_options *options, FILE *out);

#endif
