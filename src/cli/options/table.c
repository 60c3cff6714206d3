/* table.c - the options, by topic. A field of struct options and its setter go together: the macros see to
 * that. */
#include "cli/options/table.h"

#define AT(field, type)                                                                            \
    .at = offsetof(struct options, field) +                                                        \
          0 * sizeof((type *)NULL == &((struct options *)NULL)->field) /* of another type: no */
#define FLAG(field) .take = take_flag, AT(field, bool)
#define TEXT(field, what) .take = take_text, AT(field, const char *), .allowed = what
#define NUMBER(field, from, to) .take = take_number, AT(field, int64_t), .least = from, .most = to
#define REAL(field, to, what) .take = take_real, AT(field, double), .most = to, .allowed = what
#define WORDS(field, times) .take = take_word, AT(field, struct word_list), .most = times
#define SETTINGS(field) .take = take_setting, AT(field, struct setting_list)
#define LIMIT(is_least)                                                                            \
    .take = take_limit, .least = is_least, .allowed = "[PLACE:]COUNTER[@GPU]=VALUE"
#define A_FILE "a file name"
#define A_COUNT "a whole number from 0 on"
#define CACHE_CONTROL "all or none"
#define COUNTERS "all, or a comma list of counters and ratios"

const struct option option_table[] = {
    /* What is run, under which GPUs, and where results go. */
    {NULL, "--gpu", "GPU,...", COMMAND_CHECK,
     "only what holds on one of these GPUs; default: on any", WORDS(gpus, OPTION_LIST_MAX)},
    {NULL, "--gpu", "GPU,...", (COMMAND_PROGRAMS & ~COMMAND_CHECK) | COMMAND_BENCH | COMMAND_SWEEP,
     "GPUs by chip (gtx280) or rule set (sm_13); default h200", WORDS(gpus, OPTION_LIST_MAX)},
    {NULL, "--gpu", "GPU,...", COMMAND_QUIZ,
     "GPUs by chip or rule set; default gtx280,m2090,gtx1080ti,h200", WORDS(gpus, OPTION_LIST_MAX)},
    {NULL, "--gpu", "GPU", COMMAND_VALIDATE,
     "the GPU that was measured; default: the one that the files name",
     WORDS(gpus, OPTION_LIST_MAX)},
    {NULL, "--arch-file", "FILE", COMMAND_JUDGES | COMMAND_GPUS,
     "a GPU of your own; `gpus NAME --format arch-file` writes a start",
     WORDS(arch_files, ARCH_FILES_MAX), .allowed = A_FILE},
    {"-p", "--param", "PARAMETER=value",
     COMMAND_PROGRAMS | COMMAND_VALIDATE | COMMAND_SWEEP | COMMAND_QUIZ,
     "a parameter of the kernel (`warplens kernels NAME`); name=1,2,4: one run each",
     SETTINGS(params)},
    {NULL, "--set", "FIELD=value", COMMAND_JUDGES,
     "changes a field of the GPUs (l2_bytes=8M; 4M,8M: both); `warplens gpus NAME` lists them",
     SETTINGS(sets)},
    {NULL, "--counters", "all|COUNTER,...", COMMAND_COMPARE | COMMAND_MERGE,
     "the rows; default: the counters that tell layouts apart", TEXT(counters, COUNTERS)},
    {NULL, "--counters", "all|COUNTER,...", COMMAND_DIFF,
     "the rows; default: those of the counters that tell layouts apart that differ",
     TEXT(counters, COUNTERS)},
    {NULL, "--registers", "N",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_SWEEP | COMMAND_DIFF | COMMAND_GATE | COMMAND_GRADE |
         COMMAND_ADVISE,
     "registers a thread, for the occupancy; unknown if not given", NUMBER(registers, 1, 255)},
    {NULL, "--rules-only", NULL,
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_SWEEP | COMMAND_DIFF |
         COMMAND_GATE | COMMAND_GRADE,
     "no caches and no time: what follows from the rules alone", FLAG(rules_only)},
    {NULL, "--sample", NULL, COMMAND_RUN | COMMAND_COMPARE | COMMAND_SWEEP,
     "of long launches, models some waves of blocks in time; the report has the error",
     FLAG(samples)},
    {NULL, "--cache-control", "all|none",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_SWEEP | COMMAND_DIFF | COMMAND_GATE | COMMAND_GRADE |
         COMMAND_ADVISE,
     "all: caches are emptied before each launch, as ncu does; none (default): they are kept",
     .take = take_cache_control, .allowed = CACHE_CONTROL},
    {NULL, "--long", NULL, COMMAND_BENCH,
     "also traces of 10, 100 and 1000 million accesses, for their time and memory: minutes",
     FLAG(is_long)},
    {NULL, "--blocks", "FIRST-LAST", COMMAND_RUN,
     "adds the DRAM partitions that each of these blocks reads and writes", .take = take_blocks},
    {"-o", "--output", "FILE",
     COMMAND_PROGRAMS | COMMAND_COUNTERS | COMMAND_GPUS | COMMAND_KERNELS | COMMAND_VALIDATE |
         COMMAND_MERGE | COMMAND_QUIZ,
     "writes the result to a file, whole or not at all", TEXT(output, A_FILE)},
    {"-o", "--output", "DIR", COMMAND_GRADE,
     "writes a report a student and summary.csv into a folder", TEXT(output, A_FILE)},
    {"-o", "--output", "FILE", COMMAND_SWEEP,
     "adds lines to a file, line by line; runs no job whose line is there", TEXT(output, A_FILE)},

    /* Sweeps and validations. */
    {NULL, "--shard", "I/N", COMMAND_SWEEP,
     "only every N-th job, from job I - 1 on: the share of one of N machines", .take = take_shard,
     .allowed = "i/n, such as 2/8, with i from 1 to n and n up to 1000000"},
    {NULL, "--list", NULL, COMMAND_SWEEP, "prints the jobs and runs none", FLAG(list)},
    {NULL, "--list", NULL, COMMAND_QUIZ, "writes questions and answers, and asks nobody",
     FLAG(list)},
    {"-j", "--jobs", "N", COMMAND_RUN | COMMAND_COMPARE,
     "keeps N processors busy; results do not depend on it; default: all that there are",
     NUMBER(processors, 1, 256)},
    {"-j", "--jobs", "N", COMMAND_VALIDATE | COMMAND_SWEEP,
     "runs the model in N processes; default 1", NUMBER(processes, 1, 256)},
    {NULL, "--details", NULL, COMMAND_VALIDATE, "also each launch, also when there are more than 4",
     FLAG(details)},
    {NULL, "--cache-control", "all|none", COMMAND_VALIDATE,
     "all (default): caches are emptied before each launch, as ncu does; none: they are kept",
     .take = take_cache_control, .allowed = CACHE_CONTROL},
    {NULL, "--min-time", "US", COMMAND_VALIDATE,
     "leaves shorter launches out of the summary of times",
     REAL(min_time_us, 1000000000000, "a time in microseconds, from 0 on")},
    {NULL, "--within", "PERCENT", COMMAND_VALIDATE,
     "adds a column: launches whose error is at most that",
     REAL(within_percent, 1000000, "a percentage, such as 30")},
    {NULL, "--launch-skip", "[KERNEL=]N", COMMAND_VALIDATE,
     "the program's first N launches (of that kernel) are not in the files of ncu",
     WORDS(launch_skips, OPTION_LIST_MAX)},
    {NULL, "--launch-count", "N", COMMAND_VALIDATE,
     "no more than the program's next N launches are in the files of ncu: others are not traced",
     NUMBER(launch_count, 0, INT64_MAX), .allowed = A_COUNT},
    {NULL, "--max-error", "[mean:]FIGURE=PERCENT", COMMAND_VALIDATE,
     "exit status 3 when the worst (or mean) error is larger; may be repeated",
     WORDS(max_errors, OPTION_LIST_MAX)},

    /* Forms of results and traces. */
    {NULL, "--format", NULL, COMMAND_RUN,
     "how to write the result; html: a page with pictures (docs/report.md)", .take = take_format},
    {NULL, "--full", NULL, COMMAND_RUN,
     "text: every line, array, cache level, partition and profiler counter", FLAG(full)},
    {NULL, "--picture", "PICTURE", COMMAND_RUN,
     "one picture of the page alone, as SVG (docs/report.md names them)", .take = take_figure},
    {NULL, "--no-advice", NULL, COMMAND_RUN,
     "html: leaves out what would help, which takes most of the time", FLAG(no_advice)},
    {NULL, "--format", NULL, COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_DIFF,
     "how to write the result", .take = take_format},
    {NULL, "--format", NULL, COMMAND_MERGE,
     "text, csv and json as `compare` has them, jsonl as `sweep` has it", .take = take_format},
    {NULL, "--format", NULL, COMMAND_EXPLAIN, "how to write the result", .take = take_format},
    {NULL, "--format", NULL, COMMAND_GATE | COMMAND_GRADE | COMMAND_ADVISE | COMMAND_CHECK,
     "how to write the result", .take = take_format},
    {NULL, "--color", "auto|always|never",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_DIFF | COMMAND_MERGE |
         COMMAND_EXPLAIN | COMMAND_GATE | COMMAND_GRADE | COMMAND_ADVISE | COMMAND_CHECK,
     "colours in text; default auto: at a terminal, unless NO_COLOR is set", .take = take_color,
     .allowed = "auto, always or never"},
    {NULL, "--format", NULL, COMMAND_COUNTERS | COMMAND_KERNELS, "how to write the list",
     .take = take_format},
    {NULL, "--format", NULL, COMMAND_QUIZ, "how to write the sheet", .take = take_format},
    {NULL, "--format", NULL, COMMAND_GPUS,
     "how to write the list; arch-file: what --arch-file reads", .take = take_format},
    {NULL, "--format", "FORMAT", COMMAND_TRACE,
     "of the trace to write; default: by the file's name, or binary; cat: text",
     .take = take_trace_format, AT(trace_format, const char *)},
    {NULL, "--from", "FORM", COMMAND_COMPILES,
     "of the traces to read; default: what the file begins with", .take = take_trace_format,
     AT(from, const char *)},
    {NULL, "--map", "field=column,...", COMMAND_COMPILES,
     "csv traces: which column holds what (docs/trace-csv.md)",
     TEXT(map, "field=column,field=column,...")},

    /* CUDA programs. */
    {NULL, "--with", "FILE", COMMAND_COMPILES, "a further source file of a CUDA program",
     WORDS(with, OPTION_LIST_MAX - 1), .allowed = A_FILE},
    {"-I", "--include", "DIR", COMMAND_COMPILES, "where a CUDA program's headers are",
     .take = take_compiler_option, .allowed = "a directory"},
    {"-D", "--define", "MACRO[=value]", COMMAND_COMPILES, "a macro for a CUDA program",
     .take = take_compiler_option, .allowed = "MACRO or MACRO=value"},
    {NULL, "--accesses", "nvcc|source", COMMAND_COMPILES,
     "of a CUDA program: as nvcc makes them, or one for each that the source has; check: source, "
     "others: nvcc",
     .take = take_accesses, .allowed = "nvcc or source"},

    {"-k", "--kernel-name", "NAME|regex:EXPR", COMMAND_CHOOSES,
     "traces launches of this function alone, as ncu has it: a name, or what an expression matches",
     TEXT(kernel_name, "a name, or regex:EXPRESSION")},
    {NULL, "--launch-skip", "N", COMMAND_CHOOSES, "... but not the first N of them",
     NUMBER(launch_skip, 0, INT64_MAX), .allowed = A_COUNT},
    {NULL, "--launch-count", "N", COMMAND_CHOOSES, "... and N of them at most",
     NUMBER(launch_count, 0, INT64_MAX), .allowed = A_COUNT},
    {NULL, "--launches-per-kernel", "N", COMMAND_CHOOSES,
     "... of each kernel, grid, block and shared memory the first N",
     NUMBER(launches_per_kernel, 1, INT64_MAX), .allowed = "a whole number from 1 on"},
    {NULL, "--trace-repeats", NULL, COMMAND_COMPILES,
     "also traces launches that do again what one before them has done", FLAG(trace_repeats)},
    {NULL, "--fmad", "yes|no", COMMAND_COMPILES,
     "a CUDA program's a * b + c is rounded once, as nvcc has it; default: twice, as C++ has it",
     .take = take_fmad, .allowed = "yes or no"},

    {NULL, "--nvcc", "auto|FILE|off", COMMAND_COMPILES,
     "takes a CUDA program's registers and loops from NVIDIA's compiler: where it is, or auto: if "
     "it is there; default: off",
     .take = take_nvcc, .allowed = "auto, off, or the path of NVIDIA's compiler"},
    {NULL, "--confine", "yes|no", COMMAND_COMPILES,
     "keeps a CUDA program and the compiler from files, network, processes; grade: yes, others: no",
     .take = take_confine, .allowed = "yes or no"},
    {NULL, "--allow", "WHAT=value", COMMAND_COMPILES,
     "what is confined may read=PATH and take: memory=SIZE, seconds=N, disk=SIZE",
     SETTINGS(allowed)},
    {NULL, "--timeout", "SECONDS", COMMAND_PROGRAMS | COMMAND_VALIDATE,
     "ends a CUDA program after that time by the clock; what was complete is reported",
     NUMBER(timeout_s, 1, 1000000), .allowed = "a whole number of seconds, 1 to 1000000"},

    /* What results are held to. */
    {NULL, "--min", "[PLACE:]COUNTER[@GPU]=V", COMMAND_GATE,
     "the least that is allowed; may be repeated", LIMIT(true)},
    {NULL, "--max", "[PLACE:]COUNTER[@GPU]=V", COMMAND_GATE,
     "the most that is allowed; may be repeated", LIMIT(false)},
    {NULL, "--baseline", "RESULT.json", COMMAND_GATE,
     "no counter of the rules that has a direction, nor the time, may be worse than in this result",
     TEXT(baseline, A_FILE)},
    {NULL, "--tolerance", "PERCENT", COMMAND_GATE,
     "how much longer than in the baseline it may take; default 2",
     REAL(tolerance_percent, 100, "a percentage from 0 to 100")},
    {NULL, "--junit", "FILE", COMMAND_GATE, "also writes JUnit XML, whole or not at all",
     TEXT(junit, A_FILE)},
    {NULL, "--error-exitcode", "N", COMMAND_CHECK,
     "exit status when something was found; default 3", NUMBER(error_exitcode, 0, 255)},
    {NULL, "--exit-code", NULL, COMMAND_DIFF, "exit status 3 when a row differs", FLAG(exit_code)},

    {NULL, "--error-exitcode", "N", COMMAND_RUN | COMMAND_COMPARE,
     "exit status N when there is any fault, also one that a GPU lets pass",
     NUMBER(error_exitcode, 1, 125)},

    /* Quizzes. */
    {NULL, "--seed", "N", COMMAND_QUIZ, "other questions; default 1", NUMBER(seed, 0, INT64_MAX),
     .allowed = "a whole number from 0 on"},
    {"-n", "--questions", "COUNT", COMMAND_QUIZ, "how many; default 10", NUMBER(questions, 1, 200)},

    /* The timeline of a block. */
    {NULL, "--timeline", NULL, COMMAND_RUN,
     "adds what the warps of one block do when, and where their accesses are", FLAG(timeline)},
    {NULL, "--timeline-block", "N", COMMAND_RUN,
     "... of this block; default: the first of the second wave, or block 0",
     NUMBER(timeline_block, 0, UINT32_MAX), .allowed = "the index of a block, such as 0"},
    {0},
};
