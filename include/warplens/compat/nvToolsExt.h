/* nvToolsExt.h - marks for a profiler's timeline, which have nothing to do here. */
#ifndef WARPLENS_COMPAT_NVTOOLSEXT_H
#define WARPLENS_COMPAT_NVTOOLSEXT_H
#pragma GCC system_header

#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII };
typedef uint64_t nvtxRangeId_t;
struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
};

inline int nvtxRangePushA(const char *)
{
    return 0;
}
inline int nvtxRangePush(const char *)
{
    return 0;
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t *)
{
    return 0;
}
inline int nvtxRangePop()
{
    return 0;
}
inline nvtxRangeId_t nvtxRangeStartA(const char *)
{
    return 0;
}
inline void nvtxRangeEnd(nvtxRangeId_t)
{
}
inline void nvtxMarkA(const char *)
{
}
inline void nvtxMark(const char *)
{
}
inline void nvtxNameOsThreadA(uint32_t, const char *)
{
}

#endif
