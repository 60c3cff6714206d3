/* observe_objects.c - which array an access belongs to.
 *
 * A global access belongs to the launch's array that holds its first active lane, or to the name of its
 * site where the run tells of no such array; a shared one to its site's name and the kernel.
 */
#include "advise/observe_objects.h"

#include <string.h>

static struct object *object_add(struct observed *observed, const struct object *object)
{
    if (observed->object_count == OBJECTS_MAX)
        return NULL;
    observed->objects[observed->object_count] = *object;
    return &observed->objects[observed->object_count++];
}

static bool overlap(const struct object *object, const struct trace_array *array)
{
    return object->is_known && array->base < object->base + object->bytes &&
           object->base < array->base + array->bytes;
}

void observed_add_arrays(struct observed *observed, const struct launch_info *launch)
{
    for (size_t i = 0; i < launch->array_count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        bool is_there = false;
        for (size_t k = 0; k < observed->object_count; k++) {
            const struct object *object = &observed->objects[k];
            bool same =
                object->is_known && object->base == array->base && object->bytes == array->bytes;
            is_there |= same;
            observed->arrays_overlap |= !same && overlap(object, array);
        }
        const struct object object = {.name = array->name,
                                      .kernel = "",
                                      .atomic_kernel = "",
                                      .space = SPACE_GLOBAL,
                                      .home = array->home,
                                      .is_known = true,
                                      .base = array->base,
                                      .bytes = array->bytes,
                                      .low = UINT64_MAX};
        if (!is_there && object_add(observed, &object) == NULL)
            observed->arrays_overlap = true; /* too many to place them anew */
    }
}

static bool is_in(const struct object *object, uint64_t addr)
{
    return addr >= object->base && addr - object->base < object->bytes;
}

static struct object *find_object(struct observed *observed, const char *of_kernel,
                                  const struct trace_site *site, uint64_t addr)
{
    const bool is_global = site->space == SPACE_GLOBAL || site->space == SPACE_TEXTURE;
    const char *kernel = is_global ? "" : of_kernel;
    for (size_t i = 0; is_global && i < observed->object_count; i++)
        if (observed->objects[i].is_known && is_in(&observed->objects[i], addr))
            return &observed->objects[i];
    for (size_t i = 0; i < observed->object_count; i++) {
        struct object *object = &observed->objects[i];
        if (!object->is_known && object->space == site->space &&
            strcmp(object->name, site->array) == 0 && strcmp(object->kernel, kernel) == 0)
            return object;
    }
    const struct object fresh = {.name = site->array,
                                 .kernel = kernel,
                                 .atomic_kernel = "",
                                 .space = site->space,
                                 .low = UINT64_MAX};
    return object_add(observed, &fresh);
}

struct object *observed_object_of(struct observed *observed, const char *kernel,
                                  const struct warp_access *a, uint64_t addr)
{
    uint16_t *number = &observed->object_of_site[a->site];
    if (*number != NO_OBJECT) {
        struct object *object = &observed->objects[*number];
        object->is_mixed |= object->is_known && !is_in(object, addr);
        return object;
    }
    struct object *object = find_object(observed, kernel, &observed->sites[a->site], addr);
    if (object)
        *number = (uint16_t)(object - observed->objects);
    return object;
}
