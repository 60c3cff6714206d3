/* recorder.cu - wl_record, which runs on the GPU, and the text of what it left behind. */
#include "recorder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "address_text.h"
#include "harness.h"
#include "tracer/tracer.h"

enum { RECORDED_WARPS = ADDRESS_BLOCKS * ADDRESS_WARPS, RECORDS_A_WARP = 16384 };

/* Where a generic address turned out to point; the address is in that space then. */
enum place { PLACE_OF_SITE, PLACE_GLOBAL, PLACE_SHARED, PLACE_LOCAL, PLACE_CONST };

struct record {
    uint32_t site, mask;
    uint64_t place; /* enum place, of the first lane */
    uint64_t address[ADDRESS_LANES];
};

struct record_lists {
    uint32_t count[RECORDED_WARPS]; /* more than RECORDS_A_WARP: the rest was lost */
    record records[RECORDED_WARPS][RECORDS_A_WARP];
};

static __device__ record_lists *lists; /* NULL: nothing is recorded */

/* ---- On the GPU ------------------------------------------------------------------------------ */

enum { SITE_IS_GENERIC = 1u << 31 };

static __device__ place find_place(uint64_t *address)
{
    const void *p = (const void *)*address;
    if (__isShared(p)) {
        *address = __cvta_generic_to_shared(p);
        return PLACE_SHARED;
    }
    if (__isLocal(p)) {
        *address = __cvta_generic_to_local(p);
        return PLACE_LOCAL;
    }
    if (__isConstant(p)) {
        *address = __cvta_generic_to_constant(p);
        return PLACE_CONST;
    }
    return PLACE_GLOBAL;
}

/* Called by every lane in front of an access, with the access's number. Lanes that are here together
 * and come from one site are one access of the warp. */
extern "C" __device__ __noinline__ void wl_record(uint64_t address, uint32_t site)
{
    const uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const uint32_t warp = thread / ADDRESS_LANES, lane = thread % ADDRESS_LANES;
    if (lists == NULL || block >= ADDRESS_BLOCKS || warp >= ADDRESS_WARPS)
        return;
    const uint32_t list = block * ADDRESS_WARPS + warp;
    const uint32_t together = __match_any_sync(__activemask(), site);
    const int first = __ffs((int)together) - 1;
    uint32_t at = 0;
    if ((int)lane == first)
        at = atomicAdd(&lists->count[list], 1u);
    at = __shfl_sync(together, at, first);
    if (at < RECORDS_A_WARP) {
        record *r = &lists->records[list][at];
        place where = site & SITE_IS_GENERIC ? find_place(&address) : PLACE_OF_SITE;
        r->address[lane] = address;
        if ((int)lane == first) {
            r->site = site & ~SITE_IS_GENERIC;
            r->mask = together;
            r->place = where;
        }
    }
    __syncwarp(together);
}

/* ---- On the CPU ------------------------------------------------------------------------------ */

static struct {
    record_lists *on_gpu;
    std::string kernel;
    dim3 grid, block;
    std::map<std::string, uint64_t> shared; /* base addresses of the launch's shared arrays */
    uint64_t lowest_const, lowest_local;
} recorder;

