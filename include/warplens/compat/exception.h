/* exception.h - the exceptions of NVIDIA's samples, as far as their helper headers name them. */
#ifndef WARPLENS_COMPAT_EXCEPTION_H
#define WARPLENS_COMPAT_EXCEPTION_H
#pragma GCC system_header

#include <stdlib.h>

#include <exception>
#include <iostream>
#include <stdexcept>

template <class Std> inline void handleException(const Std &problem)
{
    std::cerr << problem.what() << std::endl;
    exit(EXIT_FAILURE);
}

#endif
