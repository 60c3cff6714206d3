/* small_gpu.c - an H200 whose figures are replaced by round ones. */
#include "small_gpu.h"

#include "test_support.h"

#include <stdlib.h>

#include "models/models.h"

struct arch small_gpu_arch(int64_t sm)
{
    struct arch arch;
    arch_from_model(models_find("h200"), &arch);
    arch.sm = sm;
    arch.sm_clock_khz = 1000000;
    arch.lsu_millicycles = arch.shared_pass_millicycles = arch.constant_pass_millicycles = 1000;
    arch.store_merge_cycles = arch.gpcs = 0;
    arch.l1_bytes = 16384;
    arch.l1_ways = 4;
    arch.l1_latency_cycles = 30;
    arch.l1_bytes_per_cycle = 128;
    arch.constant_latency_cycles = 40;
    arch.sm_read_bytes_per_cycle = arch.sm_write_bytes_per_cycle = 32;
    arch.l2_bytes = 1 << 20;
    arch.l2_usable_permille = 1000;
    arch.l2_sides = arch.l2_slices = arch.dram_partitions = arch.dram_banks = 1;
    arch.l2_megabytes_per_s = arch.peak_megabytes_per_s = 32000;
    arch.l2_latency_cycles = 200;
    arch.l2_far_cycles = 100;
    arch.l2_sector_cycles = arch.l2_lookups_per_us = arch.l2_store_turn_cycles = 0;
    arch.l2_store_millicycles = arch.l2_partial_millicycles = 0;
    arch.l2_dirty_permille = arch.l2_partial_permille = arch.l2_clean_ways = 0;
    arch.atomic_millicycles = 4000;
    arch.atomic_float_millicycles = 0;
    arch.dram_latency_cycles = 600;
    arch.dram_efficiency_percent = 100;
    arch.dram_access_bytes = arch.dram_write_batch_bytes = 32;
    arch.dram_row_cycle_ps = 1000;
    arch.dram_row_gap_ps = arch.dram_turnaround_ps = arch.dram_write_megabytes_per_s = 0;
    arch.partial_write_reads = 0;
    arch.pcie_megabytes_per_s = 32000;
    arch.pcie_latency_ns = 1000;
    return arch;
}

void small_gpu_open(struct small_gpu *gpu, const struct arch *arch)
{
    *gpu = (struct small_gpu){.around = {.times = sm_times_for(arch),
                                         .queue = &gpu->queue,
                                         .judge = &gpu->judge,
                                         .busy = gpu->busy}};
    assert_true(judge_init(&gpu->judge, arch, 0));
    assert_true(judge_reserve_sites(&gpu->judge, SMALL_GPU_SITES));
    assert_true(memsys_init(&gpu->memory, arch));
    assert_true(request_queue_init(&gpu->queue, &gpu->memory));
    gpu->site_bytes = calloc((size_t)(SMALL_GPU_SITES * arch->dram_partitions), sizeof(uint64_t));
    assert_non_null(gpu->site_bytes);
    gpu->memory.judge = &gpu->judge;
    gpu->memory.site_bytes = gpu->site_bytes;
    gpu->memory.in_window =
        calloc((size_t)(SMALL_GPU_SITES * arch->dram_partitions), sizeof *gpu->memory.in_window);
    assert_non_null(gpu->memory.in_window);
    gpu->gpc = (struct gpc_merge){.loads = gpu->gpc_loads,
                                  .most = (uint32_t)arch->gpc_merge_loads,
                                  .way = ticks_of_cycles(arch->gpc_way_cycles)};
    for (uint32_t i = 0; i < SMALL_GPU_SMS; i++) {
        assert_true(sm_unit_init(&gpu->sm[i], arch, (uint64_t)arch->l1_bytes));
        gpu->sm[i].side = arch->l2_sides == 2 ? i : 0;
        gpu->sm[i].gpc = arch->gpcs ? &gpu->gpc : NULL;
    }
}

void small_gpu_close(struct small_gpu *gpu)
{
    for (uint32_t i = 0; i < SMALL_GPU_SMS; i++)
        sm_unit_free(&gpu->sm[i]);
    request_queue_free(&gpu->queue);
    free(gpu->memory.in_window);
    memsys_free(&gpu->memory);
    judge_free(&gpu->judge);
    free(gpu->site_bytes);
}

const struct counters *small_gpu_site(const struct small_gpu *gpu, uint32_t site)
{
    return &gpu->judge.sites[site];
}

struct access_times small_gpu_access(struct small_gpu *gpu, uint32_t sm,
                                     const struct warp_access *access, uint64_t now)
{
    struct sm_unit *unit = &gpu->sm[sm];
    judge_access(&gpu->judge, access, &gpu->footprint);
    sm_unit_begin(unit, &gpu->around, access, &gpu->footprint, &gpu->load, now);
    while (!sm_unit_go_on(unit, &gpu->around, access, now))
        now = unit->at;
    return unit->result;
}
