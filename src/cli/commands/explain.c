/* explain.c - `warplens explain`: an expression, or the costliest access of a line of a kernel.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/inputs/source.h"
#include "explain/explain.h"
#include "expression/expression.h"
#include "report/report.h"
#include "session/line_capture.h"
#include "text/memory.h"
#include "text/number.h"

enum { CAPTION_BYTES = 512 };
_Static_assert((int)EXPRESSIONS_MOST <= (int)CAPTURE_KINDS, "a list has room for either");
_Static_assert((int)EXPRESSIONS_MOST == (int)EXPLAIN_PARTS_MOST, "all of them are parts");

/* What is explained: the accesses of an expression under every GPU, or the captured ones of a line. */
struct explanation {
    const char *operand;
    struct gpu_choice gpus;
    int fault_status; /* EXIT_USAGE: the run that it is from has failed */
    enum { OF_EXPRESSION, OF_LINE } kind;
    union {
        struct expressions expressions;
        struct {
            struct captured_access *captured; /* owned: CAPTURE_KINDS under each GPU */
            struct run_info *info;            /* of the run that they are from */
        };
    };
};

/* One access under one GPU. */
struct subject {
    struct explain_subject explained;
    char caption[CAPTION_BYTES]; /* what the access is, where that is not the operand; else empty */
};

static void caption_captured(const struct explanation *e, const struct captured_access *c,
                             char caption[CAPTION_BYTES])
{
    char count[REPORT_NUMBER_BYTES];
    const bool is_copy = c->access.copy != NULL;
    snprintf(caption, CAPTION_BYTES, "%s: %s %s%s%s, the costliest of %s accesses (block %u)",
             e->operand, is_copy ? "asynchronous" : mem_space_names[c->access.space],
             mem_op_names[access_word(&c->access)], c->array[0] ? " of " : "", c->array,
             report_number(c->count, count), c->access.block);
}

static void caption_part(const struct explanation *e, size_t i, char caption[CAPTION_BYTES])
{
    const struct word text = e->expressions.text[i];
    caption[0] = '\0';
    if (e->expressions.count > 1)
        snprintf(caption, CAPTION_BYTES, "Access %zu of %u: %.*s", i + 1, e->expressions.count,
                 (int)(text.length < 400 ? text.length : 400), text.s);
}

static void list_parts(const struct explanation *e, struct explain_part parts[EXPRESSIONS_MOST])
{
    for (size_t i = 0; i < e->expressions.count; i++)
        parts[i] =
            (struct explain_part){&e->expressions.item[i].access, &e->expressions.item[i].tile};
}

static struct subject *add_subject(const struct session_gpu *gpu, struct subject *list,
                                   size_t *count)
{
    struct subject *subject = &list[(*count)++];
    subject->explained = (struct explain_subject){.model = gpu->model, .arch = &gpu->arch};
    subject->caption[0] = '\0';
    return subject;
}

static void add_expressions(const struct explanation *e, const struct session_gpu *gpu,
                            const struct explain_part parts[EXPRESSIONS_MOST], struct subject *list,
                            size_t *count)
{
    for (size_t i = 0; i < e->expressions.count; i++) {
        struct subject *subject = add_subject(gpu, list, count);
        subject->explained.access = parts[i].access;
        subject->explained.tile = parts[i].tile;
        subject->explained.parts = parts;
        subject->explained.part_count = e->expressions.count;
        caption_part(e, i, subject->caption);
    }
}

static void add_captured(const struct explanation *e, size_t gpu, struct subject *list,
                         size_t *count)
{
    for (size_t kind = 0; kind < CAPTURE_KINDS; kind++) {
        const struct captured_access *c = &e->captured[gpu * CAPTURE_KINDS + kind];
        if (c->count == 0)
            continue;
        struct subject *subject = add_subject(&e->gpus.gpus[gpu], list, count);
        subject->explained.access = &c->access;
        caption_captured(e, c, subject->caption);
    }
}

/* Fills the list, which has room for all that can be; returns how many there are. */
static size_t list_subjects(const struct explanation *e, const struct explain_part *parts,
                            struct subject *list)
{
    size_t count = 0;
    for (size_t gpu = 0; gpu < e->gpus.count; gpu++) {
        if (e->kind == OF_EXPRESSION)
            add_expressions(e, &e->gpus.gpus[gpu], parts, list, &count);
        else
            add_captured(e, gpu, list, &count);
    }
    for (size_t i = 0; i < count; i++)
        list[i].explained.caption = list[i].caption[0] ? list[i].caption : NULL;
    return count;
}

static void write_text(const struct subject *list, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i != 0)
            fputc('\n', out);
        explain_subject_text(&list[i].explained, out);
    }
}

