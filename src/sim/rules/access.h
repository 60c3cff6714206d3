/* access.h - one memory instruction of one warp: the type every stage of the model takes.
 *
 * An access is 32 byte addresses (one a lane), an active mask, a width and a memory space. A lane's
 * address is naturally aligned to the width: hardware traps on anything else, and the edges of the
 * program (the tracing runtime, the readers, the expression parser) refuse it before it gets here.
 */
#ifndef WARPLENS_SIM_RULES_ACCESS_H
#define WARPLENS_SIM_RULES_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/capabilities.h"

enum { WARP_LANES = 32 };

enum mem_space {
    SPACE_GLOBAL,
    SPACE_SHARED,   /* address = byte offset in the block's shared memory, base 256-byte aligned */
    SPACE_LOCAL,    /* address = interleaved over the lanes; warp w of a block begins at a base plus
                       w * LOCAL_WARP_BYTES, for every block the same */
    SPACE_CONSTANT, /* address = byte offset in the constant bank */
    SPACE_TEXTURE,  /* a fetch through the texture unit */
    SPACE_COUNT
};

#define LOCAL_WARP_BYTES (2ULL << 20)

/* What reports call an access: its operation (enum mem_op), or which copy between global and shared memory it is. */
enum access_word {
    WORD_COPY = OP_COUNT, /* an asynchronous one: cp.async */
    WORD_BULK_LOAD,       /* cp.async.bulk, to shared memory */
    WORD_BULK_STORE,      /* ... to global memory */
    WORD_BULK_REDUCTION,  /* cp.reduce.async.bulk */
    WORD_COUNT
};

/* As reports say them, one and many, by enum access_word; and as PTX, expressions and traces of text do. */
extern const char *const mem_op_names[WORD_COUNT], *const mem_op_plurals[WORD_COUNT],
                                                       *const mem_op_mnemonics[OP_COUNT];
extern const char *const mem_space_names[SPACE_COUNT], *const mem_space_mnemonics[SPACE_COUNT];

/* Flags of an access. */
enum {
    ACCESS_READ_ONLY = 1,  /* global load through the read-only path: __ldg, const __restrict__ */
    ACCESS_HOST = 2,       /* a zero-copy array: host memory, over PCIe */
    ACCESS_MANAGED = 4,    /* a managed array: pages move to the GPU when it first touches them */
    ACCESS_VOLATILE = 8,   /* load through a volatile pointer */
    ACCESS_UNROLLED = 16,  /* in a loop with a constant step */
    ACCESS_FLATTENED = 32, /* in a loop with a constant number of iterations */
    ACCESS_INCREMENT =
        64,             /* atomic: adds the constant 1 to 4-byte integers; nobody uses the result */
    ACCESS_FLOAT = 128, /* atomic: adds floats or doubles */
    ACCESS_MATRIX = ACCESS_FLOAT, /* load or store of shared memory: ldmatrix, stmatrix */
    /* Of shared memory: another block's of the cluster (ld, st, atom.shared::cluster; sm_90): its rank times CLUSTER_BLOCK_BYTES and the
     * address there. And, beside it, a store or reduction that nobody waits for (st.async, red.async), also to the block's own. */
    ACCESS_CLUSTER = ACCESS_HOST,
    ACCESS_CLUSTER_ASYNC = ACCESS_READ_ONLY,
};

/* The other side of a global load that goes to shared memory without a register: an asynchronous copy (cp.async,
 * LDGSTS). The warp does not wait for it; a TRACE_COPY_WAIT does (stream/stream.h). */
struct async_copy {
    uint64_t to
        [WARP_LANES]; /* by active lane: where in shared memory; a multiple of the access's width */
    uint8_t bytes
        [WARP_LANES]; /* by active lane: what it reads of its width; the rest is zeros. 0: nothing, and its
                                  address means nothing */
    bool past_l1; /* .cg: past the L1; of 16 bytes alone. Otherwise .ca, of 4, 8 or 16 */
    bool sized;   /* with a source size, whatever that is */
};

/* A bulk copy (cp.async.bulk): one lane asks for it, and the SM's engine for copies moves it between global and shared memory. A
 * box of a tensor, row by row, of which those that lie outside are not stored, and are loaded as zeros. Without a tensor map it is one
 * row: rank 1, elements of a byte, all of it inside. */
