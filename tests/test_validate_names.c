/* test_validate_names.c - is a kernel's name the same one in every form that profilers, compilers and sources write? */
#include "test_support.h"

#include <string.h>

#include "validate/kernel_name.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* What is read of a name, as it is shown. */
static const struct {
    const char *text, *shown;
} readings[] = {
    /* ncu, demangled */
    {"transpose(float *, const float *, int)", "transpose"},
    {"void reduce<int, (unsigned int)64>(T1 *, const T1 *)", "reduce<int, 64>"},
    {"void tiled<1>(float *, const float *, int)", "tiled<1>"},
    {"void foo::bar<float>(T1 *)", "bar<float>"},
    {"foo::bar(float *)", "bar"},
    {"void k<(bool)1, (char)97, (int)-3>()", "k<1, 97, -3>"},
    {"void (anonymous namespace)::k<const float *>(T1)", "k<const float*>"},
    {"<unnamed>::k(int)", "k"},
    {"void outer::<unnamed>::k<double>(T1)", "k<double>"},
    {"void apply<plus>(float *, T1)", "apply<plus>"},
    {"void apply<std::vector<int, 3>, 4>(T1)", "apply<vector<int,3>, 4>"},
    {"void apply<main::[lambda(float) (instance 1)]>(float *, T1)",
     "apply<main[lambda(float)(instance1)]>"},
    {"void apply<main::{lambda(float)#1}>(float *, T1)", "apply<main{lambda(float)#1}>"},
    {"void less<(int)3, (bool)(1 > 0)>(int)", "less<3, (1>0)>"},
    /* ncu, the function's name alone; nvprof */
    {"reduce", "reduce"},
    {"void matrixMulCUDA<int=32>(float*, float*, float*, int, int)", "matrixMulCUDA<32>"},
    {"void copy<float, unsigned int=4>(float*) [109]", "copy<float, 4>"},
    {"copy [109]", "copy"},
    /* the source, as a run knows it */
    {"reduce<T, 64>", "reduce<T, 64>"},
    {"foo::bar<unsigned, 64u, 0x10, true>", "bar<unsigned int, 64, 16, 1>"},
    {"k<unsigned  long  long int, long unsigned, float const *>",
     "k<unsigned long long, unsigned long, const float*>"},
    {"k<uint32_t, size_t, struct pair>", "k<unsigned int, unsigned long, pair>"},
    {"k<'a', -0>", "k<97, 0>"},
    /* files of ours had ; for , */
    {"void reduce<double; 256>", "reduce<double, 256>"},
    /* a name that is cut: its arguments are unknown */
    {"longName<alpha, be", "longName"},
    /* mangled */
    {"_Z9transposePfPKfi", "transpose"},
    {"_Z6reduceIiLj64EEvPT_PKS1_", "reduce<int, 64>"},
    {"_Z5tiledILi1EEvPfPKfi", "tiled<1>"},
    {"_ZN3foo3barIfEEvPT_", "bar<float>"},
    {"_ZN3foo5inner3barEPf", "bar"},
    {"_ZN12_GLOBAL__N_16hiddenEPf", "hidden"},
    {"_ZN43_GLOBAL__N__00000000_8_names_cu_1234567_1236hiddenEPf", "hidden"},
    {"_ZL3ownPf", "own"},
    {"_Z1kILb1ELin3EPKfN3foo4pairEEvv", "k<1, -3, const float*, pair>"},
    {"_Z5applyI4plusEvPfT_", "apply<plus>"},
    {"_Z5applyIZ4mainEUlfE_EvPfT_", "apply"}, /* a lambda of main */
    {"_Z1kIS_Evv", "k"},                      /* refers back */
    /* damaged */
    {"_Z", ""},
    {"_Z99k", ""},
    {"_ZN", ""},
    {"_Z1kI", "k"},
    {"_Z1kILi", "k"},
    {"", ""},
    {"<", ""},
    {"void ", "void"},
    {">>><<<", ""},
    {"k<a\n\n\n*, \nint>", "k<a*, int>"}, /* line breaks separate arguments inside */
};

static void test_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(readings); i++) {
        struct kernel_name name;
        char shown[KERNEL_SHOWN_BYTES];
        kernel_name_read(&name, readings[i].text);
        assert_string_equal(kernel_name_show(&name, shown), readings[i].shown);
    }
}

static void test_matching(void **state)
{
    static const struct {
        const char *measured, *modelled;
        enum kernel_match match;
    } cases[] = {
        {"void reduce<int, (unsigned int)64>(T1 *)", "reduce<int, 64>", KERNEL_SAME},
        {"_Z6reduceIiLj64EEvPT_", "void reduce<int, 64>", KERNEL_SAME},
        {"transpose(float *)", "transpose", KERNEL_SAME},
        {"ns::transpose(float *)", "transpose", KERNEL_SAME},
        {"void k<uint32_t>(T1)", "k<unsigned>", KERNEL_SAME},
        /* the source's parameter, or none, leaves the instance open */
        {"void reduce<int, (unsigned int)64>(T1 *)", "reduce<T, 64>", KERNEL_MAYBE},
        {"void reduce<int, (unsigned int)64>(T1 *)", "reduce", KERNEL_MAYBE},
        {"reduce", "reduce<int, 64>", KERNEL_MAYBE},
        {"void k<int, (int)4>(T1)", "k<int>", KERNEL_MAYBE},
        {"void apply<plus>(T1)", "apply<decltype(f)>", KERNEL_MAYBE},
        /* other instances, other functions */
        {"void reduce<int, (unsigned int)64>(T1 *)", "reduce<T, 128>", KERNEL_OTHER},
        {"void reduce<int, (unsigned int)64>(T1 *)", "reduce<double, 64>", KERNEL_OTHER},
        {"void k<float>(T1)", "k<3>", KERNEL_OTHER},
        {"reduce", "reduced", KERNEL_OTHER},
        {"reduced", "reduce", KERNEL_OTHER},
        /* a run keeps 63 characters of a name */
        {"aKernelWhoseNameIsLongerThanWhatAResultKeepsOfTheNamesOfItsKernels_1",
         "aKernelWhoseNameIsLongerThanWhatAResultKeepsOfTheNamesOfItsKern", KERNEL_SAME},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct kernel_name a, b;
        kernel_name_read(&a, cases[i].measured);
        kernel_name_read(&b, cases[i].modelled);
        assert_int_equal(kernel_name_match(&a, &b), cases[i].match);
        assert_int_equal(kernel_name_match(&b, &a), cases[i].match);
    }
}

/* A name of any length stays within its room. */
static void test_room(void **state)
{
    char text[5000], shown[KERNEL_SHOWN_BYTES];
    struct kernel_name name;
    (void)state;
    memset(text, 'k', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    kernel_name_read(&name, text);
    assert_int_equal(strlen(name.base), KERNEL_BASE_BYTES - 1);
    for (size_t i = 1; i + 1 < sizeof text; i++)
        text[i] = i == 1 ? '<' : i % 2 ? ',' : '1';
    text[sizeof text - 2] = '>';
    kernel_name_read(&name, text);
    assert_true(name.has_arguments && strlen(name.arguments) < KERNEL_ARGUMENTS_BYTES);
    assert_true(strlen(kernel_name_show(&name, shown)) < KERNEL_SHOWN_BYTES);
    memset(text + 2, '<', sizeof text - 4);
    kernel_name_read(&name, text);
    assert_false(name.has_arguments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
