/* textures.c - texture objects: numbers of a table. A legacy reference is bound to an object of its own, whose
 * filter and addressing are those that the reference has when it is fetched from.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/arrays.h"
#include "tracer/runtime/runtime.h"

enum { PITCH_ALIGN = 32 };

static struct texture *textures; /* object n is at n - 1 */
static size_t texture_count, texture_room;

const struct texture *texture_find(cudaTextureObject_t object)
{
    return object - 1 < texture_count && textures[object - 1].live ? &textures[object - 1] : NULL;
}

/* ---- What a resource is ------------------------------------------------------------------------- */

static cudaError_t take_array(struct texture *t, cudaArray_const_t array)
{
    if (!array_is_live(array))
        return runtime_refuse(cudaErrorInvalidResourceHandle, "a texture over no CUDA array");
    t->array = array;
    t->format = array->desc;
    t->width = array->extent.width;
    t->height = array->rows;
    t->depth = array->slices;
    return cudaSuccess;
}

/* As many texels as the memory there has: a program may say less exactly how many. */
static cudaError_t take_linear(struct texture *t, void *pointer,
                               const struct cudaChannelFormatDesc *format, size_t bytes)
{
    const uint64_t offset = memory_offset(pointer);
    const struct device_array *memory =
        offset == MEMORY_NOWHERE || !memory_holds(pointer, 1) ? NULL : memory_array_at(offset);
    if (memory == NULL)
        return runtime_refuse(cudaErrorInvalidValue, "a texture over memory that is no array's");
    const uint64_t rest = memory->bytes - (offset - memory->offset);
    const unsigned texel_bytes = channel_texel_bytes(format);
    t->format = *format;
    t->bytes = pointer;
    t->width = texel_bytes ? (bytes < rest ? bytes : rest) / texel_bytes : 0;
    t->height = t->depth = 1;
    return cudaSuccess;
}

static cudaError_t take_pitched(struct texture *t, const struct cudaResourceDesc *resource)
{
    void *pointer = resource->res.pitch2D.devPtr;
    const size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    const size_t pitch = resource->res.pitch2D.pitchInBytes;
    const struct cudaChannelFormatDesc *format = &resource->res.pitch2D.desc;
    const size_t row = width * channel_texel_bytes(format);
    if (pitch % PITCH_ALIGN || row > pitch)
        return runtime_refuse(
            cudaErrorInvalidValue,
            "a texture of rows of %zu bytes with a pitch of %zu: a multiple of %d "
            "that holds a row is possible",
            row, pitch, PITCH_ALIGN);
    if (width == 0 || height == 0 || !memory_holds(pointer, (height - 1) * pitch + row))
        return runtime_refuse(cudaErrorInvalidValue,
                              "a texture of %zu x %zu texels and a pitch of %zu bytes: the memory "
                              "there does not hold it",
                              width, height, pitch);
    t->format = *format;
    t->bytes = pointer;
    t->pitch = pitch;
    t->width = width;
    t->height = height;
    t->depth = 1;
    return cudaSuccess;
}

static cudaError_t take_resource(struct texture *t, const struct cudaResourceDesc *resource)
{
    t->resource = *resource;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        return take_array(t, resource->res.array.array);
    case cudaResourceTypeLinear:
        return take_linear(t, resource->res.linear.devPtr, &resource->res.linear.desc,
                           resource->res.linear.sizeInBytes);
    case cudaResourceTypePitch2D:
        return take_pitched(t, resource);
    default:
        return runtime_refuse(cudaErrorNotSupported,
                              "a texture over a mipmapped array: use a CUDA array");
    }
}

/* ---- What a sampler can be ---------------------------------------------------------------------- */

static bool gives_floats(const struct texture *t)
{
    return t->format.f == cudaChannelFormatKindFloat ||
           (t->sampler.readMode == cudaReadModeNormalizedFloat && t->format.x < 32);
}

static bool has_border_colour(const struct cudaTextureDesc *s)
{
    return s->borderColor[0] != 0 || s->borderColor[1] != 0 || s->borderColor[2] != 0 ||
           s->borderColor[3] != 0;
}

