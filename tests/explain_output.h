/* explain_output.h - explanations as the tests look at them: made for one of the parts below, kept
 * as text, searched for lines and sentences. A search that fails fails the test and shows the text.
 */
#ifndef WARPLENS_TESTS_EXPLAIN_OUTPUT_H
#define WARPLENS_TESTS_EXPLAIN_OUTPUT_H

#include "sim/rules/access.h"
#include "models/arch.h"

/* Every set of rules, with the switches that choose a rule. */
enum part {
    FX5600,
    GTX280,
    M2090_L1,
    M2090_L2,
    K20X,
    K20X_8,
    GTX980,
    GTX1080TI,
    V100,
    H200,
    PARTS
};

/* The model of a part, and its values with the switches set. */
const struct gpu_model *part_choose(enum part part, struct arch *arch);

/* Opens and closes the file that explanations are written to. False when there is none. */
bool output_open(void);
void output_close(void);

/* Explain an access on a GPU, as text or as JSON. The result stays until the next call. */
const char *output_text(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch);
const char *output_json(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch);

/* Explain an expression on a part. */
void explain_text(enum part part, const char *expression);
void explain_json(enum part part, const char *expression);

/* A whole line of the last explanation. */
void assert_line(const char *line);

/* A piece of it, whatever way its lines are wrapped. */
void assert_sentence(const char *sentence);

/* A piece of it to the letter, and one that must not be there. */
void assert_piece(const char *piece);
void assert_absent(const char *piece);

#endif
