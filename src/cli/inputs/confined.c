/* confined.c - options -> a confinement. */
#include "cli/inputs/confined.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "text/number.h"

static int allow(struct confinement *how, const struct options *options,
                 const struct setting *setting)
{
    int64_t value = -1;
    if (strcmp(setting->name, "read") == 0) {
        how->reads[how->read_count++] = setting->value;
        return access(setting->value, R_OK) == 0
                   ? EXIT_OK
                   : usage_error(options->command, "--allow read=%s: %s", setting->value,
                                 strerror(errno));
    }
    const bool is_number = text_number(setting->value, &value);
    const char *allowed = confinement_set_limit(how, setting->name, is_number ? value : -1);
    return allowed ? usage_error(options->command, "--allow %s=%s: allowed is %s", setting->name,
                                 setting->value, allowed)
                   : EXIT_OK;
}

int confined_choose(struct confined *confined, const struct options *options)
{
    char missing[CONFINE_ERROR_BYTES];
    *confined =
        (struct confined){.is_wanted = options->confine == CONFINE_YES, .how = confinement_usual()};
    if (!confined->is_wanted && options->allowed.count)
        return usage_error(options->command,
                           "--allow is for programs that are confined: --confine yes");
    for (size_t i = 0; i < options->allowed.count; i++) {
        int status = allow(&confined->how, options, &options->allowed.items[i]);
        if (status)
            return status;
    }
    if (!confined->is_wanted || confine_is_possible(missing))
        return EXIT_OK;
    return usage_error(options->command,
                       "cannot confine programs here: %s; --confine no runs them with all of your "
                       "rights",
                       missing);
}
