/* expression_head.c - the first word of an expression: operation, space, qualifiers, type. */
#include "expression/expression_parser.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { VECTOR_BYTES_MOST = 16 };

/* The last one is of expressions by themselves; a trace says otherwise what is a copy. */
static const char *const operations[] = {"ld", "st", "atom", "ldmatrix", "stmatrix", "cp"};
static const char *const matrix_words[] = {"x1",   "x2",      "x4",     "trans",       "m8n8",
                                           "sync", "aligned", "shared", "shared::cta", "b16"};
static const char *const spaces[] = {"global", "shared", "const", "local", "tex"};
static const char *const types[] = {"u8",   "s8",   "b8",  "u16", "s16", "b16",
                                    "f16",  "bf16", "u32", "s32", "b32", "f32",
                                    "tf32", "u64",  "s64", "b64", "f64", "b128"};
static const char *const load_store_qualifiers[] = {"v2", "v4", "nc"};
static const char *const atomic_qualifiers[] = {"add", "min", "max",  "inc", "dec",      "and",
                                                "or",  "xor", "exch", "cas", "increment"};

uint8_t parser_type_bytes(struct word type)
{
    unsigned bits = 0;
    if (word_find(type, types, COUNT(types)) == COUNT(types))
        return 0;
    for (size_t i = 1; i < type.length; i++)
        if (type.s[i] <= '9')
            bits = bits * 10 + (unsigned)(type.s[i] - '0');
    return (uint8_t)(bits / 8);
}

static bool read_operation(struct parser *p, struct word word)
{
    static const struct {
        uint8_t op, flags;
    } what[COUNT(operations)] = {{OP_LOAD, 0},
                                 {OP_STORE, 0},
                                 {OP_ATOMIC, 0},
                                 {OP_LOAD, ACCESS_MATRIX},
                                 {OP_STORE, ACCESS_MATRIX},
                                 {OP_LOAD, 0}};
    const size_t count = COUNT(operations) - (p->indexed == NULL);
    size_t found = word_find(word, operations, count);
    if (found == count)
        return words_fail_unknown(&p->words, word, "operation", operations, count);
    p->is_copy = found == COUNT(operations) - 1;
    p->op = what[found].op;
    p->flags = what[found].flags;
    return true;
}

static bool read_space(struct parser *p, struct word word)
{
    static const enum mem_space space_of_word[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_CONSTANT,
                                                   SPACE_LOCAL, SPACE_TEXTURE};
    const size_t found = word_find(word, spaces, COUNT(spaces));
    if (found == COUNT(spaces))
        return words_fail_unknown(&p->words, word, "space", spaces, COUNT(spaces));
    p->space = space_of_word[found];
    if (p->op == OP_STORE && (p->space == SPACE_CONSTANT || p->space == SPACE_TEXTURE))
        return words_fail(&p->words, word.s,
                          "nothing is stored in '%s'; allowed: global, shared, local",
                          spaces[found]);
    if (p->op == OP_ATOMIC && p->space != SPACE_GLOBAL && p->space != SPACE_SHARED)
        return words_fail(&p->words, word.s,
                          "there are no atomics in '%s'; allowed: global, shared", spaces[found]);
    return true;
}

/* v2, v4, nc, or the operation of an atomic. `elements` becomes what a vector holds. */
static bool read_qualifier(struct parser *p, struct word word, unsigned *elements)
{
    if (p->op == OP_ATOMIC) {
        if (word_find(word, atomic_qualifiers, COUNT(atomic_qualifiers)) ==
            COUNT(atomic_qualifiers))
            return words_fail_unknown(&p->words, word, "qualifier of an atomic", atomic_qualifiers,
                                      COUNT(atomic_qualifiers));
        p->flags |= word_is(word, "increment") ? ACCESS_INCREMENT : 0;
        return true;
    }
    switch (word_find(word, load_store_qualifiers, COUNT(load_store_qualifiers))) {
    case 0:
    case 1:
        if (*elements != 1)
            return words_fail(&p->words, word.s, "a vector is given twice; allowed: one of v2, v4");
        *elements = (unsigned)(word.s[1] - '0');
        return true;
    case 2:
        if (p->op != OP_LOAD || p->space != SPACE_GLOBAL)
            return words_fail(&p->words, word.s,
                              "'nc' does not go with this; allowed: ld.global.nc");
        p->flags = ACCESS_READ_ONLY;
        return true;
    default:
        return words_fail_unknown(&p->words, word, "qualifier", load_store_qualifiers,
                                  COUNT(load_store_qualifiers));
    }
}

