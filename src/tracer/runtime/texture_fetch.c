/* texture_fetch.c - what a texture fetch gives, by CUDA's formulas (CUDA C++ Programming Guide, "Texture Fetching"),
 * and the access that it is.
 *
 * A coordinate becomes the one texel, or the two texels and the weight of the second one, that it takes of its axis.
 * Weights have 8 bits of fraction; which way hardware rounds to them is not documented: to the nearest here.
 * Sums are in double, so that a result differs from the formula's by its rounding to float alone.
 *
 * One access is recorded a fetch: of the first texel of the footprint that lies in the texture. A fetch without any,
 * beyond a linear texture or in the border, has no access.
 */
#include <math.h>
#include <string.h>

#include "machine_code/lineinfo.h"
#include "tracer/engine.h"
#include "tracer/runtime/arrays.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))
enum { AXES = 3, WEIGHT_ONE = 256, FACES = 6 };

/* ---- Which texels ------------------------------------------------------------------------------- */

struct axis {
    int64_t texel[2]; /* -1: in the border */
    double weight;    /* of the second */
};

struct addressing {
    enum cudaTextureAddressMode mode;
    bool normalized, filters;
};

/* Without normalized coordinates there is no wrapping and no mirroring. */
static struct addressing addressing_of(const struct texture *t, unsigned axis)
{
    const struct cudaTextureDesc *s = &t->sampler;
    const bool wraps = s->addressMode[axis] == cudaAddressModeWrap ||
                       s->addressMode[axis] == cudaAddressModeMirror;
    return (struct addressing){.mode = wraps && !s->normalizedCoords ? cudaAddressModeClamp
                                                                     : s->addressMode[axis],
                               .normalized = s->normalizedCoords != 0,
                               .filters = s->filterMode == cudaFilterModeLinear};
}

/* A normalized coordinate in the texture's own range, where it wraps or is mirrored. */
static float into_range(float x, enum cudaTextureAddressMode mode)
{
    const float whole = floorf(x), fraction = x - whole;
    if (mode == cudaAddressModeWrap)
        return fraction;
    if (mode == cudaAddressModeMirror)
        return fmodf(whole, 2) != 0 ? 1 - fraction : fraction;
    return x;
}

/* The texel of an index that is 1 before the first at least and 1 behind the last at most, or clamped. */
static int64_t texel_at(int64_t i, int64_t count, enum cudaTextureAddressMode mode)
{
    if (i >= 0 && i < count)
        return i;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (mode == cudaAddressModeWrap)
        return ((i % count) + count) % count;
    return i < 0 ? 0 : count - 1;
}

static struct axis axis_of(float x, size_t size, struct addressing how)
{
    const int64_t count = (int64_t)size;
    if (how.normalized)
        x = into_range(x, how.mode) * (float)count;
    if (!(x > -4)) /* nor a number: the first texel, or the border */
        x = x != x ? 0 : -4;
    if (x > (float)count + 4)
        x = (float)count + 4;
    if (!how.filters) {
        const int64_t only = texel_at((int64_t)floorf(x), count, how.mode);
        return (struct axis){{only, only}, 0};
    }
    const double fixed = floor(((double)x - 0.5) * WEIGHT_ONE + 0.5);
    const double first = floor(fixed / WEIGHT_ONE);
    return (struct axis){
        {texel_at((int64_t)first, count, how.mode), texel_at((int64_t)first + 1, count, how.mode)},
        (fixed - first * WEIGHT_ONE) / WEIGHT_ONE};
}

struct footprint {
    struct axis axis[AXES];
    unsigned axes; /* that are filtered; texel[0] of the others is taken */
};

static const struct axis first_alone = {{0, 0}, 0};

/* An integer coordinate: a layer, or a face. */
static struct axis axis_of_layer(int64_t layer, size_t count)
{
    const int64_t there = texel_at(layer, (int64_t)count, cudaAddressModeClamp);
    return (struct axis){{there, there}, 0};
}

/* The face that a direction meets, and where on it, by the guide's table: s / m and t / m of -1 to 1. */
static struct footprint cube_footprint(const struct texture *t, float x, float y, float z,
                                       int64_t layer)
{
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    const unsigned major = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    const float m = major == 0 ? ax : major == 1 ? ay : az;
    const bool negative = major == 0 ? x < 0 : major == 1 ? y < 0 : z < 0;
    const float s = major == 0 ? (negative ? z : -z) : major == 1 ? x : negative ? -x : x;
    const float v = major == 1 ? (negative ? -z : z) : -y;
    const struct addressing how = {.mode = cudaAddressModeClamp,
                                   .normalized = true,
                                   .filters = t->sampler.filterMode == cudaFilterModeLinear};
    return (struct footprint){{axis_of((s / m + 1) / 2, t->width, how),
                               axis_of((v / m + 1) / 2, t->height, how),
                               axis_of_layer(layer * FACES + 2 * major + negative, t->depth)},
                              2};
}

