/* helper_functions.h - the helper headers of NVIDIA's samples, together. */
#ifndef WARPLENS_COMPAT_HELPER_FUNCTIONS_H
#define WARPLENS_COMPAT_HELPER_FUNCTIONS_H
#pragma GCC system_header

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
