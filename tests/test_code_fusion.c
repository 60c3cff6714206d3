/* test_code_fusion.c - which instructions of a CPU are one of a GPU's together? */
#include "hex_bytes.h"
#include "test_support.h"
#include "machine_code/code_fusion.h"

enum { INSTRUCTIONS_MAX = 8 };

/* Instructions in hexadecimal digits, one a string; those of `joined`, a bit each, cost nothing. */
struct sample {
    const char *what;
    const char *code[INSTRUCTIONS_MAX];
    unsigned joined;
};

static const struct sample samples[] = {
    /* xor %ebx,%eax; xor %ecx,%eax; xor %edx,%eax: LOP3, and another one */
    {"three exclusive ors", {"31 d8", "31 c8", "31 d0"}, 2},
    /* and %ebx,%eax; or $1,%eax */
    {"and, or", {"21 d8", "83 c8 01"}, 2},
    /* add %ebx,%eax; add %ecx,%eax; add %edx,%eax; add %esi,%eax: two IADD3 */
    {"four sums", {"01 d8", "01 c8", "01 d0", "01 f0"}, 2 | 8},
    /* xor %ebx,%eax; add %ecx,%eax */
    {"exclusive or, sum", {"31 d8", "01 c8"}, 0},
    /* imul %ebx,%eax; add %ecx,%eax; add %edx,%eax: IMAD, and a sum */
    {"product and sum", {"0f af c3", "01 c8", "01 d0"}, 2},
    /* shl $2,%eax; add %ecx,%eax: LEA */
    {"shift and sum", {"c1 e0 02", "01 c8"}, 2},
    /* shr $2,%eax; add %ecx,%eax */
    {"shift to the right, and sum", {"c1 e8 02", "01 c8"}, 0},
    /* xor %ebx,%eax; mov %eax,%edx; xor %ecx,%eax: the first is needed */
    {"one that is needed", {"31 d8", "89 c2", "31 c8"}, 0},
    /* xor %ebx,%eax; mov (%rax),%edx; xor %ecx,%eax */
    {"one that is an address", {"31 d8", "8b 10", "31 c8"}, 0},
    /* cmp %ebx,%eax; cmovg %ebx,%eax: the smaller one */
    {"smaller", {"39 d8", "0f 4f c3"}, 2},
    /* cmp %ebx,%eax; mov %ebx,%ecx; cmovge %eax,%ecx; cmovg %ebx,%eax: the larger and the smaller one */
    {"larger and smaller", {"39 d8", "89 d9", "0f 4d c8", "0f 4f c3"}, 4},
    /* test %eax,%eax; cmovs %edx,%eax */
    {"not below 0", {"85 c0", "0f 48 c2"}, 2},
    /* cmp %ebx,%eax; cmove %ebx,%eax */
    {"equal", {"39 d8", "0f 44 c3"}, 0},
    /* cmp %ebx,%eax; cmovg %edx,%ecx: a choice of others */
    {"choice", {"39 d8", "0f 4f ca"}, 0},
    /* cmp %ebx,%eax; add %ecx,%eax; cmovg %ebx,%eax */
    {"not what was compared", {"39 d8", "01 c8", "0f 4f c3"}, 0},
    /* cmp %rbx,%rax; cmovg %rbx,%rax: 8 bytes take two comparisons and two choices */
    {"smaller of 8 bytes", {"48 39 d8", "48 0f 4f c3"}, 0},
    /* shl $32,%rax; or %rax,%rbx: two words in one register */
    {"two words", {"48 c1 e0 20", "48 09 c3"}, 2},
};

static void instructions_join_those_in_front(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
        struct fusion fusion = {.has_compared = false};
        unsigned joined = 0;
        for (unsigned i = 0; i < INSTRUCTIONS_MAX && samples[s].code[i]; i++) {
            uint8_t code[16] = {0};
            from_hex(samples[s].code[i], code, sizeof code);
            joined |= (unsigned)fusion_step_x86_64(&fusion, code, sizeof code) << i;
        }
        if (joined != samples[s].joined)
            fail_msg("%s: %x instead of %x", samples[s].what, joined, samples[s].joined);
    }
}

static void a_call_forgets_all(void **state)
{
    (void)state;
    static const uint8_t xor_1[] = {0x31, 0xd8}, call[] = {0xe8, 0, 0, 0, 0}, cut[] = {0x48};
    struct fusion fusion = {.has_compared = false};
    fusion_step_x86_64(&fusion, xor_1, sizeof xor_1);
    fusion_step_x86_64(&fusion, call, sizeof call);
    assert_false(fusion_step_x86_64(&fusion, xor_1, sizeof xor_1));
    assert_false(fusion_step_x86_64(&fusion, cut, sizeof cut));
    assert_false(fusion_step_x86_64(&fusion, xor_1, sizeof xor_1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_join_those_in_front),
        cmocka_unit_test(a_call_forgets_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
