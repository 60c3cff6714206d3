/* test_support.h - what cmocka needs before its own header. */
#ifndef WARPLENS_TESTS_TEST_SUPPORT_H
#define WARPLENS_TESTS_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