static void check(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "recorder: %s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}

void recorder_begin(const char *kernel, dim3 grid, dim3 block)
{
    if (recorder.on_gpu == NULL) {
        check((cudaMalloc)((void **)&recorder.on_gpu, sizeof *recorder.on_gpu), "cudaMalloc");
        check(cudaMemcpyToSymbol<>(lists, &recorder.on_gpu, sizeof recorder.on_gpu, 0,
                                   cudaMemcpyHostToDevice),
              "cudaMemcpyToSymbol");
    }
    check((cudaMemset)(recorder.on_gpu, 0, sizeof recorder.on_gpu->count), "cudaMemset");
    recorder.kernel = kernel;
    recorder.grid = grid;
    recorder.block = block;
    recorder.shared.clear();
    recorder.lowest_const = recorder.lowest_local = UINT64_MAX;
}

static void fail(FILE *out, const std::string &what)
{
    fprintf(out, "error %s\n", what.c_str());
    tracer_fail("%s: %s", recorder.kernel.c_str(), what.c_str());
}

static const recorder_site *site_of(const record &r)
{
    const recorder_site *end = recorder_sites + recorder_site_count;
    const recorder_site *site =
        std::lower_bound(recorder_sites, end, r.site,
                         [](const recorder_site &s, uint32_t number) { return s.number < number; });
    return site != end && site->number == r.site ? site : NULL;
}

/* The record says where a shared array lies: it is no access. */
static bool is_array(const recorder_site &site)
{
    return strcmp(site.op, "array") == 0;
}

static const char *space_of(const record &r, const recorder_site &site)
{
    static const char *const names[] = {"", "global", "shared", "local", "const"};
    return r.place == PLACE_OF_SITE || r.place > PLACE_CONST ? site.space : names[r.place];
}

static uint64_t lowest_address(const record &r)
{
    uint64_t lowest = UINT64_MAX;
    for (unsigned lane = 0; lane < ADDRESS_LANES; lane++)
        if (r.mask >> lane & 1)
            lowest = std::min(lowest, r.address[lane]);
    return lowest;
}

/* Notes what offsets count from. False when the record is of no site. */
static bool note(const record &r)
{
    const recorder_site *site = site_of(r);
    if (site == NULL)
        return false;
    const std::string space = space_of(r, *site);
    if (is_array(*site))
        recorder.shared[site->name] = lowest_address(r);
    else if (space == "const")
        recorder.lowest_const = std::min(recorder.lowest_const, lowest_address(r));
    else if (space == "local")
        recorder.lowest_local = std::min(recorder.lowest_local, lowest_address(r));
    return true;
}

/* Names the array of an address and sets its base; "?" and 0 when it is in none. */
static std::string find_global(uint64_t address, uint64_t *base)
{
    for (const harness_array &array : harness_arrays())
        if (address - array.base < array.bytes) {
            *base = array.base;
            return array.name;
        }
    *base = 0;
    return "?";
}

/* Of the shared arrays of the launch, the last one that begins at or before the address. */
static std::string find_shared(uint64_t address, uint64_t *base)
{
    std::string name = "?";
    *base = 0;
    for (const auto &array : recorder.shared)
        if (array.second <= address && (name == "?" || array.second > *base)) {
            name = array.first;
            *base = array.second;
        }
    return name;
}

static std::string find_array(const std::string &space, uint64_t address, uint64_t *base)
{
    if (space == "global")
        return find_global(address, base);
    if (space == "shared")
        return find_shared(address, base);
    *base = space == "const" ? recorder.lowest_const : space == "local" ? recorder.lowest_local : 0;
    return space;
}

static void put(FILE *out, const record &r)
{
    char text[ADDRESS_LINE_BYTES];
    const recorder_site *site = site_of(r);
    const char *space = space_of(r, *site);
    uint64_t base;
    std::string array = find_array(space, r.address[__builtin_ctz(r.mask)], &base);
    address_access access = {site->op,        space,      site->width,
                             site->read_only, site->file, site->line,
                             array.c_str(),   r.mask,     {0}};
    for (unsigned lane = 0; lane < ADDRESS_LANES; lane++)
        access.offset[lane] = r.address[lane] - base;
    address_text(text, &access);
    fprintf(out, "%s\n", text);
}

static void put_warp(FILE *out, unsigned list, const std::vector<record> &records)
{
    bool first = true;
    for (const record &r : records) {
        if (is_array(*site_of(r)))
            continue;
        if (first)
            fprintf(out, "warp %u %u\n", list / ADDRESS_WARPS, list % ADDRESS_WARPS);
        first = false;
        put(out, r);
    }
}

static std::vector<record> fetch(unsigned list, uint32_t count)
{
    std::vector<record> records(count);
    if (count)
        check((cudaMemcpy)(records.data(), recorder.on_gpu->records[list], count * sizeof(record),
                           cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    return records;
}

static void put_launch(FILE *out)
{
    fprintf(out, "launch %s grid %u,%u,%u block %u,%u,%u\n", recorder.kernel.c_str(),
            recorder.grid.x, recorder.grid.y, recorder.grid.z, recorder.block.x, recorder.block.y,
            recorder.block.z);
}

/* Fetches a warp's list. Empty after a failure. */
static std::vector<record> take_list(FILE *out, unsigned list, uint32_t count)
{
    if (count > RECORDS_A_WARP) {
        fail(out, "a warp makes " + std::to_string(count) +
                      " accesses, more than a list holds: choose smaller parameters");
        return {};
    }
    std::vector<record> records = fetch(list, count);
    for (const record &r : records)
        if (r.mask == 0 || !note(r)) {
            fail(out, "a record of no known site: sites and kernels are of two builds");
            return {};
        }
    return records;
}

void recorder_end(FILE *out)
{
    uint32_t count[RECORDED_WARPS];
    std::vector<record> records[RECORDED_WARPS];
    check((cudaDeviceSynchronize)(), recorder.kernel.c_str());
    check((cudaMemcpy)(count, recorder.on_gpu->count, sizeof count, cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    put_launch(out);
    for (unsigned list = 0; list < RECORDED_WARPS; list++)
        records[list] = take_list(out, list, count[list]);
    for (unsigned list = 0; list < RECORDED_WARPS; list++)
        put_warp(out, list, records[list]);
}
