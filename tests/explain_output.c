/* explain_output.c - explanations as the tests look at them. */
#include "explain_output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "explain/explain.h"
#include "expression/expression.h"
#include "models/models.h"

enum { OUTPUT_BYTES = 1 << 17, SENTENCE_BYTES = 512 };

static FILE *file; /* written to again and again */
static char output[OUTPUT_BYTES];

/* -1: as the model has it. */
static const struct {
    const char *gpu;
    int l1_caches_global, bank_bytes;
} parts[PARTS] = {
    [FX5600] = {"fx5600", -1, -1}, [GTX280] = {"gtx280", -1, -1},
    [M2090_L1] = {"m2090", 1, -1}, [M2090_L2] = {"m2090", 0, -1},
    [K20X] = {"k20x", 0, 4},       [K20X_8] = {"k20x", 1, 8},
    [GTX980] = {"gtx980", -1, -1}, [GTX1080TI] = {"gtx1080ti", -1, -1},
    [V100] = {"v100", -1, -1},     [H200] = {"h200", -1, -1},
};

const struct gpu_model *part_choose(enum part part, struct arch *arch)
{
    const struct gpu_model *model = models_find(parts[part].gpu);
    assert_non_null(model);
    arch_from_model(model, arch);
    if (parts[part].l1_caches_global >= 0)
        arch->l1_caches_global = parts[part].l1_caches_global;
    if (parts[part].bank_bytes >= 0)
        arch->shared_bank_bytes = parts[part].bank_bytes;
    return model;
}

bool output_open(void)
{
    file = tmpfile();
    return file != NULL;
}

void output_close(void)
{
    fclose(file);
}

static const char *take_output(void)
{
    long length = ftell(file);
    assert_in_range(length, 1, OUTPUT_BYTES - 1);
    rewind(file);
    assert_int_equal(fread(output, 1, (size_t)length, file), length);
    output[length] = '\0';
    rewind(file);
    return output;
}

const char *output_text(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch)
{
    explain_access(a, model, arch, file);
    return take_output();
}

const char *output_json(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch)
{
    explain_access_json(a, model, arch, file);
    return take_output();
}

static void parse(const char *text, struct expression *e)
{
    char error[256];
    if (!expression_parse(text, e, error, sizeof error))
        fail_msg("%s", error);
}

void explain_text(enum part part, const char *expression)
{
    struct expression e;
    struct arch arch;
    const struct gpu_model *model = part_choose(part, &arch);
    parse(expression, &e);
    const struct explain_subject subject = {
        .access = &e.access, .model = model, .arch = &arch, .tile = &e.tile};
    explain_subject_text(&subject, file);
    take_output();
}

void explain_json(enum part part, const char *expression)
{
    struct expression e;
    struct arch arch;
    const struct gpu_model *model = part_choose(part, &arch);
    parse(expression, &e);
    const struct explain_subject subject = {
        .access = &e.access, .model = model, .arch = &arch, .tile = &e.tile};
    explain_subject_json(&subject, file);
    take_output();
}

void assert_line(const char *line)
{
    const char *found = strstr(output, line);
    size_t length = strlen(line);
    while (found != NULL && !((found == output || found[-1] == '\n') && found[length] == '\n'))
        found = strstr(found + 1, line);
    if (found == NULL)
        fail_msg("no line '%s' in\n%s", line, output);
}

void assert_piece(const char *piece)
{
    if (strstr(output, piece) == NULL)
        fail_msg("no '%s' in\n%s", piece, output);
}

/* A text as one line: runs of blanks become one, and none follows a comma, where lines may break.
 */
static void flow(const char *s, char *flowed)
{
    size_t length = 0;
    for (; *s != '\0'; s++) {
        bool is_blank = *s == ' ' || *s == '\n';
        char last = length == 0 ? ' ' : flowed[length - 1];
        if (!is_blank || (last != ' ' && last != ','))
            flowed[length++] = is_blank ? ' ' : *s;
    }
    flowed[length] = '\0';
}

void assert_sentence(const char *sentence)
{
    static char flowed[OUTPUT_BYTES];
    char expected[SENTENCE_BYTES];
    assert_in_range(strlen(sentence), 1, sizeof expected - 1);
    flow(sentence, expected);
    flow(output, flowed);
    if (strstr(flowed, expected) == NULL)
        fail_msg("no '%s' in\n%s", sentence, output);
}

void assert_absent(const char *piece)
{
    if (strstr(output, piece) != NULL)
        fail_msg("'%s' in\n%s", piece, output);
}