static struct footprint footprint_of(const struct texture *t, enum wl_texture_shape shape,
                                     const float at[AXES], int layer)
{
    struct footprint f = {{first_alone, first_alone, first_alone}, 1};
    if (shape == WL_SHAPE_CUBE || shape == WL_SHAPE_CUBE_LAYERED)
        return cube_footprint(t, at[0], at[1], at[2], layer);
    if (shape == WL_SHAPE_2D || shape == WL_SHAPE_2D_LAYERED)
        f.axes = 2;
    if (shape == WL_SHAPE_3D)
        f.axes = 3;
    const size_t sizes[AXES] = {t->width, t->height, t->depth};
    for (unsigned i = 0; i < f.axes; i++)
        f.axis[i] = axis_of(at[i], sizes[i], addressing_of(t, i));
    if (shape == WL_SHAPE_1D_LAYERED || shape == WL_SHAPE_2D_LAYERED)
        f.axis[2] = axis_of_layer(layer, t->depth);
    return f;
}

/* ---- Their values ------------------------------------------------------------------------------- */

/* Corner c of a footprint takes the second texel of axis i where bit i of c is set. NULL: in the border. */
static const char *corner_at(const struct texture *t, const struct footprint *f, unsigned corner)
{
    int64_t at[AXES];
    for (unsigned i = 0; i < AXES; i++)
        at[i] = f->axis[i].texel[corner >> i & 1];
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return NULL;
    const size_t x = (size_t)at[0] * t->texel_bytes;
    return t->array ? array_at(t->array, x, (size_t)at[1], (size_t)at[2])
                    : t->bytes + x + (size_t)at[1] * t->pitch;
}

static double corner_weight(const struct footprint *f, unsigned corner)
{
    double weight = 1;
    for (unsigned i = 0; i < f->axes; i++)
        weight *= corner >> i & 1 ? f->axis[i].weight : 1 - f->axis[i].weight;
    return weight;
}

static float half_to_float(uint32_t half)
{
    const int exponent = (int)(half >> 10 & 31), mantissa = (int)(half & 1023);
    float value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)mantissa, -24)
                                  : ldexpf((float)(1024 + mantissa), exponent - 25);
    return half >> 15 ? -value : value;
}

struct texel {
    bool is_float;
    uint32_t word[CHANNELS]; /* integers of 32 bits */
    float value[CHANNELS];
};

static float normalized(const struct cudaChannelFormatDesc *format, uint32_t word)
{
    const double most = format->x == 8 ? 255 : 65535;
    if (format->f == cudaChannelFormatKindUnsigned)
        return (float)(word / most);
    const double value = (int32_t)word / (format->x == 8 ? 127.0 : 32767.0);
    return (float)(value < -1 ? -1 : value);
}

/* Channel `i` of the texel at `p`, zero or sign extended. */
static uint32_t channel_word(const struct cudaChannelFormatDesc *format, const char *p, unsigned i)
{
    uint32_t word = 0;
    const unsigned bytes = (unsigned)format->x / 8;
    memcpy(&word, p + (size_t)i * bytes, bytes);
    if (format->f == cudaChannelFormatKindSigned && bytes < 4)
        word = (uint32_t)((int32_t)(word << (32 - format->x)) >> (32 - format->x));
    return word;
}

static struct texel texel_of(const struct texture *t, const char *p)
{
    const struct cudaChannelFormatDesc *format = &t->format;
    const bool to_float = t->sampler.readMode == cudaReadModeNormalizedFloat && format->x < 32;
    struct texel texel = {.is_float = format->f == cudaChannelFormatKindFloat || to_float};
    for (unsigned i = 0; i < channel_count(format); i++) {
        const uint32_t word = p ? channel_word(format, p, i) : 0;
        texel.word[i] = word;
        if (!p)
            texel.value[i] = t->sampler.borderColor[i];
        else if (format->f != cudaChannelFormatKindFloat)
            texel.value[i] = to_float ? normalized(format, word) : 0;
        else if (format->x == 16)
            texel.value[i] = half_to_float(word);
        else
            memcpy(&texel.value[i], &word, sizeof word);
    }
    return texel;
}

static struct wl_texel packed(const struct texel *texel)
{
    struct wl_texel result;
    _Static_assert(sizeof result == sizeof texel->word, "16 bytes");
    memcpy(&result, texel->is_float ? (const void *)texel->value : (const void *)texel->word,
           sizeof result);
    return result;
}

