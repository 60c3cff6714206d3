/* occupancy.c - how many blocks of a kernel fit on one SM.
 *
 * Each resource alone allows some number of blocks; the least counts. All divisions round down,
 * all allocations round up to the unit of the part. Modelling decisions:
 *
 * - Registers on sm_1x belong to a block: its warps round up to warp_unit, the sum rounds up to
 *   register_unit. From sm_20 on they belong to a warp: a warp's need rounds up to register_unit,
 *   and an SM holds as many warps as fit, rounded down to warp_unit (its register file is split
 *   into that many equal parts). Those warps are then dealt out to blocks.
 * - Fermi takes twice its register_unit for some register counts; see warp_registers().
 * - Shared memory: the kernel's bytes plus what the system takes, rounded up to shared_unit. On
 *   sm_1x the system takes 16 bytes (block and grid sizes); kernel arguments lie in shared memory
 *   there as well, and count as the kernel's.
 * - The warps limit does not round to warp_unit: slots are taken warp by warp.
 * - A block that is over a limit of its own (threads, shared memory, registers a thread) makes that
 *   resource's count 0: the launch fails.
 *
 * The register limit a block has on parts whose block cannot use the whole register file (sm_53:
 * 32768 of 65536) is not modelled.
 *
 * Sources: CUDA C Programming Guide 3.2, 4.2 (the sm_1x and sm_2x formulas); the CUDA occupancy
 * calculator, sheet and cuda_occupancy.h of CUDA 7.0 (sm_1x to sm_52) and 11 (up to sm_8x). Text
 * books that divide without rounding are met with shared_unit = 1, shared_reserved_per_block = 0.
 */
#include "sim/rules/occupancy.h"

#include <assert.h>

#include "models/capabilities.h"
#include "sim/rules/access.h"

static int64_t divide_up(int64_t n, int64_t unit)
{
    return n / unit + (n % unit != 0);
}

static int64_t round_up(int64_t n, int64_t unit)
{
    return divide_up(n, unit) * unit;
}

static int64_t blocks_by_warps(const struct arch *arch, const struct kernel_resources *kernel,
                               int64_t warps)
{
    if (kernel->threads_per_block > arch->threads_per_block_max) {
        return 0;
    }
    return arch->warps_per_sm / warps;
}

/* Registers that one warp is given. Fermi rounds 21, 22, 29, 30, 37, 38, 45 and 46 registers a
 * thread to twice the usual unit, as the calculator's "warp register allocation granularities" 64
 * and 128 say. */
static int64_t warp_registers(const struct arch *arch, int64_t registers)
{
    int64_t unit = arch->register_unit;
    int64_t part = registers % 8;

    if (capability_find(arch->sm)->doubles_register_unit && registers > 20 && registers < 47 &&
        (part == 5 || part == 6)) {
        unit *= 2;
    }
    return round_up(registers * WARP_LANES, unit);
}

static int64_t blocks_by_block_registers(const struct arch *arch, int64_t registers, int64_t warps)
{
    int64_t block_warps = round_up(warps, arch->warp_unit);

    if (block_warps > arch->registers_per_sm) {
        return 0; /* keeps the product below in range for any block size */
    }
    return arch->registers_per_sm /
           round_up(block_warps * WARP_LANES * registers, arch->register_unit);
}

static int64_t blocks_by_warp_registers(const struct arch *arch, int64_t registers, int64_t warps)
{
    int64_t sm_warps = arch->registers_per_sm / warp_registers(arch, registers);

    return (sm_warps - sm_warps % arch->warp_unit) / warps;
}

static int64_t blocks_by_registers(const struct arch *arch, const struct kernel_resources *kernel,
                                   int64_t warps)
{
    int64_t registers = kernel->registers_per_thread;

    if (registers <= 0) {
        return INT64_MAX;
    }
    if (registers > arch->registers_per_thread_max) {
        return 0;
    }
    return arch->register_per_block ? blocks_by_block_registers(arch, registers, warps)
                                    : blocks_by_warp_registers(arch, registers, warps);
}

static int64_t blocks_by_shared(const struct arch *arch, const struct kernel_resources *kernel)
{
    if (kernel->shared_bytes_per_block > arch->shared_bytes_per_block_max) {
        return 0;
    }
    int64_t bytes = round_up(kernel->shared_bytes_per_block + arch->shared_reserved_per_block,
                             arch->shared_unit);

    return bytes > 0 ? arch->shared_bytes_per_sm / bytes : INT64_MAX;
}

struct occupancy occupancy_of(const struct arch *arch, const struct kernel_resources *kernel)
{
    assert(kernel->threads_per_block >= 1);
    int64_t warps = divide_up(kernel->threads_per_block, WARP_LANES);
    struct occupancy found = {
        .blocks_by = {[LIMIT_WARPS] = blocks_by_warps(arch, kernel, warps),
                      [LIMIT_BLOCKS] = arch->blocks_per_sm,
                      [LIMIT_REGISTERS] = blocks_by_registers(arch, kernel, warps),
                      [LIMIT_SHARED] = blocks_by_shared(arch, kernel)},
        .warps_per_block = warps,
        .limit = LIMIT_WARPS,
    };

    for (enum occupancy_limit by = LIMIT_BLOCKS; by < LIMIT_COUNT; by++) {
        if (found.blocks_by[by] < found.blocks_by[found.limit]) {
            found.limit = by;
        }
    }
    found.blocks_per_sm = found.blocks_by[found.limit];
    found.warps_per_sm = found.blocks_per_sm * warps;
    return found;
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
    static const char *const names[LIMIT_COUNT] = {
        [LIMIT_WARPS] = "warps",
        [LIMIT_BLOCKS] = "blocks",
        [LIMIT_REGISTERS] = "registers",
        [LIMIT_SHARED] = "shared memory",
    };

    return names[limit];
}
