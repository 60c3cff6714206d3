/* options_quiz.c - options for quizzes. */
#include "cli/options/options_parts.h"
#include "text/number.h"

static const char *take_seed(struct options *o, const char *value)
{
    return text_number(value, &o->seed) && o->seed >= 0 ? NULL : "a whole number from 0 on";
}

static const char *take_questions(struct options *o, const char *value)
{
    bool fine = text_number(value, &o->questions) && o->questions >= 1 && o->questions <= 200;
    return fine ? NULL : "1 to 200";
}

const struct option options_quiz[] = {
    {NULL, "--seed", "N", COMMAND_QUIZ, "other questions; default 1", take_seed},
    {"-n", "--questions", "COUNT", COMMAND_QUIZ, "how many; default 10", take_questions},
    {0},
};
