/* tokens.h - preprocessed C++ as an array of tokens, with the brackets paired.
 *
 * The text is any bytes: what is no C++ becomes tokens of one byte, an unfinished literal ends with
 * the text. Line markers (# 12 "file" 3) and pragmas are space between tokens; whether a token is in
 * a system header is kept with it, which line it is on is found when somebody asks.
 */
#ifndef WARPLENS_CU_TOKENS_H
#define WARPLENS_CU_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_WORD,    /* identifier or keyword */
    TOKEN_LITERAL, /* number, character, string */
    TOKEN_MARK,    /* one character of punctuation */
    TOKEN_SCOPE,   /* :: */
    TOKEN_ARROW,   /* -> */
    TOKEN_LAUNCH,  /* <<< or `<< <`, but not behind `operator` */
    TOKEN_OTHER,   /* any other punctuation of two or three characters */
};

#define TOKEN_NONE UINT32_MAX

struct token {
    uint32_t at, length;
    uint32_t match; /* the other bracket of ( ) [ ] { }; TOKEN_NONE */
    uint8_t kind;   /* enum token_kind */
    bool system;    /* in a system header */
    bool library;   /* ... of CUB's or of libcu++'s: device code as the user's is */
    uint8_t marker; /* for declarations.c */
};

struct tokens {
    const char *text;
    size_t length;
    struct token *items;
    uint32_t count;
    size_t room;
};

enum { TOKENS_TEXT_BYTES_MAX = 256 << 20 };

/* False when there is no memory, or the text is longer than TOKENS_TEXT_BYTES_MAX. The text must
 * live as long as the tokens. */
bool tokens_read(struct tokens *tokens, const char *text, size_t length);
void tokens_free(struct tokens *tokens);

/* Whether token `i` exists and is that text. */
bool tokens_is(const struct tokens *tokens, uint32_t i, const char *text);
/* ... and is that one character of punctuation. */
bool tokens_is_mark(const struct tokens *tokens, uint32_t i, char mark);
bool tokens_is_word(const struct tokens *tokens, uint32_t i);
/* Whether tokens `i` and `j` are the same text. */
bool tokens_same(const struct tokens *tokens, uint32_t i, uint32_t j);

/* The `<` of the template arguments that end with the `>` at `i`, not before `first`; TOKEN_NONE. */
uint32_t tokens_open_angle(const struct tokens *tokens, uint32_t i, uint32_t first);

/* File and line of a token by the line markers before it. */
struct token_place {
    char file[512];
    unsigned line;
};
struct token_place tokens_place(const struct tokens *tokens, uint32_t i);

#endif
