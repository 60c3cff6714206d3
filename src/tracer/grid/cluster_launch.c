/* cluster_launch.c - which clusters a launch has: an attribute of the launch says it, or __cluster_dims__ of the kernel.
 *
 * The rewriter leaves the numbers of __cluster_dims__ in a constant of the kernel's own, whose symbol has the kernel's name in it (cu/
 * qualifiers.c), so templates say them as well. Where a launch does not tell which function it is of, as with templates, its first lane
 * is started, and given up where it enters the kernel: before anything is done. Programs without such constants do nothing of that.
 */
#include "tracer/grid/cluster_launch.h"

#include <stdio.h>
#include <string.h>

#include "machine_code/lineinfo.h"
#include "tracer/grid/blocks.h"
#include "tracer/grid/cluster.h"
#include "tracer/repeats.h"
#include "tracer/runtime/runtime.h"

enum { NAME_BYTES_MAX = 4096 };
static const char constant_name[] = "wl_cluster_dims";

static struct launch_extra next;

void launch_note_extra(const struct launch_extra *extra)
{
    next = *extra;
}

struct launch_extra launch_take_extra(void)
{
    const struct launch_extra taken = next;
    next = (struct launch_extra){0};
    return taken;
}

/* ---- __cluster_dims__ ------------------------------------------------------------------------------ */

static bool is_constant(const struct lineinfo_variable *variable)
{
    return strcmp(variable->name, constant_name) == 0;
}

static bool program_has_some(void)
{
    size_t count;
    const struct lineinfo_variable *variables = spaces_variables(&count);
    for (size_t i = 0; i < count; i++)
        if (is_constant(&variables[i]))
            return true;
    return false;
}

/* By the Itanium C++ ABI, 5.1.6, the constant of kernel _Z1kPi is _ZZ1kPiE15wl_cluster_dims. */
static const unsigned *constant_of(const char *function)
{
    char name[NAME_BYTES_MAX];
    const int own = (int)strcspn(function, ".");
    size_t count;
    const struct lineinfo_variable *variables = spaces_variables(&count);
    if (strncmp(function, "_Z", 2) == 0)
        snprintf(name, sizeof name, "_ZZ%.*sE%zu%s", own - 2, function + 2,
                 sizeof constant_name - 1, constant_name);
    else
        snprintf(name, sizeof name, "_ZZ%d%.*sE%zu%s", own, own, function, sizeof constant_name - 1,
                 constant_name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(variables[i].symbol, name) == 0)
            return (const unsigned *)(engine.image_base + variables[i].offset);
    return NULL;
}

/* Where the kernel is that the launch calls. */
static uintptr_t find_kernel(const struct launch_key *key)
{
    if (key->kernel)
        return (uintptr_t)key->kernel + 1; /* within its code, as a return address is */
    engine.lanes[0] = (struct lane){.index = 0};
    engine.warps[0].lanes = engine.lanes;
    engine.warp = engine.warps;
    engine.to_start = 1;
    engine.to_resume = 0;
    engine.probe = PROBE_ASKS;
    block_choose(0);
    lane_run_all();
    lane_free_stacks();
    const uintptr_t found = engine.probe;
    engine.probe = 0;
    return found == PROBE_ASKS ? 0 : found;
}

void launch_probed(uintptr_t pc)
{
    engine.probe = pc;
    lane_stop(LANE_ENDED, pc);
}

static dim3 or_1(unsigned x, unsigned y, unsigned z)
{
    return (dim3){x ? x : 1, y ? y : 1, z ? z : 1};
}

static bool kernel_has_dims(const struct launch_key *key, dim3 *size)
{
    if (!program_has_some())
        return false;
    const uintptr_t kernel = find_kernel(key);
    const char *function = kernel ? spaces_function(kernel) : NULL;
    const unsigned *dims = function ? constant_of(function) : NULL;
    if (dims)
        *size = or_1(dims[0], dims[1], dims[2]);
    return dims != NULL;
}

/* ---- Launches --------------------------------------------------------------------------------------- */

static bool refuse(const char *why)
{
    runtime_refuse(cudaErrorInvalidClusterSize, "%s: %s", engine.kernel, why);
    return false;
}

bool cluster_set_up(const struct launch_key *key)
{
    const dim3 asked = key->extra.cluster;
    dim3 size = {1, 1, 1};
    const bool fixed = kernel_has_dims(key, &size);
    cluster_launch((dim3){1, 1, 1});
    if (asked.x && fixed && (asked.x != size.x || asked.y != size.y || asked.z != size.z))
        return refuse("clusters of another size than the kernel's __cluster_dims__: leave "
                      "cudaLaunchAttributeClusterDimension out, or make them equal");
    if (asked.x)
        size = asked;
    if (size.x > UINT16_MAX || size.y > UINT16_MAX || size.z > UINT16_MAX)
        return refuse("clusters of more than 65535 blocks along a side; 8 are possible in all");
    cluster_launch(size);
    return true;
}

