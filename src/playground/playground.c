/* playground.c - what docs/playground/ runs in a browser: the expressions, rules, explanations and
 * pictures of the command line, compiled to WebAssembly by tools/playground.sh.
 *
 * The page writes its words into playground_input, each ended by a zero byte, and calls a function; what
 * that returns is a text in memory, valid until the next call. There are no imports (no_files.c):
 * nothing here can reach out of the page.
 */
#include "playground/playground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "expression/expression.h"
#include "models/models.h"
#include "text/quote.h"

enum { INPUT_BYTES = 8192, ERROR_BYTES = 256 };

static char input[INPUT_BYTES];
static char *result;

char *playground_input(void)
{
    return input;
}

/* Begins a result. */
static FILE *result_open(void)
{
    static size_t bytes;
    free(result);
    result = NULL;
    return open_memstream(&result, &bytes);
}

static const char *result_close(FILE *out)
{
    return out && fclose(out) == 0 && result ? result : "{\"error\":\"no memory\"}";
}

/* What the input asks for: GPU, then expression. */
struct question {
    const struct gpu_model *model;
    struct arch arch;
    struct expression expression;
    char error[ERROR_BYTES]; /* empty: fine */
};

static void read_question(struct question *q)
{
    const char *text = input + strnlen(input, INPUT_BYTES - 2) + 1;
    input[INPUT_BYTES - 1] = '\0';
    q->error[0] = '\0';
    q->model = models_find(input);
    if (q->model == NULL)
        snprintf(q->error, ERROR_BYTES, "there is no such GPU");
    else if (expression_parse(text, &q->expression, q->error, ERROR_BYTES))
        arch_from_model(q->model, &q->arch);
}

const char *playground_explain(void)
{
    static struct question q;
    FILE *out = result_open();
    read_question(&q);
    if (out == NULL)
        return result_close(out);
    if (q.error[0]) {
        fputs("{\"error\":", out);
        quote_json_string(q.error, out);
        fputc('}', out);
    } else {
        explain_access_json(&q.expression.access, q.model, &q.arch, out);
    }
    return result_close(out);
}

static const char *draw(enum svg_place place)
{
    static struct question q;
    FILE *out = result_open();
    read_question(&q);
    if (out && q.error[0] == '\0')
        explain_access_svg(&q.expression.access, q.model, &q.arch, place, out);
    return result_close(out);
}

const char *playground_draw(void)
{
    return draw(SVG_IN_PAGE);
}

const char *playground_draw_alone(void)
{
    return draw(SVG_ALONE);
}

const char *playground_style(void)
{
    FILE *out = result_open();
    if (out)
        svg_style_page(out);
    return result_close(out);
}

const char *playground_gpus(void)
{
    FILE *out = result_open();
    for (size_t i = 0; out && i < model_count; i++)
        fprintf(out, "%s%s\n%s\n%lld", i ? "\n" : "", models[i]->name, models[i]->title,
                (long long)models[i]->sm.value);
    return result_close(out);
}
