/* surfaces.c - surface objects, and loads and stores of CUDA arrays through them: x counts bytes. Loads are
 * accesses of the texture unit, stores of global memory: traces know no others there.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/arrays.h"
#include "tracer/runtime/runtime.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static cudaArray_const_t *surfaces; /* object n is at n - 1; NULL: destroyed */
static size_t surface_count, surface_room;

static cudaArray_const_t surface_find(cudaSurfaceObject_t object)
{
    return object - 1 < surface_count ? surfaces[object - 1] : NULL;
}

static cudaError_t make(cudaSurfaceObject_t *object, cudaArray_const_t array)
{
    *object = 0;
    if (runtime_state())
        return runtime_state();
    if (!array_is_live(array) || !(array->flags & cudaArraySurfaceLoadStore))
        return runtime_refuse(cudaErrorInvalidValue,
                              "a surface needs a CUDA array made with cudaArraySurfaceLoadStore");
    if (!table_make_room(&surfaces, surface_count, &surface_room, sizeof *surfaces))
        return runtime_answer(cudaErrorMemoryAllocation);
    surfaces[surface_count++] = array;
    *object = surface_count;
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource)
{
    if (resource->resType != cudaResourceTypeArray)
        return runtime_refuse(cudaErrorInvalidValue,
                              "a surface over something else than a CUDA array");
    return make(object, resource->res.array.array);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    if (surface_find(object) == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    surfaces[object - 1] = NULL;
    engine.objects_destroyed++;
    return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object)
{
    if (surface_find(object) == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    *resource = (struct cudaResourceDesc){.resType = cudaResourceTypeArray};
    resource->res.array.array = (cudaArray_t)(uintptr_t)surface_find(object);
    return cudaSuccess;
}

cudaError_t wl_bind_surface(const struct surfaceReference *reference, cudaArray_const_t array)
{
    return make(&((struct surfaceReference *)(uintptr_t)reference)->wl_object, array);
}

WORK_COST_0 cudaSurfaceObject_t wl_surface_of(const struct surfaceReference *reference)
{
    engine.depends_on_more = true; /* what is bound stands in no argument */
    return reference->wl_object;
}

/* ---- Loads and stores --------------------------------------------------------------------------- */

struct element {
    cudaArray_const_t array;
    int64_t x, y, z;
    unsigned log2_bytes;
    enum cudaSurfaceBoundaryMode mode;
};

static int64_t clamp(int64_t i, size_t count)
{
    return i < 0 ? 0 : i >= (int64_t)count ? (int64_t)count - 1 : i;
}

static bool is_inside(const struct element *p)
{
    const int64_t bytes = INT64_C(1) << p->log2_bytes;
    return p->x >= 0 && p->x + bytes <= (int64_t)p->array->width_bytes && p->y >= 0 &&
           p->y < (int64_t)p->array->rows && p->z >= 0 && p->z < (int64_t)p->array->slices;
}

_Noreturn static void fail_misaligned(int64_t x, unsigned bytes, uintptr_t pc)
{
    engine.error = cudaErrorMisalignedAddress;
    engine_fail_lane(pc,
                     "surface access of %u bytes at byte %lld of a row, which is no multiple of %u",
                     bytes, (long long)x, bytes);
}

_Noreturn static void fail_outside(const struct element *p, uintptr_t pc)
{
    const struct cudaArray *a = p->array;
    engine.error = cudaErrorLaunchFailure;
    engine_fail_lane(pc,
                     "surface access of %u bytes at byte %lld of row %lld of slice %lld: the CUDA "
                     "array has %zu bytes, %zu rows, %zu slices",
                     1U << p->log2_bytes, (long long)p->x, (long long)p->y, (long long)p->z,
                     a->width_bytes, a->rows, a->slices);
}

/* Where the element is; NULL where the access does nothing. */
static char *element_at(struct element p, uintptr_t pc)
{
    const unsigned bytes = 1U << p.log2_bytes;
    if (p.x % bytes)
        fail_misaligned(p.x, bytes, pc);
    if (!is_inside(&p) && p.mode == cudaBoundaryModeZero)
        return NULL;
    if (!is_inside(&p) && p.mode == cudaBoundaryModeTrap)
        fail_outside(&p, pc);
    p.x = clamp(p.x / bytes, p.array->width_bytes / bytes) * bytes;
    return array_at(p.array, (size_t)p.x, (size_t)clamp(p.y, p.array->rows),
                    (size_t)clamp(p.z, p.array->slices));
}

/* `how`: WL_SURFACE_HOW. A shape without rows has its layer as `z` all the same. */
static struct element place_of(cudaSurfaceObject_t object, unsigned how, int x, int y, int z,
                               const char *file, int line, uintptr_t pc)
{
    call_lines_say(pc, file, (unsigned)line);
    cudaArray_const_t array = surface_find(object);
    if (array == NULL) {
        engine.error = cudaErrorLaunchFailure;
        engine_fail_lane(pc, "an access of a surface that was destroyed, not bound or never made");
    }
    return (struct element){array, x, y, z, how & 0xff, (enum cudaSurfaceBoundaryMode)(how >> 8)};
}

WORK_COST_1 struct wl_texel wl_surface_read(cudaSurfaceObject_t object, unsigned how, int x, int y,
                                            int z, int line, const char *file)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const struct element place = place_of(object, how, x, y, z, file, line, pc);
    const char *p = element_at(place, pc);
    struct wl_texel value = {0, 0};
    if (p == NULL)
        return value;
    wl_next_load_texture(p);
    hooks_record(p, place.log2_bytes, OP_LOAD, pc);
    memcpy(&value, p, (size_t)1 << place.log2_bytes);
    return value;
}

WORK_COST_1 void wl_surface_write(cudaSurfaceObject_t object, unsigned how, int x, int y, int z,
                                  int line, const char *file, struct wl_texel value)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const struct element place = place_of(object, how, x, y, z, file, line, pc);
    char *p = element_at(place, pc);
    if (p == NULL)
        return;
    hooks_record(p, place.log2_bytes, OP_STORE, pc);
    memcpy(p, &value, (size_t)1 << place.log2_bytes);
}