static bool size_is_possible(void)
{
    const dim3 grid = engine_indices.grid_dim, size = cluster.size;
    const unsigned most =
        runtime_limits()->non_portable_clusters ? CLUSTER_BLOCKS_MAX : CLUSTER_BLOCKS_PORTABLE;
    const uint64_t blocks = (uint64_t)size.x * size.y * size.z;
    if (blocks > most)
        runtime_refuse(
            cudaErrorInvalidClusterSize, "%s: clusters of %llu blocks: up to %u are possible%s",
            engine.kernel, (unsigned long long)blocks, most,
            most < CLUSTER_BLOCKS_MAX ? ", 16 with cudaFuncAttributeNonPortableClusterSizeAllowed"
                                      : "");
    else if (grid.x % size.x || grid.y % size.y || grid.z % size.z)
        runtime_refuse(cudaErrorInvalidClusterSize,
                       "%s: a grid of %u x %u x %u blocks is no multiple of its clusters of "
                       "%u x %u x %u",
                       engine.kernel, grid.x, grid.y, grid.z, size.x, size.y, size.z);
    else
        return true;
    return false;
}

bool cluster_is_possible(const struct cudaDeviceProp *device)
{
    const bool is_asked = cluster.size.x > 1 || cluster.size.y > 1 || cluster.size.z > 1;
    if (!is_asked)
        return true;
    if (!device->clusterLaunch)
        runtime_refuse(cudaErrorNotSupported,
                       "%s: thread block clusters are for GPUs from sm_90 on (Hopper: H100, H200): "
                       "choose one with --gpu",
                       engine.kernel);
    else if (engine.is_cooperative)
        runtime_refuse(cudaErrorNotSupported,
                       "%s: a cooperative launch with clusters cannot run under warplens: use "
                       "barriers of the clusters, or of the grid alone",
                       engine.kernel);
    else
        return size_is_possible();
    return false;
}

static cudaError_t refuse_attribute(const struct cudaLaunchAttribute *attribute)
{
    return runtime_refuse(cudaErrorNotSupported,
                          "cudaLaunchKernelEx: launch attribute %d cannot run under warplens; "
                          "cluster dimensions, a cooperative launch, priorities and what L2 keeps "
                          "can",
                          (int)attribute->id);
}

/* What has no effect: launches of a stream run in their order, the model of time knows no priorities, and a GPU need not take the
 * clusters that are preferred to those of cudaLaunchAttributeClusterDimension. */
static cudaError_t note_attribute(const struct cudaLaunchAttribute *attribute,
                                  struct launch_extra *extra)
{
    switch (attribute->id) {
    case cudaLaunchAttributeClusterDimension:
        extra->cluster = or_1(attribute->val.clusterDim.x, attribute->val.clusterDim.y,
                              attribute->val.clusterDim.z);
        return cudaSuccess;
    case cudaLaunchAttributeCooperative:
        extra->is_cooperative = attribute->val.cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributePreferredClusterDimension:
        return cudaSuccess;
    default:
        return refuse_attribute(attribute);
    }
}

cudaError_t wl_launch_config(const struct cudaLaunchConfig_st *config)
{
    struct launch_extra extra = {0};
    cudaError_t error = cudaSuccess;
    if (wl_in_kernel())
        return runtime_refuse(cudaErrorNotSupported,
                              "cudaLaunchKernelEx by a kernel cannot run under warplens: launch "
                              "from the host, or with <<<...>>>");
    for (unsigned i = 0; i < config->numAttrs && error == cudaSuccess; i++)
        error = note_attribute(&config->attrs[i], &extra);
    if (error == cudaSuccess)
        launch_note_extra(&extra);
    return error;
}

/* ---- Occupancy ---------------------------------------------------------------------------------------- */

/* SMs are spread evenly over the GPCs, of which a cluster has one: how many a GPC of a given chip has is not told. */
cudaError_t wl_occupancy_clusters(int *clusters, const struct cudaLaunchConfig_st *config)
{
    const struct runtime_limits *limits = runtime_limits();
    const dim3 block = config->block_dim;
    struct launch_extra extra = {0};
    int each = 0;
    *clusters = 0;
    for (unsigned i = 0; i < config->numAttrs; i++)
        note_attribute(&config->attrs[i], &extra);
    if (!limits->properties.clusterLaunch)
        return runtime_answer(cudaErrorNotSupported);
    wl_occupancy_blocks(&each, (int)(block.x * block.y * block.z), config->dynamicSmemBytes);
    const dim3 size = or_1(extra.cluster.x, extra.cluster.y, extra.cluster.z);
    const int gpcs = limits->gpcs ? limits->gpcs : 1;
    const int of_gpc = limits->properties.multiProcessorCount / gpcs * each;
    *clusters = gpcs * (of_gpc / (int)(size.x * size.y * size.z));
    return cudaSuccess;
}

cudaError_t wl_occupancy_cluster_size(int *blocks, const struct cudaLaunchConfig_st *config)
{
    const struct runtime_limits *limits = runtime_limits();
    (void)config;
    *blocks = !limits->properties.clusterLaunch ? 1
              : limits->non_portable_clusters   ? CLUSTER_BLOCKS_MAX
                                                : CLUSTER_BLOCKS_PORTABLE;
    return limits->properties.clusterLaunch ? cudaSuccess : runtime_answer(cudaErrorNotSupported);
}
