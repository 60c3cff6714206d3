/* options.c - what compilers are told. */
#define _GNU_SOURCE
#include "cu/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/memory.h"
#include "tracer/tracer.h"

/* What a program gets besides the kernels' flags. Math functions of C set errno and contract what
 * CUDA's do not; checked versions of library functions have other names. */
static const char *const common_options[] = {
    "-O2", "-w", "-fPIE", "-U_FORTIFY_SOURCE", "-fno-math-errno", "-ffp-contract=off", NULL};
/* nvcc inlines what it can; of larger functions gcc at -O2 would leave calls, over which nothing is joined (src/tracer/widths/widths.c). */
static const char *const gcc_nvcc_options[] = {"--param", "max-inline-insns-single=1000", "--param",
                                               "max-inline-insns-auto=400", NULL};
static const char *const cuda_macros[] = {"-D__CUDACC__", "-D__NVCC__",
                                          "-DTHRUST_DEVICE_SYSTEM=4", /* ..._CPP: the host */
                                          NULL};

/* x86-64 has an instruction for it since 2013, and compilers make no other use of the option. */
#if defined(__x86_64__)
static const char *const fmad_options[] = {"-ffp-contract=fast", "-mfma", NULL};
bool options_can_fmad(void)
{
    return __builtin_cpu_supports("fma");
}
#else
static const char *const fmad_options[] = {"-ffp-contract=fast", NULL};
bool options_can_fmad(void)
{
    return true;
}
#endif

bool options_keep_accesses(const struct compiler *compiler, const struct cu_request *request)
{
    return request->accesses != CU_ACCESSES_NVCC && !compiler->is_clang;
}

const char *options_name_accesses(const struct compiler *compiler, const struct cu_request *request)
{
    if (options_keep_accesses(compiler, request))
        return "source";
    return TRACER_READS_ADDRESSES ? "nvcc"
                                  : "nvcc, without joining words of shared memory: that takes "
                                    "x86-64 code";
}

void options_add_kernel_flags(struct arguments *arguments, const struct compiler *compiler,
                              const struct cu_request *request)
{
    arguments_add_all(arguments, compiler->flags);
    if (options_keep_accesses(compiler, request))
        arguments_add_all(arguments, toolchain_gcc_source_flags);
    else if (!compiler->is_clang)
        arguments_add_all(arguments, gcc_nvcc_options);
    arguments_add_all(arguments, common_options);
    if (request->fmad)
        arguments_add_all(arguments, fmad_options);
    if (compiler->is_clang) {
        arguments_add(arguments, "-Wno-register");
        arguments_add(arguments, "-fdeclspec"); /* cuda_indices.h */
    }
}

struct gpu_macros options_gpu_macros(int sm)
{
    struct gpu_macros macros;
    snprintf(macros.program, sizeof macros.program, "-DWARPLENS_CU=%d", sm);
    snprintf(macros.arch, sizeof macros.arch, "-D__CUDA_ARCH__=%d0", sm);
    snprintf(macros.list, sizeof macros.list, "-D__CUDA_ARCH_LIST__=%d0", sm);
    /* What sm_90a has beyond sm_90 runs (wgmma), of later generations it does not. */
    snprintf(macros.features, sizeof macros.features, "%s",
             sm == 90 ? "-D__CUDA_ARCH_FEAT_SM90_ALL" : "");
    return macros;
}

/* CUDA's names and macros are in the files that nvcc compiles, the others have what they include. */
void options_add_language(struct arguments *arguments, enum cu_language language,
                          const struct gpu_macros *macros)
{
    if (language != CU_LANGUAGE_C)
        arguments_add(arguments, macros->program);
    if (language != CU_LANGUAGE_CUDA)
        return;
    arguments_add_all(arguments, cuda_macros);
    arguments_add(arguments, macros->arch);
    arguments_add(arguments, macros->list);
    if (macros->features[0])
        arguments_add(arguments, macros->features);
    arguments_add(arguments, "-include");
    arguments_add(arguments, "warplens/cuda.h");
}

/* Whether an option is -I of a folder that has the header. */
static bool is_folder_of(const char *option, const char *name)
{
    char *header = strncmp(option, "-I", 2) == 0 ? memory_format("%s/%s", option + 2, name) : NULL;
    const bool found = header && access(header, R_OK) == 0;
    free(header);
    return found;
}

/* A folder with NVIDIA's own headers: they are made for its compiler, and libraries that they lead to are not here. */
static bool is_toolkit(const char *option)
{
    return is_folder_of(option, "cuda_runtime_api.h");
}

/* One with Thrust or CUB, some of whose headers have another form here. */
static bool is_cccl(const char *option)
{
    return is_folder_of(option, "thrust/version.h") || is_folder_of(option, "cub/version.cuh");
}

/* The program's own folders come before ours, which stand in for headers that are found nowhere else. */
void options_add_folders(struct arguments *arguments, const char *const *options,
                         const struct home *home)
{
    for (const char *const *option = options; option && *option; option++)
        if (!is_toolkit(*option) && !is_cccl(*option))
            arguments_add(arguments, *option);
    arguments_add(arguments, "-I");
    arguments_add(arguments, home->include);
    arguments_add(arguments, "-I");
    arguments_add(arguments, home->compat);
    for (const char *const *option = options; option && *option; option++)
        if (!is_toolkit(*option) && is_cccl(*option)) {
            arguments_add(arguments, "-isystem");
            arguments_add(arguments, *option + 2);
        }
}

/* The options of the user's that matter behind the preprocessor. */
void options_add_behind(struct arguments *arguments, const char *const *options)
{
    for (; options && *options; options++)
        if (strncmp(*options, "-std=", 5) == 0 || strncmp(*options, "-f", 2) == 0 ||
            strncmp(*options, "-m", 2) == 0)
            arguments_add(arguments, *options);
}
