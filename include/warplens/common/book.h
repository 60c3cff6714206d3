/* book.h - for programs that include "../common/book.h". */
#ifndef WARPLENS_COMMON_BOOK_H
#define WARPLENS_COMMON_BOOK_H
#pragma GCC system_header
#include "warplens/compat/book.h"
#endif