enum { BULK_RANK_MAX = 5 };
struct bulk_copy {
    uint64_t shared;  /* where its first row is in shared memory */
    uint64_t barrier; /* of a load: in shared memory, to which its bytes come */
    uint32_t phase;   /* ... of that barrier: counted from 0 */
    uint8_t rank;     /* 1 to BULK_RANK_MAX; what is behind means nothing */
    uint8_t element;  /* bytes: 1, 2, 4 or 8 */
    uint8_t swizzle;  /* bytes that a row takes in shared memory; 0: rows are dense */
    uint8_t
        more; /* of a load: other blocks of the cluster that get the same (multicast), 0 to 15 */
    uint32_t box[BULK_RANK_MAX];   /* elements, by dimension, the innermost first; never 0 */
    int32_t at[BULK_RANK_MAX];     /* the tensor's coordinates of the box's first element */
    uint32_t size[BULK_RANK_MAX];  /* of the tensor, in elements */
    uint64_t pitch[BULK_RANK_MAX]; /* bytes from one element to the next; [0] is that of elements */
};

enum { NEEDS_NO_LOAD = 255 }; /* of loads_left: nothing up to here needs a load's value */

struct warp_access {
    const uint64_t *addr; /* WARP_LANES byte addresses, by lane; NULL when the access is affine */
    uint64_t base;        /* affine: address of lane 0, whether lane 0 is active or not */
    int64_t stride;       /* affine: bytes from one lane's address to the next lane's */
    uint32_t active;      /* bit i set: lane i takes part; never 0 */
    uint32_t resident;    /* bit i set: lane i exists and has not ended; a superset of active */
    uint32_t block;       /* linear block index: x + gridDim.x * (y + gridDim.y * z) */
    uint32_t warp;        /* index in the block: linear thread index / 32 */
    uint32_t site;        /* which static access of which array; an index, 0 when unknown */
    uint16_t work; /* estimated instructions since the warp's event before, this one included */
    uint16_t lag;  /* cycles that they hold the warp up beyond its pace: branches, quotients, ... */
    uint8_t loads_left; /* no value of the warp's latest so many loads is needed up to here */
    uint8_t width;      /* bytes a lane: 1, 2, 4, 8 or 16 */
    uint8_t op;         /* enum mem_op */
    uint8_t space;      /* enum mem_space */
    uint8_t flags;      /* ACCESS_... */
    const uint32_t
        *values; /* WARP_LANES: what each active lane stores, as it is up to 4 bytes, else a
                               hash of it; NULL: not known */
    const struct async_copy *copy; /* NULL: none; else a SPACE_GLOBAL OP_LOAD of 4, 8 or 16 bytes */
    const struct bulk_copy
        *bulk; /* NULL: none; else SPACE_GLOBAL, of one lane, 16 bytes wide: a load, a store or a
                                      reduction (OP_ATOMIC) of a tensor, or row, that begins at the address */
};

/* The address of one lane; meaningful for active lanes only. */
static inline uint64_t access_addr(const struct warp_access *a, unsigned lane)
{
    return a->addr ? a->addr[lane] : a->base + (uint64_t)a->stride * lane;
}

/* A load of constant memory at one address, in a loop that is unrolled whole: no instruction, but an operand of the one that uses it
 * (c[bank][offset] in machine code). */
static inline bool access_is_operand(const struct warp_access *a)
{
    return a->space == SPACE_CONSTANT && (a->flags & ACCESS_FLATTENED) && a->addr == NULL &&
           a->stride == 0;
}

/* ldmatrix or stmatrix: each active lane names a row of 16 bytes, lanes 8 k to 8 k + 7 those of matrix k. So .x1 has 8
 * active lanes, .x2 has 16, also where all lanes of the warp get what is loaded. */
static inline bool access_is_matrix(const struct warp_access *a)
{
    return (a->flags & ACCESS_MATRIX) != 0 && a->space == SPACE_SHARED && a->op != OP_ATOMIC;
}

enum { CLUSTER_BLOCK_BYTES = 1 << 18 };

/* It goes to another block, over the network of the SMs. */
static inline bool access_is_remote(const struct warp_access *a)
{
    return (a->flags & ACCESS_CLUSTER) != 0 && a->space == SPACE_SHARED;
}

/* Its enum access_word. */
static inline uint8_t access_word(const struct warp_access *a)
{
    if (a->bulk)
        return (uint8_t)(WORD_BULK_LOAD + a->op);
    return a->copy ? WORD_COPY : a->op;
}

static inline bool access_lane_active(const struct warp_access *a, unsigned lane)
{
    return (a->active >> lane & 1U) != 0;
}

#endif
