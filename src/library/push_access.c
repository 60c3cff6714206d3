/* push_access.c - struct warplens_access -> struct warp_access and its site. */
#include "library/push.h"

#include <inttypes.h>
#include <string.h>

const char *library_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "kernel.cu:12" for messages. */
enum { WHERE_BYTES = 96 };
static const char *where(const struct warplens_access *access, char text[WHERE_BYTES])
{
    snprintf(text, WHERE_BYTES, "%.64s:%" PRIu32,
             access->file ? library_base_name(access->file) : "?", access->line);
    return text;
}

/* What does not fit in the fields of struct warp_access, or would be a text of its own. */
static bool is_plain(struct warplens_run *run, const struct warplens_access *a)
{
    char text[WHERE_BYTES];
    if (!push_text_is_plain(a->file) || !push_text_is_plain(a->array))
        return library_fail(run, "an access whose file or array has a name that is too long or "
                                 "holds control characters");
    if ((unsigned)a->space > WARPLENS_TEXTURE || (unsigned)a->op > WARPLENS_ATOMIC)
        return library_fail(run,
                            "%s: space %u, operation %u: allowed are WARPLENS_GLOBAL (0) to "
                            "WARPLENS_TEXTURE (4), WARPLENS_LOAD (0) to WARPLENS_ATOMIC (2)",
                            where(a, text), (unsigned)a->space, (unsigned)a->op);
    if (a->width > 16 || a->flags > (WARPLENS_READ_ONLY | WARPLENS_VOLATILE) ||
        a->instructions > UINT16_MAX)
        return library_fail(run,
                            "%s: width %" PRIu32 ", flags 0x%" PRIx32 ", %" PRIu32
                            " instructions: allowed are 1, 2, 4, 8 or 16 bytes, the "
                            "WARPLENS_ flags, and 0 to 65535",
                            where(a, text), a->width, a->flags, a->instructions);
    return true;
}

/* Without flags and site. */
static struct warp_access take(const struct library_push *push, const struct warplens_access *a)
{
    const uint32_t lanes = push_launch_lanes(&push->launch, a->warp);
    return (struct warp_access){
        .addr = a->addresses,
        .base = a->base,
        .stride = a->stride,
        .active = a->mask,
        .resident = a->resident ? a->resident : lanes,
        .block = a->block,
        .warp = a->warp,
        .work = (uint16_t)(a->instructions ? a->instructions : 1),
        .loads_left = (uint8_t)(a->loads_left < NEEDS_NO_LOAD ? a->loads_left : NEEDS_NO_LOAD),
        .width = (uint8_t)a->width,
        .op = (uint8_t)a->op,
        .space = (uint8_t)a->space,
    };
}

/* The launch says how much shared memory a block has. */
static bool shared_is_there(struct warplens_run *run, const struct warplens_access *a,
                            const struct warp_access *access)
{
    uint64_t bytes = run->push->launch.info.dynamic_shared_bytes;
    char text[WHERE_BYTES];
    for (uint32_t left = access->active; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t at = access_addr(access, lane);
        if (at >= bytes || bytes - at < a->width)
            return library_fail(run,
                                "%s: block %" PRIu32 ", warp %" PRIu32 ", lane %u: shared address "
                                "0x%" PRIx64 " is beyond the launch's shared_bytes, %" PRIu64,
                                where(a, text), a->block, a->warp, lane, at, bytes);
    }
    return true;
}

/* The array's name and whether it is the host's. */
static const char *find_array(const struct library_push *push, const struct warplens_access *a,
                              struct warp_access *access)
{
    if (a->space != WARPLENS_GLOBAL && a->space != WARPLENS_TEXTURE)
        return a->array ? a->array : "";
    unsigned first = a->mask ? (unsigned)__builtin_ctz(a->mask) : 0;
    const struct trace_array *array =
        push_launch_array(&push->launch, a->array, access_addr(access, first));
    if (array && array->home == HOME_HOST)
        access->flags |= ACCESS_HOST;
    return a->array ? a->array : array ? array->name : "";
}

static bool find_site(struct library_push *push, const struct warplens_access *a,
                      struct warp_access *access, struct warplens_run *run)
{
    bool is_new;
    const struct trace_site site = {.file = a->file ? library_base_name(a->file) : "?",
                                    .line = a->line,
                                    .array = find_array(push, a, access),
                                    .space = access->space,
                                    .op = access->op,
                                    .width = access->width};
    if (!sites_number(&push->sites, &site, &access->site, &is_new)) {
        library_fail(run, "no memory for the places of accesses");
        return library_push_fail(run);
    }
    return library_push_keep(run, !is_new || sink_site(&push->sink, access->site, &site));
}

bool warplens_add_access(struct warplens_run *run, const struct warplens_access *a)
{
    struct library_push *push = library_push_of(run, "take an access");
    if (push == NULL)
        return false;
    if (a == NULL) {
        library_fail(run, "an access that is NULL");
        return library_push_fail(run);
    }
    if (!is_plain(run, a))
        return library_push_fail(run);
    struct warp_access access = take(push, a);
    if (a->flags & WARPLENS_READ_ONLY)
        access.flags |= ACCESS_READ_ONLY;
    if (a->flags & WARPLENS_VOLATILE)
        access.flags |= ACCESS_VOLATILE;
    if (a->space == WARPLENS_SHARED && !shared_is_there(run, a, &access))
        return library_push_fail(run);
    return library_push_enter(run, a->block) && find_site(push, a, &access, run) &&
           library_push_keep(run, sink_access(&push->sink, &access));
}