static void write_json(const struct subject *list, size_t count, FILE *out)
{
    fputs("{\"schema\":1,\"explanations\":[\n", out);
    for (size_t i = 0; i < count; i++) {
        if (i != 0)
            fputs(",\n", out);
        explain_subject_json(&list[i].explained, out);
    }
    fputs("\n]}\n", out);
}

static void write_svg(const struct subject *list, size_t count, FILE *out)
{
    struct explain_subject subjects[CHOICE_MAX * CAPTURE_KINDS];
    for (size_t i = 0; i < count; i++)
        subjects[i] = list[i].explained;
    explain_accesses_svg(subjects, count, SVG_ALONE, out);
}

/* A GPU that does not have such an access. */
static int check_allowed(const struct explanation *e, const struct subject *list, size_t count)
{
    char refusal[EXPLAIN_REFUSAL_BYTES];
    for (size_t i = 0; i < count; i++)
        if (!explain_allows(&list[i].explained, refusal))
            return usage_error("explain", "\"%s\": %s", e->operand, refusal);
    return EXIT_OK;
}

static int write_explanation(const struct explanation *e, const struct options *options, FILE *out)
{
    struct explain_part parts[EXPRESSIONS_MOST];
    struct subject *list = memory_take(1, e->gpus.count * CAPTURE_KINDS * sizeof *list);
    if (list == NULL)
        return usage_error("explain", "no memory for the explanations of %s", e->operand);
    if (e->kind == OF_EXPRESSION)
        list_parts(e, parts);
    const size_t count = list_subjects(e, parts, list);
    const int status = check_allowed(e, list, count);
    if (status != EXIT_OK)
        ;
    else if (options->format == FORMAT_JSON)
        write_json(list, count, out);
    else if (options->format == FORMAT_SVG)
        write_svg(list, count, out);
    else
        write_text(list, count, out);
    free(list);
    return status;
}

/* "transpose:38" or "copy.wlt:7" -> kernel or file, and line, 0 when that is no number; false when the operand is an
 * expression. */
static bool split_line(const char *operand, char *kernel, size_t kernel_bytes, int64_t *line)
{
    const char *colon = strrchr(operand, ':');
    if (colon == NULL || colon == operand || strpbrk(operand, " =["))
        return false;
    snprintf(kernel, kernel_bytes, "%.*s", (int)(colon - operand), operand);
    if (!text_number(colon + 1, line))
        *line = 0;
    return true;
}

static int capture_line(struct explanation *e, const struct options *options, const char *name,
                        int64_t line)
{
    struct job_list jobs;
    int status = choose_jobs(&jobs, options, &name, 1);
    if (status)
        return status;
    e->kind = OF_LINE;
    e->info = NULL;
    e->captured = memory_take(e->gpus.count * CAPTURE_KINDS, sizeof *e->captured);
    if (e->captured == NULL)
        return usage_error("explain", "no memory for the accesses of %s", e->operand);
    struct opened_source *opened = memory_take(1, sizeof *opened);
    if (opened == NULL)
        return usage_error("explain", "no memory for a source");
    status = source_open(opened, options, &jobs.jobs[0], e->gpus.gpus);
    if (status == EXIT_OK) {
        struct session_request request = {
            .source = opened->source, .gpus = e->gpus.gpus, .gpu_count = e->gpus.count};
        const char *error = line_capture_run(&request, (uint32_t)line, e->captured, &e->info);
        const int closed = source_close(opened);
        if (error)
            status = usage_error("explain", "%s: %s", e->operand, error);
        else if (closed == EXIT_IO)
            status = closed;
        else
            e->fault_status = closed ? closed : source_tell_faults(opened, e->info);
    }
    free(opened);
    return status;
}

static int understand(struct explanation *e, const struct options *options)
{
    char kernel[4096], error[256];
    int64_t line;
    if (split_line(e->operand, kernel, sizeof kernel, &line))
        return line >= 1 && line <= INT32_MAX
                   ? capture_line(e, options, kernel, line)
                   : usage_error("explain", "%s: allowed is KERNEL:LINE with a line from 1 on",
                                 e->operand);
    if (input_kind_of(e->operand) != INPUT_KERNEL && access(e->operand, F_OK) == 0)
        return usage_error("explain", "%s: takes one of its lines, such as %s:12", e->operand,
                           e->operand);
    if (!expressions_parse(e->operand, &e->expressions, error, sizeof error))
        return usage_error("explain", "\"%s\": %s", e->operand, error);
    if (options->params.count)
        return usage_error("explain", "-p %s: an expression has no parameters",
                           options->params.items[0].name);
    return EXIT_OK;
}

