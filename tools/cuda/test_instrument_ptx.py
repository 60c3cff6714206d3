#!/usr/bin/env python3
"""What instrument_ptx.py does to a small module; needs no GPU and no nvcc. Exit status 1: something else."""
import doctest
import sys

import instrument_ptx
from instrument_ptx import SITE_IS_GENERIC, InstrumentError, instrument

MODULE = """
.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry _Z1kPf(
\t.param .u64 _Z1kPf_param_0
)
{
\t.reg .pred \t%p<3>;
\t.reg .b32 \t%r<5>;
\t.reg .f32 \t%f<9>;
\t.reg .b64 \t%SP;
\t.reg .b64 \t%rd<4>;
\t.loc\t1 7 0
\t// demoted variable
\t.shared .align 4 .b8 _ZZ1kPfE5block[128];

\tld.param.u64 \t%rd1, [_Z1kPf_param_0];
\t.loc\t1 8 5
\t@!%p1 ld.global.nc.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd1+-16];
\tmov.u32 \t%r1, _ZZ1kPfE5block;
\tst.volatile.shared.u32 \t[%r1+4], %r2;
\t.loc\t1 9 5
\t@%p2 red.global.add.f32 \t[%rd1], %f1;
\tatom.global.cas.b32 \t%r3, [%rd1+8], %r1, %r2;
\tld.u8 \t%r4, [%SP+2];
\ttex.1d.v4.f32.s32 \t{%f5, %f6, %f7, %f8}, [%rd2, {%r1}];
\tret;
}
\t.file\t1 "/somewhere/k.c"
"""

SITES = [
    '{100, "k.c", 7, "array", "shared", 1, 0, "block"},',
    '{101, "k.c", 8, "ld", "global", 16, 1, ""},',
    '{102, "k.c", 8, "st", "shared", 4, 0, ""},',
    '{103, "k.c", 9, "atom", "global", 4, 0, ""},',
    '{104, "k.c", 9, "atom", "global", 4, 0, ""},',
    '{105, "k.c", 9, "ld", "generic", 1, 0, ""},',
    '{106, "k.c", 9, "ld", "texture", 4, 0, ""},',
]


def main():
    failures = doctest.testmod(instrument_ptx).failed
    out, sites = instrument(MODULE, 100)
    checks = [
        (sites == SITES, "\n".join(sites)),
        (out.count("call.uni") == 7, "seven calls"),
        ("@%p1 bra \t$L__wl_0;" in out, "the negated predicate skips its call when set"),
        ("@!%p2 bra \t$L__wl_1;" in out, "the predicate skips its call when clear"),
        ("add.s64 \t%wl_address, %wl_address, -16;" in out, "a negative offset"),
        ("cvt.u64.u32 \t%wl_address, %r1;" in out, "a 32-bit address"),
        ("mul.wide.s32 \t%wl_address, %r1, 4;" in out, "a texel's address"),
        (f"wl_parameter1], {105 | SITE_IS_GENERIC};" in out, "a generic address is marked"),
        (out.index("wl_address, _ZZ1kPfE5block") < out.index("ld.param.u64"), "arrays come first"),
        (out.count("wl_address, dynamic") == 0, "an array that is not named"),
    ]
    for bad in ("\tcp.async.ca.shared.global [%r1], [%rd1], 4;", "\tld.global.f32 %f1, [%f1];",
                "\ttex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd2, {%f1, %f2}];"):
        try:
            instrument(MODULE.replace("\tret;", bad), 0)
            checks.append((False, f"not refused: {bad}"))
        except InstrumentError:
            pass
    for holds, what in checks:
        if not holds:
            print(f"test_instrument_ptx.py: {what}", file=sys.stderr)
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
