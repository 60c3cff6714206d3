/* quiz.c - `warplens quiz`: which kernels are asked about, and whether a person answers or they
 * are written down. */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "quiz/ask.h"
#include "text/memory.h"
#include "text/text.h"

static const char default_gpus[] = "gtx280,m2090,gtx1080ti,h200";

enum { KERNELS_MOST = 256 };

struct chosen_kernels {
    struct quiz_kernel kernels[KERNELS_MOST];
    size_t count;
    bool has_patterns;
};

/* The topic of what is of no kernel. */
static const char tiles[] = "tiles";

static const struct gallery_topic *find_topic(const char *name)
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        if (strcmp(gallery_topics[t]->name, name) == 0)
            return gallery_topics[t];
    return NULL;
}

static bool has_kernel(const struct gallery_topic *topic, const struct gallery_kernel *kernel)
{
    for (size_t i = 0; i < topic->count; i++)
        if (&topic->kernels[i] == kernel)
            return true;
    return false;
}

/* The quiz's own kernels, all or those that were named. */
static void take_own(struct chosen_kernels *chosen, const struct gallery_kernel *kernel,
                     const struct gallery_topic *topic)
{
    for (size_t i = 0; i < quiz_kernel_count() && chosen->count < KERNELS_MOST; i++) {
        struct quiz_kernel *next = &chosen->kernels[chosen->count];
        quiz_kernel_get(i, next);
        chosen->count += kernel  ? next->kernel == kernel
                         : topic ? has_kernel(topic, next->kernel)
                                 : true;
    }
}

/* Those that the quiz has no rows for, as they are. */
static void take_others(struct chosen_kernels *chosen, const struct gallery_kernel *kernel,
                        const struct gallery_topic *topic)
{
    if (chosen->count != 0)
        return;
    for (size_t i = 0; topic && i < topic->count; i++)
        quiz_kernel_shrink(&topic->kernels[i], &chosen->kernels[chosen->count++]);
    if (kernel)
        quiz_kernel_shrink(kernel, &chosen->kernels[chosen->count++]);
}

static int take_with_params(struct chosen_kernels *chosen, const struct options *options)
{
    struct job_list list;
    int status = choose_jobs(&list, options, options->operands, 1);
    for (size_t i = 0; status == EXIT_OK && i < list.count; i++)
        chosen->kernels[chosen->count++] =
            (struct quiz_kernel){list.jobs[i].input.kernel, list.jobs[i].args};
    return status;
}

static int unknown_operand(const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    struct text topics;
    text_start(&topics);
    nearest_offer(&nearest, tiles);
    for (size_t t = 0; t < gallery_topic_count; t++) {
        nearest_offer(&nearest, gallery_topics[t]->name);
        text_add(&topics, "%s%s", t ? ", " : "", gallery_topics[t]->name);
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            nearest_offer(&nearest, gallery_topics[t]->kernels[i].name);
    }
    return usage_error(
        "quiz",
        "unknown kernel or topic %s%s; topics are %s, %s; `warplens kernels` lists the "
        "kernels",
        name, nearest_text(&nearest, text), topics.s, tiles);
}

static int choose_quiz_kernels(struct chosen_kernels *chosen, const struct options *options)
{
    const char *name = options->operand_count ? options->operands[0] : NULL;
    const struct gallery_kernel *kernel = name ? gallery_find(name) : NULL;
    const struct gallery_topic *topic = name && kernel == NULL ? find_topic(name) : NULL;
    const bool is_tiles = name && strcmp(name, tiles) == 0;
    chosen->count = 0;
    chosen->has_patterns = name == NULL || is_tiles;
    if (options->operand_count > 1)
        return usage_error("quiz", "takes one kernel or topic at most");
    if (name && kernel == NULL && topic == NULL && !is_tiles)
        return unknown_operand(name);
    if (options->params.count && kernel == NULL)
        return usage_error("quiz", "-p %s: allowed with the name of one kernel",
                           options->params.items[0].name);
    if (options->params.count)
        return take_with_params(chosen, options);
    if (is_tiles)
        return EXIT_OK;
    take_own(chosen, kernel, topic);
    take_others(chosen, kernel, topic);
    return EXIT_OK;
}

static int choose_quiz_gpus(struct gpu_choice *gpus, const struct options *options)
{
    struct options mixed = *options;
    if (options->gpus.count == 0 && options->arch_files.count == 0)
        mixed.gpus.items[mixed.gpus.count++] = default_gpus;
    return choose_gpus(gpus, &mixed);
}

static const char *hold(struct quiz *quiz, const struct options *options, FILE *out)
{
    const size_t count = (size_t)options->questions;
    const struct quiz_talk talk = {.in = stdin, .out = out, .echoes = !isatty(STDIN_FILENO)};
    struct quiz_score score;
    return options->list ? quiz_write_list(quiz, count, options->format == FORMAT_MARKDOWN, out)
                         : quiz_ask(quiz, count, &talk, &score);
}

static int hold_quiz(const struct options *options, const struct chosen_kernels *chosen,
                     const struct gpu_choice *gpus)
{
    const struct quiz_request request = {.kernels = chosen->kernels,
                                         .kernel_count = chosen->count,
                                         .has_patterns = chosen->has_patterns,
                                         .gpus = gpus->gpus,
                                         .gpu_count = gpus->count,
                                         .seed = (uint64_t)options->seed};
    struct output output;
    struct quiz *quiz = quiz_new(&request);
    if (quiz == NULL)
        return usage_error("quiz", "no memory for a quiz");
    int status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        const char *error = hold(quiz, options, output.stream);
        if (error)
            output_discard(&output);
        status = error ? usage_error("quiz", "%s", error) : output_close(&output);
    }
    quiz_free(quiz);
    return status;
}

static int do_quiz(const struct options *options)
{
    struct gpu_choice gpus;
    struct chosen_kernels *chosen = memory_take(1, sizeof *chosen);
    if (chosen == NULL)
        return usage_error("quiz", "no memory for the kernels");
    int status = EXIT_OK;
    if (!options->list && (options->output || options->format != FORMAT_TEXT))
        status = usage_error("quiz", "-o and --format go with --list");
    if (status == EXIT_OK)
        status = choose_quiz_gpus(&gpus, options);
    if (status == EXIT_OK)
        status = choose_quiz_kernels(chosen, options);
    if (status == EXIT_OK)
        status = hold_quiz(options, chosen, &gpus);
    free(chosen);
    return status;
}

const struct command command_quiz = {
    .name = "quiz",
    .operands = "[KERNEL|TOPIC]",
    .help = "questions about accesses, with answers",
    .bit = COMMAND_QUIZ,
    .run = do_quiz,
    .about = "Asks how many transactions, sectors, bytes or passes an access of a kernel of the "
             "gallery\n"
             "makes, says whether that is right, and why. The questions depend on --seed alone.\n\n"
             "  warplens quiz                           ten questions of all kinds\n"
             "  warplens quiz banks --gpu h200          one topic, one GPU\n"
             "  warplens quiz strideCopy -p stride=5    one kernel, with a parameter\n"
             "  warplens quiz --list --format markdown  questions and answers on a sheet\n"
             "  warplens quiz tiles --gpu h200           ldmatrix, swizzles, cp.async\n\n"
             "Topics are the files of the gallery: copy, structs, shared, banks, reduce, ...; and "
             "tiles, of\n"
             "shared memory. An unknown one is answered with all of them.",
};