static int do_explain(const struct options *options)
{
    struct explanation e = {.operand = options->operand_count ? options->operands[0] : NULL};
    struct output output;
    if (options->operand_count != 1)
        return usage_error("explain", "takes one expression such as 'ld.global.f32 base=0x84 "
                                      "stride=4', or KERNEL:LINE");
    int status = choose_gpus(&e.gpus, options);
    if (status == EXIT_OK)
        status = understand(&e, options);
    if (status == EXIT_OK)
        status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        status = write_explanation(&e, options, output.stream);
        if (status == EXIT_OK)
            status = output_close(&output);
        else
            output_discard(&output);
    }
    status = status ? status : e.fault_status;
    if (e.kind == OF_LINE) {
        free(e.captured);
        run_info_release(e.info);
    }
    return status;
}

const struct command command_explain = {
    .name = "explain",
    .operands = "EXPRESSION | NAME:LINE",
    .help = "draw one warp access and the rule's steps",
    .bit = COMMAND_EXPLAIN,
    .run = do_explain,
    .about =
        "Draws the 32 lanes of one warp access against memory segments or banks, and says step by "
        "step\n"
        "what the rule of the GPU does with them.\n\n"
        "  warplens explain 'ld.global.f32 base=0x84 stride=4 mask=0xfffffff7' --gpu gtx280\n"
        "  warplens explain 'ld.shared.f32 base=0 stride=128' --gpu k20x,h200\n"
        "  warplens explain transpose:38 --gpu m2090      the line's costliest access\n"
        "  warplens explain reduce.cu:21 --gpu h200       the same in a program or a trace\n"
        "  warplens explain transpose:38 --format svg -o transpose.svg   as a picture\n\n"
        "An expression is OP.SPACE.TYPE and words in any order:\n"
        "  OP      ld, st or atom\n"
        "  SPACE   global, shared, const, local or tex; .nc behind global is the read-only path\n"
        "  TYPE    u8 s8 b8, u16 s16 b16 f16 bf16, u32 s32 b32 f32 tf32, u64 s64 b64 f64, b128;\n"
        "          v2 or v4 before it makes a vector of 16 bytes at most: ld.global.v4.f32\n"
        "  or ldmatrix.x4, .x2, .x1, stmatrix.x4, ...: lanes name rows of 16 bytes in shared "
        "memory\n"
        "  or cp.async.ca.4, .8, .16, cp.async.cg.16: words of the source, 'to', words of the "
        "destination in\n"
        "          shared memory; GPUs from sm_80 on\n"
        "  base=ADDRESS    of lane 0, in bytes; default 0\n"
        "  stride=BYTES    to the next lane's address; default the width; may be 0 or negative\n"
        "  mask=BITS       bit i: lane i takes part; default all\n"
        "  addr=A,B,...    addresses of lanes 0, 1, ... instead of base and stride\n"
        "  perm=xor:K      lane t takes the address of lane t xor K\n"
        "  lane=I:ADDRESS  another address for lane I; may be repeated\n"
        "  if=CONDITION    lanes for which it holds take part: if=threadIdx.x%2==0\n\n"
        "Or an index as it stands in a kernel, in elements as wide as the access, from base on:\n"
        "  warplens explain 'ld.global.f32 [(threadIdx.x*stride + off) % n] stride=2 off=1 "
        "n=1024'\n"
        "  warplens explain 'ld.shared.f32 [tx*(32+pad) + ty] pad=1 block=32x8 warp=1' --gpu k20x\n"
        "  [INDEX]         C's operators, min(a, b), max(a, b), parentheses; 64 bits, signed; the "
        "names\n"
        "                  threadIdx.x blockIdx.x blockDim.x gridDim.x, .y and .z, tx ty tz bx by "
        "bz,\n"
        "                  lane, warp, warpSize, and any that NAME=NUMBER gives\n"
        "  block=32x8      threads of the block; default 256; lanes beyond the block are off\n"
        "  grid=64x64      blocks; needed where gridDim is used\n"
        "  blockIdx=3x1    which block; default 0\n"
        "  warp=K          which warp of the block; default 0\n\n"
        "Or a tile as CuTe writes it (docs/layouts.md):\n"
        "  warplens explain 'ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3' --gpu h200\n"
        "  warplens explain 'st.shared.f32 layout=32x32 o 32:32 ; ld.shared.f32 layout=32x32 o "
        "32:1'\n"
        "  layout=SHAPE:STRIDE  from a coordinate to an element; 16x64+8 is (16,64):(72,1); 'o' "
        "and a second\n"
        "                  one give each lane its coordinate; default: the lane's number, of "
        "ldmatrix down\n"
        "                  the rows, then on by 16 bytes\n"
        "  f16, bf16, ...  the type of the layout's elements; default the access's own\n"
        "  swizzle=B,M,S   CuTe's Swizzle<B,M,S> on the index of an element; on bytes where there "
        "are only\n"
        "                  base=, stride= and addr=\n"
        "  ACCESS ; ACCESS several accesses to one tile. Where shared memory has bank conflicts, "
        "the swizzles\n"
        "                  and paddings are told that serve all of them without one",
};
