/* expect.c - values held against bounds; a message that explains the first that does not hold. */
#define _GNU_SOURCE
#include "library/library.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "library/plain_numbers.h"

/* "at least 80", "at most 4", "4", "1 to 2" */
enum { WANTED_BYTES = 64 };
static const char *wanted(double least, double most, char text[WANTED_BYTES])
{
    if (isinf(most))
        snprintf(text, WANTED_BYTES, "at least %.10g", least);
    else if (isinf(least))
        snprintf(text, WANTED_BYTES, "at most %.10g", most);
    else if (least < most || most < least)
        snprintf(text, WANTED_BYTES, "%.10g to %.10g", least, most);
    else
        snprintf(text, WANTED_BYTES, "%.10g", least);
    return text;
}

/* "; global_load_requests 32, global_load_sectors 128" */
enum { RELATED_BYTES = 512 };
static const char *related(const struct warplens_counts *counts, const struct quantity *quantity,
                           char text[RELATED_BYTES])
{
    const struct counter_info *of[LIBRARY_RELATED];
    size_t count = library_find_related(quantity, of), used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used +=
            (size_t)snprintf(text + used, RELATED_BYTES - used, "%s%s %" PRIu64, i ? ", " : "; ",
                             of[i]->name, counters_get(&counts->counters, of[i]));
    return text;
}

bool warplens_expect(const struct warplens_counts *counts, const char *name, double least,
                     double most)
{
    struct library_value found;
    char place[LIBRARY_PLACE_BYTES], bound[WANTED_BYTES], behind[RELATED_BYTES];
    if (counts == NULL || !library_find_value(counts, name ? name : "", &found))
        return false;
    if (found.value >= least && found.value <= most)
        return true;
    PLAIN_NUMBERS;
    return library_fail(counts->run, "%s on %s: %s is %.10g%s%s, wanted %s%s",
                        library_place_text(counts, place),
                        warplens_gpu_name(counts->run, counts->gpu), name, found.value,
                        strcmp(found.quantity.unit, "%") == 0 ? " " : "",
                        strcmp(found.quantity.unit, "%") == 0 ? "%" : "",
                        wanted(least, most, bound), related(counts, &found.quantity, behind));
}

/* On every GPU. A run without results has no GPU that would hold: it fails. */
static bool expect_total(struct warplens_run *run, const char *name, double least, double most)
{
    bool fine = library_is_in(run, LIBRARY_DONE, "be held to anything");
    for (size_t i = 0; fine && i < run->gpu_count; i++)
        fine = warplens_expect(warplens_total(run, i), name, least, most);
    return fine;
}

static bool expect_line(struct warplens_run *run, const char *file, uint32_t line, const char *name,
                        double least, double most)
{
    bool fine = library_is_in(run, LIBRARY_DONE, "be held to anything");
    for (size_t i = 0; fine && i < run->gpu_count; i++)
        fine = warplens_expect(warplens_line(run, i, file, line), name, least, most);
    return fine;
}

static bool expect_array(struct warplens_run *run, const char *array, const char *name,
                         double least, double most)
{
    bool fine = library_is_in(run, LIBRARY_DONE, "be held to anything");
    for (size_t i = 0; fine && i < run->gpu_count; i++)
        fine = warplens_expect(warplens_array(run, i, array), name, least, most);
    return fine;
}

bool warplens_expect_total_at_least(struct warplens_run *run, const char *name, double bound)
{
    return expect_total(run, name, bound, INFINITY);
}

bool warplens_expect_total_at_most(struct warplens_run *run, const char *name, double bound)
{
    return expect_total(run, name, -INFINITY, bound);
}

bool warplens_expect_line_at_least(struct warplens_run *run, const char *file, uint32_t line,
                                   const char *name, double bound)
{
    return expect_line(run, file, line, name, bound, INFINITY);
}

bool warplens_expect_line_at_most(struct warplens_run *run, const char *file, uint32_t line,
                                  const char *name, double bound)
{
    return expect_line(run, file, line, name, -INFINITY, bound);
}

bool warplens_expect_array_at_least(struct warplens_run *run, const char *array, const char *name,
                                    double bound)
{
    return expect_array(run, array, name, bound, INFINITY);
}

bool warplens_expect_array_at_most(struct warplens_run *run, const char *array, const char *name,
                                   double bound)
{
    return expect_array(run, array, name, -INFINITY, bound);
}
