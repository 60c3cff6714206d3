/* options.h - the command line: one table of options, one struct of what was asked for. */
#ifndef WARPLENS_CLI_OPTIONS_OPTIONS_H
#define WARPLENS_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses. */
enum {
    EXIT_OK = 0,
    EXIT_IO = 1,        /* a file or stream failed */
    EXIT_USAGE = 2,     /* bad input or usage */
    EXIT_THRESHOLD = 3, /* a threshold was not met */
    EXIT_BUG = 70,      /* a broken invariant: a bug in warplens */
};

enum { OPTION_LIST_MAX = 64 };

struct report_format;
struct figure;

enum format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MARKDOWN,
    FORMAT_ARCH_FILE,
    FORMAT_JSONL,
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
    /* These take kernels, traces and programs, and so what options say of those. */
    COMMAND_PROGRAMS = COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_TRACE |
                       COMMAND_DIFF | COMMAND_GATE | COMMAND_ADVISE,
    /* These judge under GPUs that can be changed. */
    COMMAND_JUDGES = (COMMAND_PROGRAMS & ~COMMAND_TRACE) | COMMAND_VALIDATE | COMMAND_SWEEP |
                     COMMAND_GRADE | COMMAND_QUIZ,
};

struct setting {
    char name[64];
    const char *value; /* in argv */
};

struct options {
    const char *command;         /* for messages */
    const char *const *operands; /* at most OPTION_LIST_MAX; files to merge: any number */
    size_t operand_count;
    const char *gpus[OPTION_LIST_MAX]; /* --gpu arguments, each a comma list */
    size_t gpu_count;
    const char *arch_files[OPTION_LIST_MAX]; /* --arch-file */
    size_t arch_file_count;
    struct setting params[OPTION_LIST_MAX]; /* -p */
    size_t param_count;
    struct setting sets[OPTION_LIST_MAX]; /* --set */
    size_t set_count;
    enum format format;
    const struct report_format *report; /* --format of `run`; NULL: not given */
    const struct figure *figure;        /* --figure; NULL: not given */
    const char *output;                 /* -o, NULL: standard output */
    const char *counters;               /* --counters, NULL: not given */
    int64_t registers;                  /* --registers; 0: unknown */
    int64_t block_first;                /* --blocks; -1: not asked for */
    int64_t block_last;
    bool rules_only;                         /* --rules-only */
    bool is_long;                            /* --long */
    bool details;                            /* --details */
    bool warm_launches;                      /* --warm-launches */
    int64_t jobs;                            /* -j; processes */
    int64_t shard, shards;                   /* --shard; 1/1 when not given */
    bool list;                               /* --list */
    double min_time_us;                      /* --min-time; 0: not given */
    const char *max_errors[OPTION_LIST_MAX]; /* --max-error */
    size_t max_error_count;
    const char *trace_format;          /* --format of `trace`; NULL: not given */
    const char *from;                  /* --from; NULL: by the file's beginning */
    const char *map;                   /* --map; NULL: not given */
    const char *with[OPTION_LIST_MAX]; /* --with: further files of a program */
    size_t with_count;
    const char *compiler_options[OPTION_LIST_MAX + 1]; /* -I and -D, for programs; ends with NULL */
    size_t compiler_option_count;
    const char *const *program_arguments; /* behind "--"; NULL: none; ends with NULL */
    struct option_limit {
        const char *text;
        bool is_least;
    } limits[OPTION_LIST_MAX]; /* --min and --max, in their order */
    size_t limit_count;
    const char *baseline;      /* --baseline; NULL: not given */
    double tolerance_percent;  /* --tolerance */
    const char *junit;         /* --junit; NULL: not given */
    bool exit_code;            /* --exit-code */
    int64_t seed;              /* --seed; 1 when not given */
    int64_t questions;         /* -n of `quiz` */
    bool timeline;             /* --timeline */
    bool timeline_block_given; /* --timeline-block */
    uint32_t timeline_block;
    bool command_writes_data; /* JSON or CSV on standard output: nothing else goes there */
    bool help;
};

/* Parses argv[0..count) after the command word, and moves the operands to its front. On an error prints one message and returns
 * EXIT_USAGE; EXIT_OK otherwise. */
int options_parse(struct options *options, const char *command, enum command_bit bit, int count,
                  char **argv);

/* Prints the options that a command takes. */
void options_print(enum command_bit bit);

/* "warplens COMMAND: message" on standard error; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
