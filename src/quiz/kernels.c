/* kernels.c - what is asked about when nobody says: kernels of the gallery, some of them several times
 * with other parameters, all of them small enough to run between two questions.
 */
#include <string.h>

#include "gallery_list.h"
#include "quiz/quiz.h"

enum { OVERRIDES_MOST = 2 };

struct value {
    const char *name;
    long long value;
};

/* Sizes, for every kernel that has a parameter of the name and allows the value. */
static const struct value small[] = {
    {"n", 1024}, {"blocks", 2}, {"width", 256}, {"height", 256}, {"nx", 256}, {"ny", 256},
};

static const struct row {
    const char *kernel;
    struct value values[OVERRIDES_MOST];
} rows[] = {
    /* half-warps, offsets, strides */
    {"skipLane", {{0}}},
    {"halfWarpCrossed", {{0}}},
    {"halfWarpUnaligned", {{"offset", 8}}},
    {"halfWarpUnaligned", {{"offset", 5}}},
    {"halfWarpTwoSegments", {{"offset", 17}}},
    {"halfWarpTwoSegments", {{"offset", 24}}},
    {"incrementFloats", {{"pattern", 2}}},
    {"incrementFloats", {{"pattern", 3}}},
    {"offsetCopy", {{"offset", 1}}},
    {"offsetCopy", {{"offset", 8}}},
    {"offsetCopy", {{"offset", 16}}},
    {"strideCopy", {{"stride", 2}}},
    {"strideCopy", {{"stride", 3}}},
    {"strideCopy", {{"stride", 8}}},
    {"strideCopy", {{"stride", 16}}},
    {"strideCopy", {{"stride", 32}}},
    {"misaligned", {{"offset", 25}}},
    {"misaligned", {{"offset", 24}}},
    {"scattered384", {{0}}},
    {"sameWord", {{0}}},
    {"permuted", {{"mask", 5}}},
    {"permuted", {{"mask", 16}}},
    {"lineMiss", {{0}}},
    /* stores, structs */
    {"storeSegments", {{"segments", 3}}},
    {"storeScattered", {{0}}},
    {"vec3d", {{0}}},
    {"vec3dAligned", {{0}}},
    {"vec3dShared", {{0}}},
    {"accessFloat3", {{0}}},
    {"incrementInnerStruct", {{0}}},
    {"incrementInnerStructAligned", {{0}}},
    {"incrementInnerArray", {{0}}},
    {"sumFourInts", {{0}}},
    /* shared memory */
    {"sharedStride", {{"stride", 2}}},
    {"sharedStride", {{"stride", 3}}},
    {"sharedStride", {{"stride", 8}}},
    {"sharedStride", {{"stride", 6}, {"base", 1}}},
    {"sharedChar", {{0}}},
    {"sharedShort", {{0}}},
    {"sharedDouble", {{0}}},
    {"sharedStruct3", {{0}}},
    {"sharedStruct2", {{0}}},
    {"sharedBroadcast", {{0}}},
    {"sharedBroadcastGroups", {{"group", 4}}},
    {"sharedBroadcastGroups", {{"group", 8}}},
    {"sharedBroadcastOrder", {{"first", 0}}},
    {"sharedBroadcastOrder", {{"first", 5}}},
    {"setColReadCol", {{0}}},
    {"setRowReadCol", {{0}}},
    {"setRowReadColPad", {{0}}},
    {"setRowReadColRect", {{"pad", 1}}},
    {"sharedStride4", {{0}}},
    /* whole kernels */
    {"transpose_naive", {{0}}},
    {"transpose", {{0}}},
    {"transposeUnpadded", {{0}}},
    {"transposeNoBankConflicts", {{0}}},
    {"transposeSmemPad", {{0}}},
    {"copyCol", {{0}}},
    {"MatMulKernel", {{0}}},
    {"matrixMul", {{0}}},
    {"matrixMult", {{0}}},
    {"reduce0", {{0}}},
    {"reduce1", {{0}}},
    {"reduce2", {{0}}},
    /* other memories */
    {"constantPerLane", {{"addresses", 32}}},
    {"constantPerLane", {{"addresses", 5}}},
    {"addKernel", {{0}}},
    {"localDynamic", {{"bins", 4}}},
    {"localSpill", {{"values", 4}}},
    {"texture2DRows", {{0}}},
};

static bool takes(const struct gallery_param *param, const struct value *value)
{
    return strcmp(param->name, value->name) == 0 && value->value >= param->min &&
           value->value <= param->max && value->value % param->multiple == 0;
}

static void set_value(struct gallery_args *args, const struct value *value)
{
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && args->params[i].name; i++)
        if (takes(&args->params[i], value))
            args->values[i] = value->value;
}

void quiz_kernel_shrink(const struct gallery_kernel *kernel, struct quiz_kernel *small_one)
{
    *small_one = (struct quiz_kernel){.kernel = kernel, .args = {.params = kernel->params}};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++)
        small_one->args.values[i] = kernel->params[i].value;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        set_value(&small_one->args, &small[i]);
}

size_t quiz_kernel_count(void)
{
    return sizeof rows / sizeof rows[0];
}

void quiz_kernel_get(size_t index, struct quiz_kernel *kernel)
{
    const struct row *row = &rows[index];
    quiz_kernel_shrink(gallery_find(row->kernel), kernel);
    for (size_t i = 0; i < OVERRIDES_MOST && row->values[i].name; i++)
        set_value(&kernel->args, &row->values[i]);
}