static cudaError_t check_sampler(const struct texture *t)
{
    const bool filters = t->sampler.filterMode == cudaFilterModeLinear &&
                         t->resource.resType != cudaResourceTypeLinear;
    if (channel_texel_bytes(&t->format) == 0)
        return runtime_refuse(cudaErrorInvalidChannelDescriptor,
                              "a texture of channels of %d, %d, %d and %d bits: 1, 2 or 4 of 8, 16 "
                              "or 32 bits each are possible",
                              t->format.x, t->format.y, t->format.z, t->format.w);
    if (filters && !gives_floats(t))
        return runtime_refuse(cudaErrorInvalidFilterSetting,
                              "a texture of integers with a linear filter: read it as "
                              "cudaReadModeNormalizedFloat, or with cudaFilterModePoint");
    if (t->sampler.sRGB)
        return runtime_refuse(cudaErrorNotSupported,
                              "a texture with sRGB: convert in the kernel, that is not modelled");
    if (has_border_colour(&t->sampler) && !gives_floats(t))
        return runtime_refuse(cudaErrorNotSupported,
                              "a texture of integers with a border colour: only 0 is possible");
    return cudaSuccess;
}

/* ---- Objects ------------------------------------------------------------------------------------ */

static cudaError_t make(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *desc)
{
    struct texture t = {.sampler = *desc, .live = true};
    *object = 0;
    cudaError_t error = runtime_state();
    if (error == cudaSuccess)
        error = take_resource(&t, resource);
    if (error == cudaSuccess)
        error = check_sampler(&t);
    if (error != cudaSuccess)
        return error;
    t.texel_bytes = channel_texel_bytes(&t.format);
    if (!table_make_room(&textures, texture_count, &texture_room, sizeof *textures))
        return runtime_answer(cudaErrorMemoryAllocation);
    textures[texture_count++] = t;
    *object = texture_count;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    if (view)
        return runtime_refuse(cudaErrorNotSupported,
                              "a texture with a resource view: make it of the array as it is");
    return make(object, resource, desc);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    if (texture_find(object) == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    textures[object - 1].live = false;
    engine.objects_destroyed++;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object)
{
    const struct texture *t = texture_find(object);
    if (t == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    *resource = t->resource;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                            cudaTextureObject_t object)
{
    const struct texture *t = texture_find(object);
    if (t == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    *desc = t->sampler;
    return cudaSuccess;
}

/* ---- References --------------------------------------------------------------------------------- */

static struct cudaTextureDesc sampler_of(const struct textureReference *reference)
{
    struct cudaTextureDesc sampler = {.filterMode = reference->filterMode,
                                      .readMode = (enum cudaTextureReadMode)reference->wl_read_mode,
                                      .sRGB = reference->sRGB,
                                      .normalizedCoords = reference->normalized};
    memcpy(sampler.addressMode, reference->addressMode, sizeof sampler.addressMode);
    return sampler;
}

/* CUDA takes references as constants and binds them all the same. */
static struct textureReference *writable(const struct textureReference *reference)
{
    return (struct textureReference *)(uintptr_t)reference;
}

cudaError_t wl_bind_texture(size_t *offset, const struct textureReference *reference,
                            const struct cudaResourceDesc *resource)
{
    struct cudaTextureDesc sampler = sampler_of(reference);
    if (offset)
        *offset = 0;
    wl_unbind_texture(reference);
    return make(&writable(reference)->wl_object, resource, &sampler);
}

cudaError_t wl_unbind_texture(const struct textureReference *reference)
{
    if (texture_find(reference->wl_object))
        textures[reference->wl_object - 1].live = false;
    writable(reference)->wl_object = 0;
    return cudaSuccess;
}

WORK_COST_0 cudaTextureObject_t wl_texture_of(const struct textureReference *reference)
{
    engine.depends_on_more = true; /* what is bound, and how, stands in no argument */
    if (texture_find(reference->wl_object))
        textures[reference->wl_object - 1].sampler = sampler_of(reference);
    return reference->wl_object;
}
