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

enum {
    INPUT_BYTES = 8192,
    ERROR_BYTES = EXPLAIN_REFUSAL_BYTES,
    CAPTION_BYTES = 512,
    CAPTION_TEXT = 400
};

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

/* What the input asks for: GPU, then accesses. */
struct question {
    const struct gpu_model *model;
    struct arch arch;
    struct expressions expressions;
    struct explain_part parts[EXPRESSIONS_MOST];
    struct explain_subject subjects[EXPRESSIONS_MOST];
    char captions[EXPRESSIONS_MOST][CAPTION_BYTES]; /* where there are several */
    char error[ERROR_BYTES];                        /* empty: fine */
};

static void make_subjects(struct question *q)
{
    const size_t count = q->expressions.count;
    for (size_t i = 0; i < count && q->error[0] == '\0'; i++) {
        const struct expression *e = &q->expressions.item[i];
        const struct word text = q->expressions.text[i];
        q->parts[i] = (struct explain_part){&e->access, &e->tile};
        snprintf(q->captions[i], CAPTION_BYTES, "Access %zu of %zu: %.*s", i + 1, count,
                 (int)(text.length < CAPTION_TEXT ? text.length : CAPTION_TEXT), text.s);
        q->subjects[i] = (struct explain_subject){.caption = count > 1 ? q->captions[i] : NULL,
                                                  .access = &e->access,
                                                  .model = q->model,
                                                  .arch = &q->arch,
                                                  .tile = &e->tile,
                                                  .parts = q->parts,
                                                  .part_count = count};
        explain_allows(&q->subjects[i], q->error);
    }
}

static void read_question(struct question *q)
{
    const char *text = input + strnlen(input, INPUT_BYTES - 2) + 1;
    input[INPUT_BYTES - 1] = '\0';
    q->error[0] = '\0';
    q->model = models_find(input);
    if (q->model == NULL) {
        snprintf(q->error, ERROR_BYTES, "there is no such GPU");
    } else if (expressions_parse(text, &q->expressions, q->error, ERROR_BYTES)) {
        arch_from_model(q->model, &q->arch);
        make_subjects(q);
    }
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
    }
    for (size_t i = 0; q.error[0] == '\0' && i < q.expressions.count; i++) {
        fputs(i == 0 ? "" : ",\n", out);
        explain_subject_json(&q.subjects[i], out);
    }
    return result_close(out);
}

static const char *draw(enum svg_place place)
{
    static struct question q;
    FILE *out = result_open();
    read_question(&q);
    if (out && q.error[0] == '\0')
        explain_accesses_svg(q.subjects, q.expressions.count, place, out);
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