static bool read_type(struct parser *p, struct word word, unsigned elements)
{
    const uint8_t bytes = parser_type_bytes(word);
    if (bytes == 0)
        return words_fail_unknown(&p->words, word, "type", types, COUNT(types));
    if (bytes * elements > VECTOR_BYTES_MOST)
        return words_fail(&p->words, word.s,
                          "v%u of %u bytes each is %u bytes; allowed: at most %d", elements, bytes,
                          bytes * elements, VECTOR_BYTES_MOST);
    if (p->op == OP_ATOMIC && bytes == 1)
        return words_fail(&p->words, word.s,
                          "there are no atomics on 1 byte; allowed: 2, 4, 8 or 16");
    if (p->flags & ACCESS_INCREMENT && (bytes != 4 || word.s[0] == 'f'))
        return words_fail(&p->words, word.s,
                          "an increment is of 4-byte integers; allowed: u32, s32, b32");
    p->type_bytes = bytes;
    p->width = (uint8_t)(bytes * elements);
    return true;
}

/* The part behind the next dot, empty at the end of the head when there is none. */
static struct word next_part(struct word head, struct word *rest)
{
    const struct word from = *rest;
    if (from.s == NULL)
        return (struct word){head.s + head.length, 0};
    return word_cut(from, '.', rest);
}

/* ldmatrix.x4, with PTX's other words or without: of x1 to x4 one has to be there. */
static bool read_matrix(struct parser *p, struct word head, struct word rest)
{
    p->space = SPACE_SHARED;
    p->width = VECTOR_BYTES_MOST;
    p->type_bytes = 2; /* b16 */
    while (rest.s != NULL) {
        const struct word part = next_part(head, &rest);
        const size_t found = word_find(part, matrix_words, COUNT(matrix_words));
        if (found == COUNT(matrix_words))
            return words_fail_unknown(&p->words, part, "qualifier of a matrix", matrix_words,
                                      COUNT(matrix_words));
        if (found < 3)
            p->row_lanes = found == 0 ? 0xff : found == 1 ? 0xffff : UINT32_MAX;
    }
    return p->row_lanes ||
           words_fail(&p->words, head.s,
                      "how many matrices is missing; allowed: one of x1, x2, x4, as in "
                      "ldmatrix.x4");
}

/* cp.async.ca.16, with PTX's words for the spaces or without. */
static bool read_copy(struct parser *p, struct word head, struct word rest)
{
    static const char *const ways[] = {"ca", "cg"};
    static const char *const sizes[] = {"4", "8", "16"};
    static const char *const filler[] = {"shared", "shared::cta", "global"};
    const struct word async = next_part(head, &rest), way = next_part(head, &rest);
    if (!word_is(async, "async"))
        return words_fail(&p->words, async.s,
                          "cp is no operation; allowed: cp.async.ca.4, "
                          "cp.async.ca.8, cp.async.ca.16, cp.async.cg.16");
    if (word_find(way, ways, COUNT(ways)) == COUNT(ways))
        return words_fail_unknown(&p->words, way, "way past or through L1", ways, COUNT(ways));
    struct word size = next_part(head, &rest);
    while (word_find(size, filler, COUNT(filler)) != COUNT(filler))
        size = next_part(head, &rest);
    const size_t found = word_find(size, sizes, COUNT(sizes));
    p->is_past_l1 = word_is(way, "cg");
    if (found == COUNT(sizes) || rest.s != NULL)
        return words_fail_unknown(&p->words, rest.s ? rest : size, "size of a copy", sizes,
                                  COUNT(sizes));
    if (p->is_past_l1 && found != 2)
        return words_fail(&p->words, size.s,
                          "past the L1 a copy is of 16 bytes; allowed: cp.async.cg.16, or "
                          "cp.async.ca.%s",
                          sizes[found]);
    p->width = (uint8_t)(4U << found);
    p->type_bytes = 1;
    p->space = SPACE_GLOBAL;
    return true;
}

bool parser_read_head(struct parser *p, struct word head)
{
    struct word rest = head;
    unsigned elements = 1;
    if (!read_operation(p, next_part(head, &rest)))
        return false;
    if (p->flags & ACCESS_MATRIX)
        return read_matrix(p, head, rest);
    if (p->is_copy)
        return read_copy(p, head, rest);
    if (!read_space(p, next_part(head, &rest)))
        return false;
    struct word part = next_part(head, &rest);
    while (rest.s != NULL) {
        if (!read_qualifier(p, part, &elements))
            return false;
        part = next_part(head, &rest);
    }
    return read_type(p, part, elements);
}