static struct texel filtered(const struct texture *t, const struct footprint *f)
{
    double sum[CHANNELS] = {0};
    for (unsigned corner = 0; corner < 1U << f->axes; corner++) {
        const double weight = corner_weight(f, corner);
        if (weight == 0)
            continue;
        const struct texel texel = texel_of(t, corner_at(t, f, corner));
        for (unsigned i = 0; i < CHANNELS; i++)
            sum[i] += weight * (double)texel.value[i];
    }
    struct texel result = {.is_float = true};
    for (unsigned i = 0; i < CHANNELS; i++)
        result.value[i] = (float)sum[i];
    return result;
}

/* ---- The access --------------------------------------------------------------------------------- */

static void record(const struct texture *t, const char *p, uintptr_t pc)
{
    wl_next_load_texture(p);
    hooks_record(p, (unsigned)__builtin_ctz(t->texel_bytes), OP_LOAD, pc);
}

static void record_footprint(const struct texture *t, const struct footprint *f, uintptr_t pc)
{
    for (unsigned corner = 0; corner < 1U << f->axes; corner++) {
        const char *p = corner_weight(f, corner) != 0 ? corner_at(t, f, corner) : NULL;
        if (p) {
            record(t, p, pc);
            return;
        }
    }
}

/* The texture that a kernel names; the launch ends without one. */
static const struct texture *texture_for(cudaTextureObject_t object, const char *file, int line,
                                         uintptr_t pc)
{
    const struct texture *t = texture_find(object);
    call_lines_say(pc, file, (unsigned)line);
    if (t == NULL) {
        engine.error = cudaErrorLaunchFailure;
        engine_fail_lane(pc, object
                                 ? "a fetch from a texture object that was destroyed or never made"
                                 : "a fetch from a texture that is not bound, or not made");
    }
    return t;
}

static void check_shape(const struct texture *t, bool linear, uintptr_t pc)
{
    const bool is_linear = t->resource.resType == cudaResourceTypeLinear;
    if (is_linear == linear)
        return;
    engine.error = cudaErrorLaunchFailure;
    engine_fail_lane(pc, linear ? "tex1Dfetch from a texture that is not over linear memory"
                                : "a texture over linear memory, which only tex1Dfetch can read");
}

/* A reference may get its filter when it is bound already. */
static void check_filter(const struct texture *t, uintptr_t pc)
{
    if (t->sampler.filterMode == cudaFilterModePoint || texel_of(t, NULL).is_float)
        return;
    engine.error = cudaErrorInvalidFilterSetting;
    engine_fail_lane(pc, "a linear filter over a texture of integers");
}

WORK_COST_1 struct wl_texel wl_texture_fetch(cudaTextureObject_t object, int shape, float x,
                                             float y, float z, int layer, const char *file,
                                             int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const struct texture *t = texture_for(object, file, line, pc);
    check_shape(t, false, pc);
    check_filter(t, pc);
    const float at[AXES] = {x, y, z};
    const struct footprint f = footprint_of(t, (enum wl_texture_shape)shape, at, layer);
    record_footprint(t, &f, pc);
    const struct texel texel = t->sampler.filterMode == cudaFilterModeLinear
                                   ? filtered(t, &f)
                                   : texel_of(t, corner_at(t, &f, 0));
    return packed(&texel);
}

/* Counterclockwise from the texel below the first one. */
WORK_COST_1 struct wl_texel wl_texture_gather(cudaTextureObject_t object, float x, float y,
                                              int channel, const char *file, int line)
{
    static const unsigned corners[CHANNELS] = {2, 3, 1, 0};
    const uintptr_t pc = RETURN_ADDRESS;
    const struct texture *t = texture_for(object, file, line, pc);
    check_shape(t, false, pc);
    struct texture filters = *t;
    filters.sampler.filterMode = cudaFilterModeLinear;
    const struct footprint f = footprint_of(&filters, WL_SHAPE_2D, (const float[AXES]){x, y, 0}, 0);
    record_footprint(t, &f, pc);
    struct texel result = {0};
    for (unsigned i = 0; i < CHANNELS; i++) {
        const struct texel texel = texel_of(t, corner_at(t, &f, corners[i]));
        result.is_float = texel.is_float;
        result.word[i] = texel.word[channel & 3];
        result.value[i] = texel.value[channel & 3];
    }
    return packed(&result);
}

WORK_COST_1 struct wl_texel wl_texture_fetch_linear(cudaTextureObject_t object, int x,
                                                    const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const struct texture *t = texture_for(object, file, line, pc);
    check_shape(t, true, pc);
    if (x < 0 || (size_t)x >= t->width)
        return (struct wl_texel){0, 0};
    const char *p = t->bytes + (size_t)x * t->texel_bytes;
    record(t, p, pc);
    const struct texel texel = texel_of(t, p);
    return packed(&texel);
}
