/* sweep_plan.c - sweeps that may be merged have one hash: of this version, the compiler of the kernels, the
 * arguments, the parameters that nobody named, and every field of the GPUs. It does not depend on the
 * names of --arch-file's files, which may differ between machines. */
#define _GNU_SOURCE
#include "cli/commands/sweep_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/tracer.h"
#include "text/memory.h"

/* A word of a shell's command. */
static void put_word(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./,=:+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    fputc('\'', out);
}

static void put_words(const char *option, const struct word_list *words, FILE *out)
{
    for (size_t i = 0; i < words->count; i++) {
        fprintf(out, " %s ", option);
        put_word(words->items[i], out);
    }
}

static void put_settings(const char *option, const struct setting_list *settings, FILE *out)
{
    for (size_t i = 0; i < settings->count; i++) {
        fprintf(out, " %s ", option);
        put_word(settings->items[i].name, out);
        fputc('=', out);
        put_word(settings->items[i].value, out);
    }
}

/* The arguments that say which sweep it is, in one order however they were given. */
static void put_args(const struct options *o, bool files, FILE *out)
{
    for (size_t i = 0; i < o->operand_count; i++)
        fprintf(out, "%s%s", i ? "," : "", o->operands[i]);
    put_words("--gpu", &o->gpus, out);
    if (files)
        put_words("--arch-file", &o->arch_files, out);
    put_settings("-p", &o->params, out);
    put_settings("--set", &o->sets, out);
    if (o->registers)
        fprintf(out, " --registers %" PRId64, o->registers);
    if (o->rules_only)
        fputs(" --rules-only", out);
    if (o->samples)
        fputs(" --sample", out);
    if (o->cache_control == CACHES_ALL) /* none is what is usual: the same sweep */
        fputs(" --cache-control all", out);
    if (o->fmad)
        fputs(" --fmad yes", out);
}

/* All that the lines of a sweep depend on. */
static void put_identity(const struct sweep_plan *plan, FILE *out)
{
    fprintf(out, "%s\n%s\n", WARPLENS_VERSION, plan->head.compiler);
    put_args(plan->options, false, out);
    for (size_t k = 0; k < plan->grid.input_count; k++) {
        const struct gallery_param *params = input_params(&plan->grid.inputs[k]);
        fprintf(out, "\n%s", input_name(&plan->grid.inputs[k]));
        for (size_t i = 0; i < GALLERY_PARAMS_MAX && params[i].name; i++)
            fprintf(out, " %s=%lld", params[i].name, params[i].value);
    }
    for (size_t g = 0; g < plan->gpus.count; g++) {
        fprintf(out, "\n%s", plan->gpus.gpus[g].model->name);
        for (size_t f = 0; f < arch_field_count; f++)
            fprintf(out, " %" PRId64, arch_get(&plan->gpus.gpus[g].arch, &arch_fields[f]));
    }
}

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

static bool make_head(struct sweep_plan *plan)
{
    const struct options *o = plan->options;
    char *identity = NULL;
    size_t bytes;
    plan->head.jobs = choose_job_count(&plan->grid);
    plan->head.shard = (size_t)o->shard;
    plan->head.shards = (size_t)o->shards;
    plan->head.compiler = memory_copy(tracer_compiler());
    FILE *out = plan->head.compiler ? memory_stream(&plan->head.args, &bytes) : NULL;
    if (out == NULL)
        return false;
    put_args(o, true, out);
    if (fclose(out) != 0 || (out = memory_stream(&identity, &bytes)) == NULL)
        return false;
    put_identity(plan, out);
    bool fine = fclose(out) == 0;
    if (fine)
        snprintf(plan->head.sweep, sizeof plan->head.sweep, "%016" PRIx64, hash_of(identity));
    free(identity);
    return fine;
}

int sweep_plan_start(struct sweep_plan *plan, const struct options *options)
{
    plan->options = options;
    int status = choose_gpus(&plan->gpus, options);
    if (status == EXIT_OK)
        status = choose_grid(&plan->grid, options, options->operands, options->operand_count,
                             SWEEP_JOBS_MAX);
    if (status)
        return status;
    if (!make_head(plan))
        return usage_error(options->command, "no memory for the list of jobs");
    size_t first = plan->head.shard - 1, jobs = plan->head.jobs;
    plan->count = jobs > first ? (jobs - first - 1) / plan->head.shards + 1 : 0;
    return EXIT_OK;
}

void sweep_plan_free(struct sweep_plan *plan)
{
    free(plan->head.compiler);
    free(plan->head.args);
}

size_t sweep_plan_job(const struct sweep_plan *plan, size_t k, struct job *job)
{
    size_t number = plan->head.shard - 1 + k * plan->head.shards;
    choose_job(&plan->grid, number, job);
    return number;
}

struct sweep_head sweep_plan_head(const struct sweep_plan *plan, size_t k, struct job *job)
{
    struct sweep_head head = plan->head;
    head.job = sweep_plan_job(plan, k, job);
    head.label = job->label;
    return head;
}
