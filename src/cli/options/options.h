/* options.h - the command line: one table of options, one struct of what was asked for. */
#ifndef WARPLENS_CLI_OPTIONS_OPTIONS_H
#define WARPLENS_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/style.h"

/* Exit statuses. */
enum {
    EXIT_OK = 0,
    EXIT_IO = 1,        /* a file or stream failed */
    EXIT_USAGE = 2,     /* bad input or usage */
    EXIT_THRESHOLD = 3, /* a threshold was not met */
    EXIT_BUG = 70,      /* a broken invariant: a bug in warplens */
};

enum { OPTION_LIST_MAX = 64, ARCH_FILES_MAX = 8 };

struct figure;

/* --confine; what is usual differs between commands. */
enum confine_choice { CONFINE_USUAL, CONFINE_YES, CONFINE_NO };

/* --accesses, of programs' kernels; what is usual differs between commands. */
enum accesses_choice {
    ACCESSES_USUAL, /* as nvcc's */
    ACCESSES_NVCC,
    ACCESSES_SOURCE,
    ACCESSES_SOURCE_IF_KNOWN, /* the source's where the compiler can */
};

/* --cache-control, in ncu's words; what is usual differs between commands. */
enum cache_control { CACHES_USUAL, CACHES_ALL, CACHES_NONE };

/* In which a command writes its result; the first is the default, for people: formats.h. */
enum format {
    FORMAT_TEXT,
    FORMAT_MARKDOWN,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_CSV,
    FORMAT_HTML,
    FORMAT_ARCH_FILE,
    FORMAT_SVG,
};

/* The commands, as bits: an option says which take it. */
enum command_bit {
    COMMAND_HELP = 0, /* takes no option */
    COMMAND_RUN = 1,
    COMMAND_COMPARE = 2,
    COMMAND_EXPLAIN = 4,
    COMMAND_KERNELS = 8,
    COMMAND_GPUS = 16,
    COMMAND_COUNTERS = 32,
    COMMAND_BENCH = 64,
    COMMAND_VALIDATE = 128,
    COMMAND_SWEEP = 256,
    COMMAND_MERGE = 512,
    COMMAND_TRACE = 1024,
    COMMAND_ADVISE = 2048,
    COMMAND_DIFF = 4096,
    COMMAND_GATE = 8192,
    COMMAND_GRADE = 16384,
    COMMAND_QUIZ = 32768,
    COMMAND_CHECK = 65536,
    /* These take kernels, traces and programs, and so what options say of those. */
    COMMAND_PROGRAMS = COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_TRACE |
                       COMMAND_DIFF | COMMAND_GATE | COMMAND_ADVISE | COMMAND_CHECK,
    /* These compile and run programs. */
    COMMAND_COMPILES = COMMAND_PROGRAMS | COMMAND_GRADE | COMMAND_VALIDATE,
    /* These run programs of which some launches can be chosen. */
    COMMAND_CHOOSES = COMMAND_PROGRAMS | COMMAND_GRADE,
    /* These judge under GPUs that can be changed. */
    COMMAND_JUDGES = (COMMAND_PROGRAMS & ~(COMMAND_TRACE | COMMAND_CHECK)) | COMMAND_VALIDATE |
                     COMMAND_SWEEP | COMMAND_GRADE | COMMAND_QUIZ,
};

/* Of an option that may be repeated, in argv; ends with NULL. */
struct word_list {
    const char *items[OPTION_LIST_MAX + 1];
    size_t count;
};

struct setting {
    char name[64];
    const char *value; /* in argv */
};

struct setting_list {
    struct setting items[OPTION_LIST_MAX];
    size_t count;
};

/* Texts are in argv; NULL: not given. */
struct options {
    const char *command;         /* for messages */
    const char *const *operands; /* at most OPTION_LIST_MAX; files to merge: any number */
    size_t operand_count;
    const char *const *program_arguments; /* behind "--"; ends with NULL */
    bool help;
    struct word_list gpus; /* --gpu arguments, each a comma list */
    struct word_list arch_files;
    struct setting_list params; /* -p */
    struct setting_list sets;   /* --set */
    bool has_format;            /* --format was given */
    enum format format;
    enum style_choice color;
    const struct figure *figure;
    const char *output;   /* -o; NULL: standard output */
    const char *counters; /* --counters */
    int64_t registers;    /* a thread; 0: unknown */
    int64_t block_first;  /* --blocks; -1: not asked for */
    int64_t block_last;
    bool full; /* --full: text with all tables */
    bool rules_only;
    bool samples; /* --sample */
    bool no_advice;
    bool is_long; /* --long */
    bool details;
    enum cache_control cache_control; /* whether caches are emptied before each launch */
    int64_t processes, processors;    /* -j; processors: 0 when not given */
    int64_t shard, shards;            /* --shard; 1/1 when not given */
    bool list;
    double min_time_us;                        /* 0: not given */
    double within_percent;                     /* 0: not given */
    struct word_list launch_skips;             /* [KERNEL=]N, of validate */
    const char *kernel_name;                   /* --kernel-name; NULL: not given */
    int64_t launch_skip;                       /* 0 when not given */
    int64_t launch_count, launches_per_kernel; /* -1: not given */
    bool trace_repeats;
    struct word_list max_errors;
    const char *trace_format; /* --format of `trace` */
    const char *from;         /* NULL: by the file's beginning */
    const char *map;
    struct word_list with;             /* further files of a program */
    struct word_list compiler_options; /* -I and -D, for programs; owned */
    enum accesses_choice accesses;
    const char *nvcc;            /* --nvcc: NVIDIA's compiler, "auto"; NULL: it is not asked */
    bool fmad;                   /* --fmad: products and sums become one operation */
    enum confine_choice confine; /* programs and the compiler */
    struct setting_list allowed; /* --allow: what those that are confined have */
    int64_t timeout_s;           /* of a program; 0: not given */
    struct option_limit {
        const char *text;
        bool is_least;
    } limits[OPTION_LIST_MAX]; /* --min and --max, in their order */
    size_t limit_count;
    const char *baseline;
    double tolerance_percent; /* -1: not given */
    const char *junit;
    bool exit_code;
    int64_t error_exitcode;   /* -1: not given */
    int64_t seed;             /* 1 when not given */
    int64_t questions;        /* of `quiz` */
    bool timeline;            /* --timeline or --timeline-block */
    int64_t timeline_block;   /* -1: not given */
    bool command_writes_data; /* JSON or CSV on standard output: nothing else goes there */
};

/* Parses argv[0..count) after the command word, and moves the operands to its front. On an error prints one message and returns
 * EXIT_USAGE; EXIT_OK otherwise. */
int options_parse(struct options *options, const char *command, enum command_bit bit, int count,
                  char **argv);

/* After options_parse, whatever it returned. */
void options_free(struct options *options);

/* From now on texts are styled or not (text/style.h): by --color, where they go, and the environment. */
void options_use_styles(const struct options *options);

/* Prints the options that a command takes. */
void options_print(enum command_bit bit);

/* "warplens COMMAND: message" on standard error; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
