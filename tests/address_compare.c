/* address_compare.c - see address_compare.h. */
#include "address_compare.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"

/* ---- Lines ----------------------------------------------------------------------------------- */

struct address_lines address_lines(char *text)
{
    struct address_lines lines = {.text = text};
    size_t room = 1;
    for (const char *p = text; *p; p++)
        room += *p == '\n';
    lines.line = calloc(room + 1, sizeof *lines.line);
    assert_non_null(lines.line);
    for (char *p = text; *p;) {
        size_t length = strcspn(p, "\n");
        bool last = p[length] == '\0';
        p[length] = '\0';
        lines.line[lines.count++] = p;
        p += length + !last;
    }
    return lines;
}

void address_lines_free(struct address_lines *lines)
{
    free(lines->line);
    free(lines->text);
    *lines = (struct address_lines){0};
}

struct address_lines address_lines_of_run(const struct address_lines *all, const char *run)
{
    struct address_lines found = {0};
    for (size_t i = 0; i < all->count; i++) {
        bool begins = strncmp(all->line[i], "run ", 4) == 0;
        if (found.line && begins)
            break;
        if (found.line)
            found.count++;
        else if (begins && strcmp(all->line[i] + 4, run) == 0)
            found.line = &all->line[i + 1];
    }
    return found;
}

/* ---- Comparison ------------------------------------------------------------------------------ */

/* Lines `launch ...` and `warp ...` begin a part of a run. */
static bool is_heading(const char *line)
{
    return strncmp(line, "launch ", 7) == 0 || strncmp(line, "warp ", 5) == 0;
}

/* The end of the part that begins at line `begin`. */
static size_t part_end(const struct address_lines *lines, size_t begin)
{
    size_t end = begin + 1;
    while (end < lines->count && !is_heading(lines->line[end]))
        end++;
    return end;
}

/* Compares the accesses of two lines: everything but the second word, the source line. */
static int compare_accesses(const char *a, const char *b)
{
    size_t a_op = strcspn(a, " "), b_op = strcspn(b, " ");
    int order = strncmp(a, b, a_op > b_op ? a_op : b_op);
    if (order || a[a_op] == '\0')
        return order;
    const char *a_rest = strchr(a + a_op + 1, ' '), *b_rest = strchr(b + b_op + 1, ' ');
    return strcmp(a_rest ? a_rest : "", b_rest ? b_rest : "");
}

static int compare_for_sort(const void *a, const void *b)
{
    return compare_accesses(*(char *const *)a, *(char *const *)b);
}

static char **sorted(char *const *lines, size_t count)
{
    char **copy = malloc((count + 1) * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, lines, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, compare_for_sort);
    return copy;
}

/* The first place where two lists differ; `count` when nowhere. */
static size_t first_difference(char *const *a, char *const *b, size_t count)
{
    size_t i = 0;
    while (i < count && compare_accesses(a[i], b[i]) == 0)
        i++;
    return i;
}

static bool same_set(char *const *a, char *const *b, size_t count)
{
    char **a_sorted = sorted(a, count), **b_sorted = sorted(b, count);
    bool same = first_difference(a_sorted, b_sorted, count) == count;
    free(a_sorted);
    free(b_sorted);
    return same;
}

/* One part: lines [begin, end) of each, the heading first. */
struct part {
    char *const *gpu, *const *cpu;
    size_t gpu_count, cpu_count;
};

static enum address_match compare_part(const struct part *part, char *message, size_t bytes)
{
    size_t least = part->gpu_count < part->cpu_count ? part->gpu_count : part->cpu_count;
    size_t at = first_difference(part->gpu, part->cpu, least);
    if (at == least && part->gpu_count == part->cpu_count)
        return ADDRESSES_AGREE;
    bool other_order =
        part->gpu_count == part->cpu_count && same_set(part->gpu, part->cpu, part->gpu_count);
    snprintf(message, bytes,
             "%s: %s from access %zu on (GPU %zu accesses, CPU %zu)\n  GPU: %s\n  CPU: %s",
             part->gpu[0], other_order ? "another order" : "other accesses", at,
             part->gpu_count - 1, part->cpu_count - 1,
             at < part->gpu_count ? part->gpu[at] : "(no access)",
             at < part->cpu_count ? part->cpu[at] : "(no access)");
    return other_order ? ADDRESSES_IN_OTHER_ORDER : ADDRESSES_DIFFER;
}

enum address_match address_compare(const struct address_lines *gpu, const struct address_lines *cpu,
                                   char *message, size_t bytes)
{
    enum address_match worst = ADDRESSES_AGREE;
    size_t g = 0, c = 0;
    char here[4096];
    message[0] = '\0';
    while (g < gpu->count && c < cpu->count && strcmp(gpu->line[g], cpu->line[c]) == 0) {
        size_t g_end = part_end(gpu, g), c_end = part_end(cpu, c);
        struct part part = {gpu->line + g, cpu->line + c, g_end - g, c_end - c};
        enum address_match match = compare_part(&part, here, sizeof here);
        if (match > worst) {
            worst = match;
            snprintf(message, bytes, "%s", here);
        }
        g = g_end;
        c = c_end;
    }
    if (g == gpu->count && c == cpu->count)
        return worst;
    snprintf(message, bytes, "other launches or warps\n  GPU: %s\n  CPU: %s",
             g < gpu->count ? gpu->line[g] : "(end)", c < cpu->count ? cpu->line[c] : "(end)");
    return ADDRESSES_DIFFER;
}
