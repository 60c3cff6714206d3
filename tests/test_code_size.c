/* test_code_size.c - are instructions as long, and of the kind, that they are? By hand-made bytes,
 * and by the disassembler for every instruction of this program, kernels included.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hex_bytes.h"
#include "test_support.h"
#include "machine_code/code_size.h"

struct sample {
    const char *hex;
    enum code_kind kind;
    unsigned arguments;
    int64_t target; /* 0: none */
};

static void assert_sample(const struct sample *sample,
                          struct code_instruction (*decode)(const uint8_t *, size_t))
{
    uint8_t code[32] = {0};
    size_t bytes = from_hex(sample->hex, code, sizeof code);
    struct code_instruction found = decode(code, sizeof code);
    if (found.bytes != bytes || found.kind != sample->kind ||
        found.arguments != sample->arguments || found.has_target != (sample->target != 0) ||
        found.target != sample->target)
        fail_msg("%s: %u bytes, kind %d, arguments %u, target %lld", sample->hex, found.bytes,
                 (int)found.kind, found.arguments, (long long)found.target);
    for (size_t room = 0; room < bytes; room++) /* cut off */
        assert_int_equal(decode(code, room).bytes, 0);
}

static void instructions_of_x86_64_are_told_apart(void **state)
{
    static const struct sample samples[] = {
        {"90", CODE_NOTHING, 0, 0},
        {"f3 0f 1e fa", CODE_NOTHING, 0, 0},                    /* endbr64 */
        {"66 2e 0f 1f 84 00 00 00 00 00", CODE_NOTHING, 0, 0},  /* nopw */
        {"53", CODE_NOTHING, 0, 0},                             /* push %rbx */
        {"41 5e", CODE_NOTHING, 0, 0},                          /* pop %r14 */
        {"48 83 ec 08", CODE_NOTHING, 0, 0},                    /* sub $8,%rsp */
        {"48 81 c4 00 01 00 00", CODE_NOTHING, 0, 0},           /* add $256,%rsp */
        {"49 83 c4 08", CODE_OTHER, 0, 0},                      /* add $8,%r12 */
        {"89 44 24 0c", CODE_NOTHING, 0, 0},                    /* mov %eax,12(%rsp) */
        {"f3 0f 10 04 24", CODE_NOTHING, 0, 0},                 /* movss (%rsp),%xmm0 */
        {"03 44 24 0c", CODE_OTHER, 0, 0},                      /* add 12(%rsp),%eax */
        {"41 8b 04 24", CODE_MOVE, 0, 0},                       /* mov (%r12),%eax */
        {"8b 05 10 00 00 00", CODE_MOVE, 0, 22},                /* mov 16(%rip),%eax */
        {"f3 0f 11 00", CODE_MOVE, 0, 0},                       /* movss %xmm0,(%rax) */
        {"c5 fa 10 04 81", CODE_MOVE, 0, 0},                    /* vmovss */
        {"62 f1 7c 48 10 40 01", CODE_MOVE, 0, 0},              /* vmovups 64(%rax),%zmm0 */
        {"66 c7 40 04 34 12", CODE_MOVE, 0, 0},                 /* movw $0x1234,4(%rax) */
        {"0f b6 04 08", CODE_MOVE, 0, 0},                       /* movzbl (%rax,%rcx),%eax */
        {"0f b6 c0", CODE_OTHER, 0, 0},                         /* movzbl %al,%eax */
        {"0f b7 f8", CODE_ARGUMENT, 1, 0},                      /* movzwl %ax,%edi */
        {"48 31 c8", CODE_IN_HALVES, 0, 0},                     /* xor %rcx,%rax */
        {"31 c8", CODE_OTHER, 0, 0},                            /* xor %ecx,%eax */
        {"48 31 c0", CODE_NOTHING, 0, 0},                       /* xor %rax,%rax */
        {"48 09 c8", CODE_OTHER, 0, 0},                         /* or %rcx,%rax */
        {"48 c1 e8 21", CODE_IN_HALVES, 0, 0},                  /* shr $33,%rax */
        {"48 c1 e8 20", CODE_NOTHING, 0, 0},                    /* shr $32,%rax */
        {"48 c1 e0 03", CODE_OTHER, 0, 0},                      /* shl $3,%rax */
        {"48 83 f0 01", CODE_IN_HALVES, 0, 0},                  /* xor $1,%rax */
        {"48 0f af c1", CODE_PRODUCT, 0, 0},                    /* imul %rcx,%rax */
        {"0f af c1", CODE_OTHER, 0, 0},                         /* imul %ecx,%eax */
        {"48 69 c1 39 30 00 00", CODE_PRODUCT, 0, 0},           /* imul $12345,%rcx,%rax */
        {"48 f7 e1", CODE_LONG_PRODUCT, 0, 0},                  /* mul %rcx */
        {"f7 e1", CODE_OTHER, 0, 0},                            /* mul %ecx */
        {"48 b8 01 02 03 04 05 06 07 08", CODE_NOTHING, 0, 0},  /* movabs */
        {"c4 e2 79 98 c1", CODE_OTHER, 0, 0},                   /* vfmadd132ps */
        {"66 0f 3a 0b c1 09", CODE_OTHER, 0, 0},                /* roundsd */
        {"49 89 dc", CODE_NOTHING, 0, 0},                       /* mov %rbx,%r12 */
        {"48 63 c3", CODE_NOTHING, 0, 0},                       /* movslq %ebx,%rax */
        {"31 c0", CODE_NOTHING, 0, 0},                          /* xor %eax,%eax */
        {"31 d8", CODE_OTHER, 0, 0},                            /* xor %ebx,%eax */
        {"66 0f ef c0", CODE_NOTHING, 0, 0},                    /* pxor %xmm0,%xmm0 */
        {"0f 28 c1", CODE_NOTHING, 0, 0},                       /* movaps %xmm1,%xmm0 */
        {"66 0f 6e c3", CODE_NOTHING, 0, 0},                    /* movd %ebx,%xmm0 */
        {"48 89 df", CODE_ARGUMENT, 1, 0},                      /* mov %rbx,%rdi */
        {"48 8d 7c 83 04", CODE_ARGUMENT, 1, 0},                /* lea 4(%rbx,%rax,4),%rdi */
        {"be 0c 00 00 00", CODE_ARGUMENT, 2, 0},                /* mov $12,%esi */
        {"41 bf 0c 00 00 00", CODE_NOTHING, 0, 0},              /* mov $12,%r15d */
        {"4c 8d 3c 83", CODE_OTHER, 0, 0},                      /* lea (%rbx,%rax,4),%r15 */
        {"48 8d 3d f9 ff ff 7f", CODE_ARGUMENT, 1, 0x80000000}, /* lea far ahead(%rip),%rdi */
        {"e8 fb ff ff 7f", CODE_CALL, 0, 0x80000000},
        {"ff d0", CODE_CALL, 0, 0},
        {"eb fc", CODE_JUMP, 0, -2},
        {"e9 00 01 00 00", CODE_JUMP, 0, 261},
        {"ff 24 c5 00 00 00 00", CODE_JUMP, 0, 0},
        {"7c 80", CODE_BRANCH, 0, -126},
        {"0f 8f 00 00 00 80", CODE_BRANCH, 0, -0x80000000LL + 6},
        {"c3", CODE_RETURN, 0, 0},
        {"f3 c3", CODE_RETURN, 0, 0},
        {"f7 f9", CODE_INTEGER_DIVISION, 0, 0},       /* idiv %ecx */
        {"48 f7 75 08", CODE_INTEGER_DIVISION, 0, 0}, /* divq 8(%rbp) */
        {"48 c1 e2 20", CODE_NOTHING, 0, 0},          /* shl $32,%rdx: the other register of two */
        {"49 c1 ef 20", CODE_NOTHING, 0, 0},          /* shr $32,%r15 */
        {"c1 e2 10", CODE_OTHER, 0, 0},               /* shl $16,%edx */
        {"48 c1 e2 1f", CODE_OTHER, 0, 0},            /* shl $31,%rdx */
        {"f7 c1 00 01 00 00", CODE_OTHER, 0, 0},      /* test $256,%ecx */
        {"f6 c1 01", CODE_OTHER, 0, 0},               /* test $1,%cl */
        {"f3 0f 5e c1", CODE_FLOAT_DIVISION, 0, 0},
        {"c5 eb 51 c1", CODE_FLOAT_DIVISION, 0, 0}, /* vsqrtsd */
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        assert_sample(&samples[i], code_decode_x86_64);
}

static void instructions_of_arm64_are_told_apart(void **state)
{
    static const struct sample samples[] = {
        {"1f 20 03 d5", CODE_NOTHING, 0, 0},          /* nop */
        {"ff 43 00 d1", CODE_NOTHING, 0, 0},          /* sub sp, sp, #16 */
        {"fd 7b bf a9", CODE_NOTHING, 0, 0},          /* stp x29, x30, [sp, #-16]! */
        {"e0 07 40 b9", CODE_NOTHING, 0, 0},          /* ldr w0, [sp, #4] */
        {"20 00 40 b9", CODE_MOVE, 0, 0},             /* ldr w0, [x1] */
        {"62 78 24 bc", CODE_MOVE, 0, 0},             /* str s2, [x3, x4, lsl #2] */
        {"20 00 02 8b", CODE_ARGUMENT, 1, 0},         /* add x0, x1, x2 */
        {"e0 03 13 aa", CODE_ARGUMENT, 1, 0},         /* mov x0, x19 */
        {"81 01 80 52", CODE_ARGUMENT, 2, 0},         /* mov w1, #12 */
        {"53 00 02 8b", CODE_OTHER, 0, 0},            /* add x19, x2, x2 */
        {"20 08 c2 1a", CODE_INTEGER_DIVISION, 0, 0}, /* udiv w0, w1, w2 */
        {"20 0c c2 9a", CODE_INTEGER_DIVISION, 0, 0}, /* sdiv x0, x1, x2 */
        {"20 18 22 1e", CODE_FLOAT_DIVISION, 0, 0},   /* fdiv s0, s1, s2 */
        {"20 c0 61 1e", CODE_FLOAT_DIVISION, 0, 0},   /* fsqrt d0, d1 */
        {"20 08 22 1e", CODE_OTHER, 0, 0},            /* fmul s0, s1, s2 */
        {"01 00 00 94", CODE_CALL, 0, 4},
        {"ff ff ff 17", CODE_JUMP, 0, -4},
        {"2b ff ff 54", CODE_BRANCH, 0, -28}, /* b.lt */
        {"60 00 00 34", CODE_BRANCH, 0, 12},  /* cbz w0 */
        {"40 00 08 37", CODE_BRANCH, 0, 8},   /* tbnz w0, #1 */
        {"20 00 3f d6", CODE_CALL, 0, 0},     /* blr x1 */
        {"20 00 1f d6", CODE_JUMP, 0, 0},     /* br x1 */
        {"c0 03 5f d6", CODE_RETURN, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        assert_sample(&samples[i], code_decode_arm64);
}

static void what_is_no_instruction_has_no_length(void **state)
{
    static const char *const samples[] = {"06", "0f 04", "0f 24", "c4 e0 79 98 c1", "82 00 00"};
    uint8_t prefixes[32];
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        uint8_t code[32] = {0};
        from_hex(samples[i], code, sizeof code);
        assert_int_equal(code_decode_x86_64(code, sizeof code).bytes, 0);
        assert_int_equal(code_decode_x86_64(code, sizeof code).kind, CODE_UNKNOWN);
    }
    memset(prefixes, 0x66, sizeof prefixes);
    assert_int_equal(code_decode_x86_64(prefixes, sizeof prefixes).bytes, 0);
}

/* Any bytes: the decoder stays within its room. */
static void random_bytes_are_read_within_their_room(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        size_t room = i % 16;
        uint8_t *code = malloc(room + 1); /* the byte behind is not to be read */
        assert_non_null(code);
        for (size_t k = 0; k < room; k++) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            code[k] = (uint8_t)(random >> 56);
        }
        uint8_t *end = realloc(code, room ? room : 1);
        assert_non_null(end);
        assert_true(code_decode_x86_64(end, room).bytes <= room);
        assert_true(code_decode_arm64(end, room).bytes <= room);
        free(end);
    }
}

