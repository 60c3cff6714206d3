/* expression.h - a warp access written by hand:
 *
 *     ld.global.f32 base=0x84 stride=4 mask=0xfffffff7
 *
 * operation.space[.qualifier ...].type, then any of these words, in any order:
 *   base=ADDRESS     address of lane 0, in bytes; 0 when not given
 *   stride=BYTES     from a lane's address to the next lane's; the width when not given; may be
 *                    negative or 0
 *   mask=BITS        bit i: lane i takes part; all lanes when not given
 *   addr=A,B,...     1 to 32 addresses for lanes 0, 1, ...; lanes beyond the list are off
 *   perm=xor:K       lane t takes the address of lane t ^ K
 *   lane=I:ADDRESS   the address of lane I, after perm; may be given again for another lane
 * Numbers are decimal or hexadecimal (0x...).
 *
 * Operations: ld, st, atom. Spaces: global, shared, const, local, tex (local addresses are the
 * physical, interleaved ones). Types as in PTX: u8 s8 b8 u16 s16 b16 f16 u32 s32 b32 f32 u64 s64
 * b64 f64 b128. Qualifiers: v2 or v4 (a vector, 16 bytes at most), nc (ld.global through the
 * read-only path), and for atom the name of the operation (add, min, ...), which changes nothing
 * here.
 */
#ifndef WARPLENS_EXPLAIN_EXPRESSION_H
#define WARPLENS_EXPLAIN_EXPRESSION_H

#include "sim/access.h"

/* Do not copy: access.addr points to addr, in which inactive lanes are 0. */
struct expression {
    struct warp_access access;
    uint64_t addr[WARP_LANES];
};

/* False when the text is wrong; `error` then holds one line: "column N: what; what is allowed".
 * 256 bytes are always enough for it. `out` is then undefined. */
bool expression_parse(const char *text, struct expression *out, char *error, size_t error_bytes);

#endif
