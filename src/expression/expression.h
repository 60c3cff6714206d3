/* expression.h - a warp access written by hand:
 *
 *     ld.global.f32 base=0x84 stride=4 mask=0xfffffff7
 *
 * operation.space[.qualifier ...].type, then any of these words, in any order:
 *   base=ADDRESS     address of lane 0, in bytes; 0 when not given
 *   stride=BYTES     from a lane's address to the next lane's; the width when not given; may be
 *                    negative or 0
 *   mask=BITS        bit i: lane i takes part; all lanes when not given
 *   addr=A,B,...     1 to 32 addresses for lanes 0, 1, ...; lanes beyond the list are off, and
 *                    so is a lane whose address is '-'
 *   perm=xor:K       lane t takes the address of lane t ^ K
 *   lane=I:ADDRESS   the address of lane I, after perm; may be given again for another lane
 *   if=CONDITION     lanes for which it is not 0 take part; in parentheses when it has blanks
 * Numbers are decimal or hexadecimal (0x...).
 *
 * Instead of base and stride, an index as it stands in a kernel:
 *
 *     ld.global.f32 [(threadIdx.x * stride + off) % n] stride=2 off=1 n=1024
 *
 *   [INDEX]          of the element, which is as wide as the access, from base on
 *   NAME=NUMBER      of a name that the index or the condition uses; may be negative
 *   block=X[xY[xZ]]  threads of the block; 256 when not given. Lanes beyond the block are off
 *   grid=X[xY[xZ]]   blocks; needed where gridDim is used
 *   blockIdx=X[xY[xZ]]  which block, 0 when not given
 *   warp=K           which warp of the block, 0 when not given
 * subscript.h says what an index may have. Built-in names: threadIdx, blockIdx, blockDim and gridDim with
 * .x .y .z; tx ty tz bx by bz for threadIdx and blockIdx; lane, warp, warpSize.
 *
 * Operations: ld, st, atom, and those below. Spaces: global, shared, const, local, tex (local addresses are the
 * physical, interleaved ones). Types as in PTX: u8 s8 b8 u16 s16 b16 f16 bf16 u32 s32 b32 f32
 * tf32 u64 s64 b64 f64 b128. Qualifiers: v2 or v4 (a vector, 16 bytes at most), nc (ld.global through the
 * read-only path), and for atom the name of the operation (add, min, ...), which changes nothing
 * here, but for increment: adds the constant 1 to 4-byte integers, and nobody uses the result.
 * ldmatrix.xN and stmatrix.xN, N = 1, 2, 4: the first 8 N lanes name rows of 16 bytes in shared memory; PTX's other words may be there.
 *
 * A tile, instead of base and stride (expression_layout.c; layout.h has what a layout may be):
 *
 *     ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3
 *
 *   layout=LAYOUT    from coordinates, the lanes' numbers if nothing else, to elements
 *   f16, bf16, ...   the type of the elements, where it is not the access's own
 *   swizzle=B,M,S    CuTe's Swizzle<B,M,S>, sim/rules/swizzle.h; goes with an index, and with base and stride, too
 *
 * An asynchronous copy: cp.async.ca.4, .8 or .16, cp.async.cg.16, words for the source in global memory, `to`, words for the
 * destination in shared memory. Names, if=, mask= and the warp are of both; all but names stand in front of `to`.
 */
#ifndef WARPLENS_EXPRESSION_EXPRESSION_H
#define WARPLENS_EXPRESSION_EXPRESSION_H

#include "expression/words.h"
#include "sim/rules/access.h"
#include "sim/rules/tile.h"

/* Do not copy: access.addr points to addr, in which inactive lanes are 0, and access.copy to copy. */
struct expression {
    struct warp_access access;
    uint64_t addr[WARP_LANES];
    struct async_copy copy;
    struct tile
        tile; /* of an expression by itself: of what is in shared memory, a copy's destination */
    bool has_flags;    /* of a line of a trace: flags= was given */
    struct word array; /* the same: array=; s is NULL when it was not given */
};

/* False when the text is wrong; `error` then holds one line: "column N: what; what is allowed".
 * 256 bytes are always enough for it. `out` is then undefined. */
bool expression_parse(const char *text, struct expression *out, char *error, size_t error_bytes);

/* Accesses with ';' between them: those that one layout of shared memory has to serve. */
enum { EXPRESSIONS_MOST = 4 };
struct expressions {
    uint32_t count;
    struct expression item[EXPRESSIONS_MOST];
    struct word text[EXPRESSIONS_MOST]; /* of each, without blanks around it */
};
bool expressions_parse(const char *text, struct expressions *out, char *error, size_t error_bytes);

enum { EXPRESSION_NAME_BYTES = 200, ACCESS_FLAGS = 8 };

/* What flags= calls ACCESS_...: by bit, then those of shared memory, "matrix", "cluster" and "async", and "none". */
enum { ACCESS_FLAG_WORDS = ACCESS_FLAGS + 4 };
extern const char *const access_flag_names[ACCESS_FLAG_WORDS];

/* Adds what the word says to the flags; false: it is none of them. */
bool access_flag_read(struct word word, uint8_t *flags);

/* The word for a bit of an access. */
const char *access_flag_word(const struct warp_access *a, unsigned bit);

/* Where an access stands that is a line of a trace. */
struct expression_setting {
    void *context;
    /* The value of a name in an address of that space. False: `message` says what is wrong. */
    bool (*value)(void *context, enum mem_space space, struct word name, int64_t *value,
                  char message[EXPRESSION_NAME_BYTES]);
    uint32_t lanes; /* that the warp has */
};

/* An access as a line of a trace (docs/trace-text.md): addresses are sums of numbers and names,
 * base= or addr= has to be there, and there are words for the other fields of struct warp_access.
 * It is affine when base= and stride= alone say the addresses. Lanes beyond the block are errors.
 * `at`: where in the line the access begins. */
bool expression_parse_traced(const struct words *words, const char *at,
                             const struct expression_setting *setting, struct expression *out);

/* The first word of an access alone: op, space, width and flags of `out`. */
bool expression_parse_head(const struct words *words, struct word head, struct warp_access *out);

/* Addresses of a space are below this. */
uint64_t expression_space_end(enum mem_space space, uint8_t flags);

#endif
