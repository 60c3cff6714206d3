/* ask.c - questions, what a person types, and what is said to that. */
#include "quiz/ask.h"
#include "text/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TYPED_BYTES = 64, DIGITS_MOST = 9 };

enum typed { TYPED_NUMBER, TYPED_SKIP, TYPED_END, TYPED_NONSENSE };

/* A line without the blanks around it. What is too long is nonsense, and is cut off. False at the end
 * of the input. */
static bool read_line(FILE *in, char line[TYPED_BYTES])
{
    size_t length = 0;
    int c = fgetc(in);
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = fgetc(in))
        if (length < TYPED_BYTES - 1 && (length != 0 || (c != ' ' && c != '\t')))
            line[length++] = c >= ' ' && c <= '~' ? (char)c : '?';
    while (length != 0 && line[length - 1] == ' ')
        length--;
    line[length] = '\0';
    return true;
}

static bool is_word(const char *line, const char *word)
{
    return strcmp(line, word) == 0 || (line[0] == word[0] && line[1] == '\0');
}

static enum typed understand(const char *line, uint32_t *number)
{
    const size_t length = strlen(line);
    if (is_word(line, "skip"))
        return TYPED_SKIP;
    if (is_word(line, "quit"))
        return TYPED_END;
    if (length == 0 || length > DIGITS_MOST || strspn(line, "0123456789") != length)
        return TYPED_NONSENSE;
    *number = (uint32_t)strtoul(line, NULL, 10);
    return TYPED_NUMBER;
}

/* Asks until there is an answer, or none to come. */
static enum typed take_answer(const struct quiz_talk *talk, uint32_t *number)
{
    char line[TYPED_BYTES];
    while (true) {
        fputs("> ", talk->out);
        fflush(talk->out);
        if (!read_line(talk->in, line)) {
            fputc('\n', talk->out);
            return TYPED_END;
        }
        if (talk->echoes)
            fprintf(talk->out, "%s\n", line);
        enum typed typed = understand(line, number);
        if (typed != TYPED_NONSENSE)
            return typed;
        fputs("Allowed is a whole number, s to skip the question, q to end.\n", talk->out);
    }
}

static void comment(const struct quiz_question *question, enum typed typed, uint32_t number,
                    struct quiz_score *score, FILE *out)
{
    const bool is_right = typed == TYPED_NUMBER && number == quiz_answer(question);
    score->right += is_right;
    score->skipped += typed == TYPED_SKIP;
    score->wrong += typed == TYPED_NUMBER && !is_right;
    fputs(is_right ? "\nRight: " : typed == TYPED_SKIP ? "\nIt is " : "\nNo, it is ", out);
    quiz_write_answer(question, out);
    fputs(".\n", out);
    quiz_write_reasons(question, out);
    if (!is_right)
        fprintf(out, "Lesson: %s\n", quiz_lesson(question));
}

static void write_score(const struct quiz_score *score, size_t count, bool has_ended, FILE *out)
{
    fprintf(out, "\nScore: %zu right, %zu wrong, %zu skipped", score->right, score->wrong,
            score->skipped);
    if (score->asked < count)
        fprintf(out, "; %zu of %zu not asked%s", count - score->asked, count,
                has_ended ? "" : ", as there is nothing new to ask");
    fputs(".\n", out);
}

const char *quiz_ask(struct quiz *quiz, size_t count, const struct quiz_talk *talk,
                     struct quiz_score *score)
{
    struct quiz_question question;
    enum typed typed = TYPED_NUMBER;
    bool found = true;
    *score = (struct quiz_score){0};
    while (score->asked < count) {
        uint32_t number = 0;
        const char *error = quiz_next(quiz, &question, &found);
        if (error)
            return error;
        if (!found)
            break;
        if (score->asked == 0)
            fprintf(talk->out,
                    "Seed %" PRIu64 " (--seed N asks other questions). Answer with a number; s "
                    "skips a question, q ends.\n",
                    quiz_seed(quiz));
        fprintf(talk->out, "\n-- Question %zu of %zu\n", score->asked + 1, count);
        quiz_write_question(&question, talk->out);
        typed = take_answer(talk, &number);
        if (typed == TYPED_END)
            break;
        score->asked++;
        comment(&question, typed, number, score, talk->out);
    }
    write_score(score, count, typed == TYPED_END, talk->out);
    return NULL;
}

static void write_questions(const struct quiz_question *questions, size_t count, bool is_markdown,
                            FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, is_markdown ? "\n## Question %zu\n\n```\n" : "\n-- Question %zu\n", i + 1);
        quiz_write_question(&questions[i], out);
        fputs(is_markdown ? "```\n" : "", out);
    }
}

static void write_answers(const struct quiz_question *questions, size_t count, bool is_markdown,
                          FILE *out)
{
    fputs(is_markdown ? "\n# Answers\n" : "\n\nAnswers\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, is_markdown ? "\n## %zu: " : "\n-- %zu: ", i + 1);
        quiz_write_answer(&questions[i], out);
        fputs(is_markdown ? "\n\n```\n" : "\n", out);
        quiz_write_reasons(&questions[i], out);
        fputs(is_markdown ? "```\n" : "", out);
    }
}

const char *quiz_write_list(struct quiz *quiz, size_t count, bool is_markdown, FILE *out)
{
    struct quiz_question *questions = memory_take(count, sizeof *questions);
    const char *error = questions ? NULL : "no memory for the questions";
    size_t made = 0;
    for (bool found = true; error == NULL && found && made < count; made += found)
        error = quiz_next(quiz, &questions[made], &found);
    if (error == NULL) {
        fprintf(out, "%sQuiz, seed %" PRIu64 "\n", is_markdown ? "# " : "", quiz_seed(quiz));
        write_questions(questions, made, is_markdown, out);
        write_answers(questions, made, is_markdown, out);
    }
    free(questions);
    return error;
}
