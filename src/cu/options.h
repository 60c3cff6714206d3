/* options.h - the options that a source file is preprocessed and compiled with. */
#ifndef WARPLENS_CU_OPTIONS_H
#define WARPLENS_CU_OPTIONS_H

#include "cu/build.h"
#include "cu/language.h"
#include "cu/process.h"
#include "cu/toolchain.h"

void options_add_kernel_flags(struct arguments *arguments, const struct compiler *compiler,
                              const struct cu_request *request);
/* Whether each access of the source is kept: asked for, and the compiler can. */
bool options_keep_accesses(const struct compiler *compiler, const struct cu_request *request);
/* Which accesses a program has, in the words of the option --accesses. */
const char *options_name_accesses(const struct compiler *compiler,
                                  const struct cu_request *request);
/* Whether this computer can round a product and a sum once. */
bool options_can_fmad(void);
/* Macros of a GPU, which live as long as the arguments that name them; `sm`: 90 is sm_90. */
struct gpu_macros {
    char program[32], arch[32], list[32], features[32]; /* "": none */
};
struct gpu_macros options_gpu_macros(int sm);
/* Macros, and the header in front of the file. */
void options_add_language(struct arguments *arguments, enum cu_language language,
                          const struct gpu_macros *macros);
/* The user's options, then the folders of warplens's headers. */
void options_add_folders(struct arguments *arguments, const char *const *options,
                         const struct home *home);
/* Those of the user's that matter behind the preprocessor. */
void options_add_behind(struct arguments *arguments, const char *const *options);

#endif
