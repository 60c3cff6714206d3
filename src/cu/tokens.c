/* tokens.c - preprocessed C++ -> tokens. */
#include "cu/tokens.h"

#include <stdlib.h>
#include <string.h>

#include "cu/line_marker.h"
#include "text/list.h"
#include "text/memory.h"

struct reader {
    struct tokens *tokens;
    const char *text;
    size_t at, length;
    bool system, library, failed;
};

/* The character `ahead` of here; 0 behind the end. */
static char peek(const struct reader *r, size_t ahead)
{
    return ahead < r->length - r->at ? r->text[r->at + ahead] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of other scripts are letters. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void token_add(struct reader *r, enum token_kind kind, size_t bytes)
{
    struct tokens *tokens = r->tokens;
    if (!LIST_MAKE_ROOM(tokens->items, tokens->count, tokens->room)) {
        r->failed = true;
        return;
    }
    tokens->items[tokens->count++] = (struct token){
        (uint32_t)r->at, (uint32_t)bytes, TOKEN_NONE, (uint8_t)kind, r->system, r->library, 0};
    r->at += bytes;
}

/* A line that begins with #, in its first column: what stands further right a macro has made, and the compiler takes it for no directive. */
static void read_directive(struct reader *r)
{
    size_t end = line_end(r->text, r->at, r->length);
    struct line_marker marker = line_marker_read(r->text, r->at, end);
    if (marker.line) {
        r->system = marker.system;
        r->library = marker.library;
    }
    r->at = end;
}

static bool at_line_start(const struct reader *r)
{
    return r->at == 0 || r->text[r->at - 1] == '\n';
}

/* ---- Tokens ----------------------------------------------------------------------------------- */

static size_t word_bytes(const struct reader *r)
{
    size_t n = 0;
    while (is_letter(peek(r, n)) || is_digit(peek(r, n)))
        n++;
    return n;
}

/* Digits, letters, dots, ' between digits, signs behind an exponent. */
static size_t number_bytes(const struct reader *r)
{
    size_t n = 1;
    for (;; n++) {
        char c = peek(r, n), before = peek(r, n - 1);
        bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
        bool hex = peek(r, 0) == '0' && (peek(r, 1) == 'x' || peek(r, 1) == 'X');
        if ((c == '+' || c == '-') && exponent && !(hex && (before == 'e' || before == 'E')))
            continue;
        if (c == '\'' && (is_letter(peek(r, n + 1)) || is_digit(peek(r, n + 1))))
            continue;
        if (!is_letter(c) && !is_digit(c) && c != '.')
            return n;
    }
}

/* A literal in quotes that begins `skip` ahead; it ends with its line at the latest. */
static size_t quoted_bytes(const struct reader *r, size_t skip)
{
    char quote = peek(r, skip);
    size_t n = skip + 1, room = r->length - r->at;
    for (; n < room && peek(r, n) != quote && peek(r, n) != '\n'; n++)
        if (peek(r, n) == '\\' && n + 1 < room)
            n++;
    return n < room && peek(r, n) == quote ? n + 1 : n;
}

/* R"delimiter( ... )delimiter", the quote `skip` ahead. */
static size_t raw_bytes(const struct reader *r, size_t skip)
{
    enum { DELIMITER_MAX = 16 };
    const char *delimiter = r->text + r->at + skip + 1;
    size_t n = 0, rest = r->length - r->at;
    while (n <= DELIMITER_MAX && skip + 1 + n < rest && delimiter[n] != '(' && delimiter[n] != '\n')
        n++;
    if (skip + 1 + n >= rest || delimiter[n] != '(')
        return quoted_bytes(r, skip);
    for (size_t i = skip + 1 + n; i + n + 1 < rest; i++) {
        const char *p = r->text + r->at + i;
        if (p[0] == ')' && memcmp(p + 1, delimiter, n) == 0 && p[n + 1] == '"')
            return i + n + 2;
    }
    return rest;
}

/* A word, or a literal with an encoding before it: u8"x", LR"(x)". */
static void read_word(struct reader *r)
{
    size_t n = word_bytes(r);
    char quote = peek(r, n), last = peek(r, n - 1);
    if (n <= 3 && quote == '"' && last == 'R')
        token_add(r, TOKEN_LITERAL, raw_bytes(r, n));
    else if (n <= 2 && (quote == '"' || quote == '\'') && strchr("uUL8", last))
        token_add(r, TOKEN_LITERAL, quoted_bytes(r, n));
    else
        token_add(r, TOKEN_WORD, n);
}

static bool operator_before(const struct tokens *tokens)
{
    return tokens->count && tokens_is(tokens, tokens->count - 1, "operator");
}

/* The bytes of <<<, also as `<< <`, which formatters of C++ make of it and which nothing else in C++ is; 0. */
static size_t launch_bytes(const struct reader *r)
{
    size_t n = 2;
    if (peek(r, 0) != '<' || peek(r, 1) != '<' || operator_before(r->tokens))
        return 0;
    while (is_space(peek(r, n)))
        n++;
    return peek(r, n) == '<' ? n + 1 : 0;
}

/* > is always one token: how many close template arguments is for the parser to say. */
static void read_punctuation(struct reader *r)
{
    const size_t launch = launch_bytes(r);
    static const char *const others[] = {"==", "!=", "<=", ">=", "&&", "||", "<<", "++", "--",
                                         "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    char a = peek(r, 0), b = peek(r, 1);
    if (launch) {
        token_add(r, TOKEN_LAUNCH, launch);
        return;
    }
    if (a == ':' && b == ':') {
        token_add(r, TOKEN_SCOPE, 2);
        return;
    }
    if (a == '-' && b == '>') {
        token_add(r, TOKEN_ARROW, 2);
        return;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (a == others[i][0] && b == others[i][1]) {
            token_add(r, TOKEN_OTHER, 2);
            return;
        }
    token_add(r, TOKEN_MARK, 1);
}

/* Comments, which a preprocessor may have been told to keep. */
static void skip_comment(struct reader *r)
{
    if (peek(r, 1) == '/') {
        r->at = line_end(r->text, r->at, r->length);
        return;
    }
    for (r->at += 2; r->at < r->length; r->at++)
        if (peek(r, 0) == '*' && peek(r, 1) == '/') {
            r->at += 2;
            return;
        }
}

static void read_token(struct reader *r)
{
    char c = peek(r, 0);
    if (is_space(c))
        r->at++;
    else if (c == '#' && at_line_start(r))
        read_directive(r);
    else if (c == '/' && (peek(r, 1) == '/' || peek(r, 1) == '*'))
        skip_comment(r);
    else if (is_letter(c))
        read_word(r);
    else if (is_digit(c) || (c == '.' && is_digit(peek(r, 1))))
        token_add(r, TOKEN_LITERAL, number_bytes(r));
    else if (c == '"' || c == '\'')
        token_add(r, TOKEN_LITERAL, quoted_bytes(r, 0));
    else
        read_punctuation(r);
}

/* ---- Brackets --------------------------------------------------------------------------------- */

static char opener_of(char closer)
{
    return closer == ')' ? '(' : closer == ']' ? '[' : closer == '}' ? '{' : '\0';
}

/* Pairs each bracket with its other one. A closer that does not fit drops what is open within the
 * nearest opener that it fits, or stands alone. */
static bool pair_brackets(struct tokens *tokens)
{
    uint32_t *open = memory_take(1, (tokens->count + 1) * sizeof *open);
    uint32_t depth = 0, of_kind[128] = {0};
    if (open == NULL)
        return false;
    for (uint32_t i = 0; i < tokens->count; i++) {
        char c = tokens->text[tokens->items[i].at];
        if (tokens->items[i].kind != TOKEN_MARK)
            continue;
        if (c == '(' || c == '[' || c == '{') {
            of_kind[(unsigned char)c]++;
            open[depth++] = i;
        }
        char opener = opener_of(c);
        if (opener == '\0' || of_kind[(unsigned char)opener] == 0)
            continue;
        char top;
        do {
            top = tokens->text[tokens->items[open[--depth]].at];
            of_kind[(unsigned char)top]--;
        } while (top != opener);
        tokens->items[i].match = open[depth];
        tokens->items[open[depth]].match = i;
    }
    free(open);
    return true;
}

bool tokens_read(struct tokens *tokens, const char *text, size_t length)
{
    struct reader r = {.tokens = tokens, .text = text, .length = length};
    *tokens = (struct tokens){.text = text, .length = length};
    if (length > TOKENS_TEXT_BYTES_MAX)
        return false;
    while (r.at < length && !r.failed)
        read_token(&r);
    if (!r.failed && pair_brackets(tokens))
        return true;
    tokens_free(tokens);
    return false;
}

void tokens_free(struct tokens *tokens)
{
    free(tokens->items);
    *tokens = (struct tokens){0};
}

/* ---- Questions -------------------------------------------------------------------------------- */

bool tokens_is(const struct tokens *tokens, uint32_t i, const char *text)
{
    size_t n = strlen(text);
    return i < tokens->count && tokens->items[i].length == n &&
           memcmp(tokens->text + tokens->items[i].at, text, n) == 0;
}

bool tokens_is_mark(const struct tokens *tokens, uint32_t i, char mark)
{
    return i < tokens->count && tokens->items[i].kind == TOKEN_MARK &&
           tokens->text[tokens->items[i].at] == mark;
}

bool tokens_is_word(const struct tokens *tokens, uint32_t i)
{
    return i < tokens->count && tokens->items[i].kind == TOKEN_WORD;
}

bool tokens_same(const struct tokens *tokens, uint32_t i, uint32_t j)
{
    const struct token *a = &tokens->items[i], *b = &tokens->items[j];
    return a->length == b->length &&
           memcmp(tokens->text + a->at, tokens->text + b->at, a->length) == 0;
}

enum { ANGLE_TOKENS_MAX = 512 };

uint32_t tokens_open_angle(const struct tokens *tokens, uint32_t i, uint32_t first)
{
    uint32_t depth = 0;
    if (i >= first + ANGLE_TOKENS_MAX)
        first = i - ANGLE_TOKENS_MAX;
    for (;; i--) {
        uint32_t match = tokens->items[i].match;
        if (tokens_is_mark(tokens, i, '>'))
            depth++;
        else if (tokens_is_mark(tokens, i, '<') && --depth == 0)
            return i;
        else if (tokens_is_mark(tokens, i, ';') || tokens_is_mark(tokens, i, '{') ||
                 tokens_is_mark(tokens, i, '(') || tokens_is_mark(tokens, i, '['))
            return TOKEN_NONE;
        else if (match < i)
            i = match;
        if (i <= first)
            return TOKEN_NONE;
    }
}

static void copy_file_name(struct token_place *place, const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes && n + 1 < sizeof place->file; i++) {
        if (text[i] == '\\' && i + 1 < bytes)
            i++;
        place->file[n++] = text[i];
    }
    place->file[n] = '\0';
}

struct token_place tokens_place(const struct tokens *tokens, uint32_t i)
{
    struct token_place place = {.file = "?", .line = 1};
    size_t stop = i < tokens->count ? tokens->items[i].at : tokens->length;
    for (size_t at = 0; at < stop;) {
        size_t end = line_end(tokens->text, at, tokens->length);
        struct line_marker marker = {0};
        if (tokens->text[at] == '#')
            marker = line_marker_read(tokens->text, at, end);
        if (end >= stop)
            break;
        if (marker.line) {
            copy_file_name(&place, tokens->text + marker.file_at, marker.file_bytes);
            place.line = marker.line;
        } else {
            place.line++;
        }
        at = end + 1;
    }
    return place;
}
