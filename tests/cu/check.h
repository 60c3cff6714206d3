// check.h - what the programs of this folder check with: the first thing that is wrong ends one.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK_THAT(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("FAILED at %s:%d: %s\n", __FILE__, __LINE__, #condition);                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define CHECK_CALL(call) CHECK_THAT((call) == cudaSuccess)