/* "  401000:\t48 89 df \tmov %rbx,%rdi": compares one line; false when it is none. */
static bool compare_line(const char *line, unsigned *wrong)
{
    const char *hex = strchr(line, '\t'), *text = hex ? strchr(hex + 1, '\t') : NULL;
    uint8_t code[16];
    char digits[64];
    if (text == NULL || text - hex > (long)sizeof digits || strstr(text, "(bad)"))
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)(text - hex - 1), hex + 1);
    size_t bytes = from_hex(digits, code, sizeof code);
    if (code[0] == 0x9b) /* fwait, which the disassembler joins with what follows */
        return false;
    if (code_decode_x86_64(code, bytes).bytes != bytes && (*wrong)++ < 10)
        print_message("not %zu bytes: %s", bytes, line);
    return true;
}

static void lengths_are_those_of_the_disassembler(void **state)
{
    char line[512];
    unsigned wrong = 0, compared = 0;
    (void)state;
#if !defined(__x86_64__)
    skip();
#endif
    FILE *listing = popen("objdump -d -w -j .text /proc/$PPID/exe 2>/dev/null", "r");
    assert_non_null(listing);
    while (fgets(line, sizeof line, listing))
        compared += compare_line(line, &wrong);
    pclose(listing);
    if (compared == 0)
        skip();
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_of_x86_64_are_told_apart),
        cmocka_unit_test(instructions_of_arm64_are_told_apart),
        cmocka_unit_test(what_is_no_instruction_has_no_length),
        cmocka_unit_test(random_bytes_are_read_within_their_room),
        cmocka_unit_test(lengths_are_those_of_the_disassembler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
