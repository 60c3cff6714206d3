/* run_figure.c - a figure shows one run under one GPU, or under all. */
#include "cli/commands/run_figure.h"

#include <string.h>

int run_figure_fits(const struct options *options, size_t runs, size_t gpus)
{
    const struct figure *figure = options->figure;
    if (runs > 1)
        return usage_error(options->command,
                           "--figure %s shows one run, and there are %zu: name one kernel, and one "
                           "value of each parameter",
                           figure->name, runs);
    if (!figure->across && gpus > 1)
        return usage_error(options->command,
                           "--figure %s shows one GPU, and there are %zu: name one with --gpu",
                           figure->name, gpus);
    if (figure->across && gpus == 1)
        return usage_error(options->command,
                           "--figure %s compares GPUs: name several, such as --gpu gtx280,h200",
                           figure->name);
    return EXIT_OK;
}

int run_figure_write(const struct options *options, const struct result *results, size_t count,
                     FILE *out)
{
    char names[256] = "";
    size_t used = 0;
    if (options->figure->has(results, count)) {
        options->figure->write(results, count, SVG_ALONE, out);
        return EXIT_OK;
    }
    for (size_t i = 0; i < figure_count && used < sizeof names; i++)
        if (figures[i].has(results, count))
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     figures[i].name);
    return usage_error(options->command,
                       "--figure %s: this run of %s on %s has nothing to show there; it has %s",
                       options->figure->name, results->info->kernel, results->gpu->name,
                       used ? names : "no figure");
}
