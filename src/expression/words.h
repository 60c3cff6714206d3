/* words.h - a line that a person wrote, word by word: numbers, and messages with the column and what
 * is allowed. For expressions and for traces written by hand.
 */
#ifndef WARPLENS_EXPRESSION_WORDS_H
#define WARPLENS_EXPRESSION_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The line that words point into, and where the message goes. */
struct words {
    const char *text;
    char *error;
    size_t error_bytes;
};

/* A piece of the text. */
struct word {
    const char *s;
    size_t length;
};

/* Writes the error message, with the column of `at`. Always false. */
bool words_fail(const struct words *words, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a word that is not in a list: names the nearest ones and all that are allowed. */
bool words_fail_unknown(const struct words *words, struct word word, const char *what,
                        const char *const *allowed, size_t count);

/* The same where what is allowed is better said in other words than as a list. */
bool words_fail_near(const struct words *words, struct word word, const char *what,
                     const char *const *near, size_t count, const char *allowed);

/* A number from 0 to `most`. */
bool words_number(const struct words *words, struct word word, uint64_t most, uint64_t *value);

/* The next run of characters that are not blank; of length 0 at the end. */
struct word word_next(const char *s);

bool word_is(struct word word, const char *s);

/* The index of a word in a list; `count` when it is not there. */
size_t word_find(struct word word, const char *const *list, size_t count);

/* Up to the first of the characters `end`; `rest` becomes what follows that character, or an empty
 * word with s = NULL when there is none. */
struct word word_cut(struct word word, char end, struct word *rest);

#endif
