/* ranges.c - a range in a line of text and in JSON. Three digits are more than the range is good for. */
#include "report/ranges.h"

#include <inttypes.h>
#include <math.h>

#include "report/report.h"

/* Three digits, from 1,000 on whole numbers: a fourth would promise too much. */
static const char *rounded(double us, char text[REPORT_NUMBER_BYTES])
{
    if (us >= 999.5)
        return report_rounded(us, text);
    snprintf(text, REPORT_NUMBER_BYTES, "%.3g", us);
    return text;
}

void report_range_us(const struct time_range *range, const char *between, struct text *t)
{
    char low[REPORT_NUMBER_BYTES], high[REPORT_NUMBER_BYTES];
    if (range->state == TIME_RANGE_KNOWN)
        text_add(t, "%s%s%s", rounded(range->low_ns / 1000, low), between,
                 rounded(range->high_ns / 1000, high));
    else
        text_add(t, "-");
}

void report_range(const struct time_range *range, struct text *t)
{
    char number[REPORT_NUMBER_BYTES];
    text_start(t);
    if (range->state == TIME_RANGE_UNTIMED)
        return;
    if (range->state != TIME_RANGE_KNOWN) {
        text_add(t, "unknown: ");
        time_range_add_reason(range, t);
        return;
    }
    report_range_us(range, " to ", t);
    if (range->cell == NULL) {
        text_add(t, " us: the ranges of %s launches, added up",
                 report_number(range->launches, number));
        return;
    }
    text_add(t, " us in %d %% of cases (%s measured: ", TIME_RANGE_PERCENT,
             report_number(range->cell->launches, number));
    time_range_add_cell(range, t);
    text_add(t, ")");
}

bool report_range_json(const struct time_range *range, FILE *out)
{
    if (range->state == TIME_RANGE_UNTIMED)
        return false;
    if (range->state != TIME_RANGE_KNOWN) {
        fprintf(out, "\"time_range\":{\"unknown_since\":\"%s\"}",
                time_range_state_name(range->state));
        return true;
    }
    fprintf(out,
            "\"time_range\":{\"low_ns\":%.0f,\"high_ns\":%.0f,\"percent\":%d,\"family\":\"%s\"",
            range->low_ns, range->high_ns, TIME_RANGE_PERCENT, range->family);
    if (range->cell) {
        struct text cell;
        text_start(&cell);
        time_range_add_cell(range, &cell);
        fprintf(out, ",\"measured_launches\":%" PRIu32 ",\"like\":", range->cell->launches);
        quote_json_string(cell.s, out);
    } else {
        fprintf(out, ",\"launches_added_up\":%" PRIu64, range->launches);
    }
    fputc('}', out);
    return true;
}

static void add_order(const struct time_order *order, struct text *t)
{
    char pairs[REPORT_NUMBER_BYTES];
    text_add(t, "of %s measured pairs whose modelled times are ",
             report_number(order->pairs, pairs));
    if (isfinite(order->below))
        text_add(t, "%.3g to %.3g times apart", order->least, order->below);
    else
        text_add(t, "%.3g times apart or more", order->least);
    text_add(t, ", %.0f %% were in that order", 100 * order->in_order);
}

void report_add_overlap(const char *whose, const struct time_range *a, const struct time_range *b,
                        double ratio, struct text *t)
{
    if (!time_ranges_overlap(a, b))
        return;
    const struct time_order *order = time_order_find(a->family, ratio);
    text_add(t, " The ranges of %s overlap: ", whose);
    if (order)
        add_order(order, t);
    else
        text_add(t, "the model does not tell which is faster");
    text_add(t, ".");
}
