/* run_info.h - what a source says of its run besides accesses: what was run, and the sites. Shared by
 * the results of the run under several GPUs. */
#ifndef WARPLENS_RESULT_RUN_INFO_H
#define WARPLENS_RESULT_RUN_INFO_H

#include "result/observation.h"
#include "stream/stream.h"

enum { RUN_PARAMS_MAX = 16 };

struct run_param {
    char *name, *value;
};

/* A library's function that the program called: nothing of it was traced. */
struct run_library {
    char *function;
    uint64_t calls;
};

enum { RUN_LIBRARIES_MAX = 256 };

/* A source file that sites lie in. */
struct source_text {
    char *file, *text; /* as in trace_site; ends with '\0' */
};

/* Faults of one kind, line and array, of all launches. */
struct run_fault {
    struct trace_fault
        fault;    /* of the first launch that had them, the count of all; texts of its own */
    char *kernel; /* "": host code */
};

enum { RUN_FAULTS_MAX = 1024 };

struct run_info {
    uint32_t references;
    char *kernel, *summary; /* "" until a note says more */
    char *nvcc;             /* what NVIDIA's compiler has made of it; empty: it was not asked */
    char *compiler;         /* that built the kernels; or where a trace comes from */
    struct run_param params[RUN_PARAMS_MAX];
    size_t param_count;
    struct run_library *libraries; /* in the order of their first calls */
    size_t library_count, library_room;
    struct trace_site *sites; /* with texts of their own */
    size_t site_count, site_room;
    struct run_fault
        *faults; /* in the order in which they came; beyond RUN_FAULTS_MAX only counted */
    size_t fault_count, fault_room;
    uint64_t fault_sums[FAULT_KINDS];
    uint64_t traced, repeated,
        untraced;     /* complete launches: with steps; that repeat one; of no figures */
    char *choice;     /* the options that chose them; "" when nothing was chosen */
    bool has_stopped; /* some fault has stopped a kernel or the program: the last one of `faults` */
    struct observation *observed; /* NULL: it was not asked for */
    struct source_text *texts;    /* what could be read of the source */
    size_t text_count;
};

/* With one reference; NULL when memory is short. */
struct run_info *run_info_new(void);
void run_info_release(struct run_info *info); /* NULL: nothing to do */

/* As trace_sink.note and trace_sink.site say, false when memory is short. Notes that are not known,
 * and parameters beyond RUN_PARAMS_MAX, are left out. */
bool run_info_note(struct run_info *info, const char *key, const char *value);
bool run_info_add_site(struct run_info *info, const struct trace_site *site);

/* Counts a fault of the kernel `kernel` ("": of host code); false when memory is short. */
bool run_info_add_fault(struct run_info *info, const char *kernel, const struct trace_fault *fault);
void run_fault_free(struct run_fault *fault); /* what is in it */
/* All of them. */
uint64_t run_info_faults(const struct run_info *info);
/* The one that has stopped the run; NULL: nothing has. */
const struct run_fault *run_info_stop(const struct run_info *info);

/* Adds the text of a source file; false when memory is short. NULL: the file's text is not there. */
bool run_info_add_text(struct run_info *info, const char *file, const char *text);
const char *run_info_text(const struct run_info *info, const char *file);

/* Line `line` of a text, counted from 1, without its end; its length in *length. NULL: there is none. */
const char *source_line(const char *text, uint32_t line, size_t *length);
/* The same of a file whose text is there, without its indent. */
const char *run_info_code(const struct run_info *info, const char *file, uint32_t line,
                          size_t *length);

#endif
