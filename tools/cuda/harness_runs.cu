/* harness_runs.cu - reads the list of runs; takes the failures that gallery code reports. */
#include "harness_runs.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracer/tracer.h"

gallery_args harness_run::arguments() const
{
    gallery_args args;
    args.params = kernel->params;
    memcpy(args.values, values, sizeof args.values);
    return args;
}

/* ---- Failures: traces/gallery.c tells them to the tracer, which this program has not ---------- */

static char failure[512];

void tracer_fail(const char *format, ...)
{
    va_list arguments;
    if (failure[0])
        return;
    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
}

const char *tracer_error(void)
{
    return failure[0] ? failure : NULL;
}

const char *harness_failure()
{
    return tracer_error();
}

void harness_forget_failure()
{
    failure[0] = '\0';
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static bool refuse(const char *path, int line, const std::string &what)
{
    fprintf(stderr, "%s:%d: %s\n", path, line, what.c_str());
    return false;
}

static size_t param_count(const gallery_kernel *kernel)
{
    size_t count = 0;
    while (count < GALLERY_PARAMS_MAX && kernel->params[count].name)
        count++;
    return count;
}

/* The number of the parameter in "name=value", or a message. */
static bool set_param(harness_run &run, const char *word, const char *path)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : 0;
    for (size_t i = 0; i < param_count(run.kernel) && equals; i++) {
        const gallery_param &param = run.kernel->params[i];
        if (strlen(param.name) != length || strncmp(param.name, word, length) != 0)
            continue;
        char *end;
        run.values[i] = strtoll(equals + 1, &end, 0);
        if (*end == '\0' && run.values[i] >= param.min && run.values[i] <= param.max &&
            run.values[i] % param.multiple == 0)
            return true;
        return refuse(path, run.number,
                      std::string(word) + ": allowed are " + std::to_string(param.min) + " to " +
                          std::to_string(param.max) + " in steps of " +
                          std::to_string(param.multiple));
    }
    return refuse(path, run.number,
                  std::string(word) + ": " + run.kernel->name + " has no such parameter");
}

static bool read_run(char *line, const char *path, int number, std::vector<harness_run> &runs)
{
    const char *blanks = " \t\r\n";
    line[strcspn(line, "#")] = '\0';
    const char *word = strtok(line, blanks);
    if (word == NULL)
        return true;
    harness_run run = {number, gallery_find(word), {0}, ""};
    if (run.kernel == NULL)
        return refuse(path, number, std::string("no kernel ") + word + " in the gallery");
    for (size_t i = 0; i < param_count(run.kernel); i++)
        run.values[i] = run.kernel->params[i].value;
    while ((word = strtok(NULL, blanks)))
        if (!set_param(run, word, path))
            return false;
    for (size_t i = 0; i < param_count(run.kernel); i++)
        run.parameters += (i ? " " : "") + std::string(run.kernel->params[i].name) + "=" +
                          std::to_string(run.values[i]);
    runs.push_back(run);
    return true;
}

bool harness_read_runs(const char *path, std::vector<harness_run> &runs)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    bool good = true;
    for (int number = 1; good && fgets(line, sizeof line, file); number++)
        good = read_run(line, path, number, runs);
    fclose(file);
    return good;
}

int harness_print_kernels()
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++) {
            const gallery_kernel *kernel = &gallery_topics[t]->kernels[i];
            printf("%s", kernel->name);
            for (size_t p = 0; p < param_count(kernel); p++)
                printf(" %s=%lld", kernel->params[p].name, kernel->params[p].value);
            printf("\n");
        }
    return 0;
}
