/* cuda_texture_calls.h - CUDA arrays, textures and surfaces as far as they are plain C: CUDA's types, and the
 * runtime's functions (src/tracer/runtime/arrays.h says which file has which).
 */
#ifndef WARPLENS_CUDA_TEXTURE_CALLS_H
#define WARPLENS_CUDA_TEXTURE_CALLS_H

#include "warplens/cuda_calls.h"
#include "warplens/cuda_runtime_calls.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- CUDA arrays -------------------------------------------------------------------------------- */

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits of each channel */
    enum cudaChannelFormatKind f;
};
enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;

struct cudaChannelFormatDesc wl_channel_desc(int x, int y, int z, int w,
                                             enum cudaChannelFormatKind kind);
cudaError_t wl_malloc_array(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            struct cudaExtent extent, unsigned flags, const char *expression);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);

/* x in bytes, y in rows. */
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream WL_OR(0));
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream WL_OR(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width_bytes, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width_bytes, size_t height,
                                  enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width_bytes, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream WL_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width_bytes, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream WL_OR(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width_bytes, size_t height,
                                     enum cudaMemcpyKind kind WL_OR(cudaMemcpyDeviceToDevice));

/* ---- Textures ----------------------------------------------------------------------------------- */

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned flags;
};
struct cudaResourceViewDesc;

enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                            cudaTextureObject_t object);

/* A legacy reference: what a program sets, and what it is bound to. */
struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int wl_read_mode;              /* enum cudaTextureReadMode, of its type */
    cudaTextureObject_t wl_object; /* 0: not bound */
};
cudaError_t wl_bind_texture(size_t *offset, const struct textureReference *reference,
                            const struct cudaResourceDesc *resource);
cudaError_t wl_unbind_texture(const struct textureReference *reference);

/* ---- Fetches ------------------------------------------------------------------------------------ */

/* Four channels of 32 bits each, or any 16 bytes: returned in registers, since a kernel's loads of what was
 * returned through memory would be accesses. */
struct wl_texel {
    uint64_t low, high;
};
enum wl_texture_shape {
    WL_SHAPE_1D,
    WL_SHAPE_2D,
    WL_SHAPE_3D,
    WL_SHAPE_1D_LAYERED,
    WL_SHAPE_2D_LAYERED,
    WL_SHAPE_CUBE,
    WL_SHAPE_CUBE_LAYERED
};
/* `file` and `line` are the call's. Coordinates that the shape lacks are 0. */
WL_NOT_MERGED struct wl_texel wl_texture_fetch(cudaTextureObject_t object, int shape, float x,
                                               float y, float z, int layer, const char *file,
                                               int line);
/* Of the four texels that a linear filter would take channel `channel`. */
WL_NOT_MERGED struct wl_texel wl_texture_gather(cudaTextureObject_t object, float x, float y,
                                                int channel, const char *file, int line);
WL_NOT_MERGED struct wl_texel wl_texture_fetch_linear(cudaTextureObject_t object, int x,
                                                      const char *file, int line);
/* What a reference is bound to, with the filter and the addressing that it has now. */
cudaTextureObject_t wl_texture_of(const struct textureReference *reference);

/* ---- Surfaces ----------------------------------------------------------------------------------- */

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
    cudaSurfaceObject_t wl_object;
};
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object);
cudaError_t wl_bind_surface(const struct surfaceReference *reference, cudaArray_const_t array);
cudaSurfaceObject_t wl_surface_of(const struct surfaceReference *reference);

/* The element of 2^log2_bytes bytes at byte `x` of row `y` in slice, layer or face `z`. */
#define WL_SURFACE_HOW(log2_bytes, mode) ((unsigned)(log2_bytes) | (unsigned)(mode) << 8)
WL_NOT_MERGED struct wl_texel wl_surface_read(cudaSurfaceObject_t object, unsigned how, int x,
                                              int y, int z, int line, const char *file);
WL_NOT_MERGED void wl_surface_write(cudaSurfaceObject_t object, unsigned how, int x, int y, int z,
                                    int line, const char *file, struct wl_texel value);

#ifdef __cplusplus
}
#endif
#endif
