/* junit.c - outcomes in the XML that CI systems show as tests: <testsuites>, a <testsuite> a run, a
 * <testcase> a limit with a <failure> when it is not met. There is no attribute of time or host: the same
 * runs give the same bytes. */
#include "gate/gate.h"

#include "text/quote.h"

static void put_attribute(const char *name, const char *value, FILE *out)
{
    fprintf(out, " %s=\"", name);
    quote_xml(value, out);
    fputc('"', out);
}

static void put_case(const struct outcome *outcome, const char *suite, FILE *out)
{
    char text[LIMIT_TEXT_BYTES], wanted[LIMIT_TEXT_BYTES], name[2 * LIMIT_TEXT_BYTES];
    snprintf(name, sizeof name, "%s %s%s", limit_subject(outcome->limit, text),
             limit_wanted(outcome->limit, wanted), outcome->limit->is_baseline ? ", baseline" : "");
    fputs("  <testcase", out);
    put_attribute("classname", suite, out);
    put_attribute("name", name, out);
    if (outcome->status == LIMIT_MET) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n   <failure", out);
    put_attribute("type", outcome->limit->is_least ? "min" : "max", out);
    snprintf(name, sizeof name, "%s, wanted %s", limit_seen(outcome, text), wanted);
    put_attribute("message", name, out);
    fputs("/>\n  </testcase>\n", out);
}

static void put_suite(const struct gate_run *run, FILE *out)
{
    char title[SHEET_TITLE_BYTES];
    size_t broken =
        gate_run_count(run, LIMIT_BROKEN, false) + gate_run_count(run, LIMIT_BROKEN, true);
    fputs(" <testsuite", out);
    put_attribute("name", sheet_title(run->sheet, title), out);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n",
            run->count - gate_run_count(run, LIMIT_NOTED, true), broken);
    for (size_t i = 0; i < run->count; i++)
        if (run->outcomes[i].status != LIMIT_NOTED)
            put_case(&run->outcomes[i], title, out);
    fputs(" </testsuite>\n", out);
}

void gate_write_junit(const struct gate *gate, FILE *out)
{
    size_t met = gate_count(gate, LIMIT_MET), broken = gate_count(gate, LIMIT_BROKEN);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"warplens gate\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
            met + broken, broken);
    for (size_t i = 0; i < gate->count; i++)
        put_suite(&gate->runs[i], out);
    fputs("</testsuites>\n", out);
}
