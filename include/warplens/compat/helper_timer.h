/* helper_timer.h - the stopwatch of NVIDIA's samples, by the names of their helper header. It tells the
 * time of this computer, which says nothing of a GPU's.
 */
#ifndef WARPLENS_COMPAT_HELPER_TIMER_H
#define WARPLENS_COMPAT_HELPER_TIMER_H
#pragma GCC system_header

#include <time.h>

#include "warplens/cuda.h"

class StopWatchInterface
{
    double started_ = 0, total_ = 0, last_ = 0;
    int sessions_ = 0;
    bool running_ = false;
    static double now()
    {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
    }

  public:
    virtual ~StopWatchInterface()
    {
    }
    void start()
    {
        started_ = now();
        running_ = true;
    }
    void stop()
    {
        last_ = now() - started_;
        total_ += last_;
        sessions_++;
        running_ = false;
    }
    void reset()
    {
        started_ = now();
        total_ = last_ = 0;
        sessions_ = 0;
    }
    float getTime()
    {
        return (float)(total_ + (running_ ? now() - started_ : 0));
    }
    float getAverageTime()
    {
        return sessions_ ? (float)(total_ / sessions_) : 0.0f;
    }
};
typedef StopWatchInterface StopWatchLinux;

inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = NULL;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->reset();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getTime() : 0.0f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getAverageTime() : 0.0f;
}

#endif
