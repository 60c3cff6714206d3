/* main.c - the table of subcommands. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "text/nearest.h"

struct subcommand {
    const char *name, *operands, *help;
    enum command_bit bit;
    int (*run)(const struct options *options);
    const char *about; /* --help says this */
};

static const struct subcommand subcommands[] = {
    {"run", "KERNEL | FILE ...", "run kernels and report their memory accesses", COMMAND_RUN,
     command_run,
     "Runs kernels on the CPU and replays every warp access under the GPUs named: transactions,\n"
     "bytes and bank conflicts by their rules, then caches, DRAM partitions and an approximate\n"
     "time, per kernel, source line and array. A KERNEL is one of the gallery, or several,\n"
     "separated by commas. A FILE is a CUDA program (.cu; its arguments behind --), or a trace in\n"
     "any form that `warplens trace` reads; - is a trace on standard input.\n\n"
     "  warplens run transpose --gpu gtx280\n"
     "  warplens run reduce.cu --gpu h200 -- 1000000      compiles and runs a program of yours\n"
     "  warplens run trace.wlt --gpu m2090,h200\n"
     "  warplens run offsetCopy --gpu sm_10,sm_13 -p offset=8 --format json\n"
     "  warplens run transpose_naive --gpu gtx280 --blocks 0-63    partitions of 64 blocks"},
    {"compare", "KERNEL | FILE ...", "kernels and GPUs side by side", COMMAND_COMPARE,
     command_compare,
     "One table: a row a counter, a column a GPU. Several kernels on one GPU make a column each;\n"
     "several kernels on several GPUs make a line each for every counter. A parameter with\n"
     "several values makes as many runs.\n\n"
     "  warplens compare transpose_naive,transpose,transposeDiagonal --gpu gtx280,m2090,h200\n"
     "  warplens compare timedReduction -p blocks=1,8,16,32,64 --gpu 8800gtx"},
    {"sweep", "KERNEL[,KERNEL...]", "many runs, a line each, in shards if need be", COMMAND_SWEEP,
     command_sweep,
     "Runs every kernel with every combination of the values of -p under all GPUs, and writes a "
     "line of\n"
     "JSON for each combination, a job. Jobs have numbers, from 0; shard I of N has those whose "
     "number\n"
     "leaves I - 1 when divided by N. A job that fails is a line too, with \"error\". With -o onto "
     "a\n"
     "file that a killed sweep left it goes on there. docs/sweeps.md shows sweeps on several "
     "machines.\n\n"
     "  warplens sweep offsetCopy -p offset=0,1,2,4,8 -p n=64k,1M --gpu gtx280,h200 -j 4 -o "
     "sweep.jsonl\n"
     "  warplens sweep transpose,matrixMul --gpu v100,h200 --shard 2/8 -o shard-2.jsonl\n"
     "  warplens merge shard-*.jsonl"},
    {"merge", "FILE...", "the shards of a sweep as one table or report", COMMAND_MERGE,
     command_merge,
     "Puts the files that `warplens sweep -o` wrote together, in the order of the jobs. All lines "
     "must be\n"
     "of one sweep and every job must have one; a job that is there twice must be the same.\n\n"
     "  warplens merge shard-*.jsonl --counters gld_efficiency,time\n"
     "  warplens merge shard-*.jsonl --format json -o sweep.json"},
    {"explain", "EXPRESSION | NAME:LINE", "draw one warp access and the rule's steps",
     COMMAND_EXPLAIN, command_explain,
     "Draws the 32 lanes of one warp access against memory segments or banks, and says step by "
     "step\n"
     "what the rule of the GPU does with them.\n\n"
     "  warplens explain 'ld.global.f32 base=0x84 stride=4 mask=0xfffffff7' --gpu gtx280\n"
     "  warplens explain 'ld.shared.f32 base=0 stride=128' --gpu k20x,h200\n"
     "  warplens explain transpose:38 --gpu m2090      the line's costliest access\n"
     "  warplens explain reduce.cu:21 --gpu h200       the same in a program or a trace\n\n"
     "An expression is OP.SPACE.TYPE and words in any order:\n"
     "  OP      ld, st or atom\n"
     "  SPACE   global, shared, const, local or tex; .nc behind global is the read-only path\n"
     "  TYPE    u8 s8 b8, u16 s16 b16 f16, u32 s32 b32 f32, u64 s64 b64 f64, b128;\n"
     "          v2 or v4 before it makes a vector of 16 bytes at most: ld.global.v4.f32\n"
     "  base=ADDRESS    of lane 0, in bytes; default 0\n"
     "  stride=BYTES    to the next lane's address; default the width; may be 0 or negative\n"
     "  mask=BITS       bit i: lane i takes part; default all\n"
     "  addr=A,B,...    addresses of lanes 0, 1, ... instead of base and stride\n"
     "  perm=xor:K      lane t takes the address of lane t xor K\n"
     "  lane=I:ADDRESS  another address for lane I; may be repeated"},
    {"validate", "FILE... [KERNEL,...]", "how far the model is from measured counters",
     COMMAND_VALIDATE, command_validate,
     "Reads what a profiler measured, runs the same kernels under the model of the same GPU, and "
     "says\n"
     "for each counter how far apart they are. Files are CSV of nvprof, of ncu (details or raw "
     "page) or\n"
     "of the project's CUDA harness; docs/validate.md says how to collect them.\n\n"
     "  warplens validate harness.csv -j 2\n"
     "  warplens validate ncu.csv transpose_naive,transpose -p width=1024 -p height=1024\n"
     "  warplens validate harness.csv --max-error mean:time_us=25"},
    {"kernels", "[NAME]", "the kernels of the gallery", COMMAND_KERNELS, command_kernels,
     "Lists the gallery by topic, or one kernel with its parameters and its lesson."},
    {"gpus", "[NAME]", "the GPUs and their parameters", COMMAND_GPUS, command_gpus,
     "Lists the GPUs, or every parameter of one with its unit and source."},
    {"counters", "[NAME]", "what is counted, and what profilers call it", COMMAND_COUNTERS,
     command_counters, "Lists the counters, ratios and profiler counters, or defines one."},
    {"trace", "ACTION ...", "traces in and out", COMMAND_TRACE, command_trace,
     "Everything streams: `-` is standard input, memory stays bounded.\n\n"
     "  warplens trace record NAME -o FILE       runs a kernel or FILE.cu, keeps its accesses\n"
     "  warplens trace info FILE                 what is in a trace\n"
     "  warplens trace check FILE                what is wrong with a trace\n"
     "  warplens trace convert FILE... -o FILE   writes traces, joined, in another form\n"
     "  warplens trace cat FILE...               writes them as text\n\n"
     "Forms of traces: binary (FILE.wlt; small, nothing is lost), text (FILE.wlt.txt; to be "
     "written\n"
     "by hand), csv (FILE.csv; --map for other programs' columns), accelsim (kernelslist.g with "
     "its\n"
     ".traceg files; written into a directory), nvbit (what mem_trace prints; read only). `run`,\n"
     "`compare`, `sweep` and `explain FILE:LINE` take any of them in place of a kernel."},
    {"bench", "", "how fast warplens itself is", COMMAND_BENCH, command_bench,
     "Measures, on this machine: tracing of a coalesced copy and of volatile (lockstep) code, the\n"
     "rules alone on accesses in memory, and the model of time of the last GPU named."},
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static void print_usage(FILE *out)
{
    fprintf(out,
            "warplens shows how a GPU kernel's warps touch memory, on a machine without a GPU.\n\n"
            "usage: warplens COMMAND [options]\n\n");
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "  %-9s %-26s %s\n", subcommands[i].name, subcommands[i].operands,
                subcommands[i].help);
    fprintf(out,
            "\n`warplens COMMAND --help` says more. Exit status: 0 fine, 1 a file failed, 2 bad "
            "input,\n3 a threshold not met, 70 a bug of warplens.\n");
}

static void print_command_help(const struct subcommand *command)
{
    printf("usage: warplens %s %s [options]\n\n%s\n\n", command->name, command->operands,
           command->about);
    options_print(command->bit);
}

static int unknown_command(const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        nearest_offer(&nearest, subcommands[i].name);
    return usage_error(NULL, "unknown command %s%s; `warplens --help` lists them", name,
                       nearest_text(&nearest, text));
}

/* What went to standard output must have arrived. */
static int check_stdout(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status == EXIT_OK && errno != EPIPE)
            perror("warplens: standard output: cannot write");
        return status == EXIT_OK ? EXIT_IO : status;
    }
    return status;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write */
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return check_stdout(EXIT_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("warplens %s\n", WARPLENS_VERSION);
        return check_stdout(EXIT_OK);
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(argv[1], subcommands[i].name) != 0)
            continue;
        struct options options;
        int status = options_parse(&options, argv[1], subcommands[i].bit, argc - 2, argv + 2);
        if (status == EXIT_OK && options.help)
            print_command_help(&subcommands[i]);
        else if (status == EXIT_OK)
            status = subcommands[i].run(&options);
        return check_stdout(status);
    }
    return unknown_command(argv[1]);
}
