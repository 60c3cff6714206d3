"""test_corpus.py TOOLS - does the corpus's tool count what it says? Its parts, on input worked out by hand."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[1], 'corpus'))
import compare  # noqa: E402
import launches  # noqa: E402
import ptx_run  # noqa: E402
import ptx_text  # noqa: E402
import sass  # noqa: E402
import tables  # noqa: E402
import traced  # noqa: E402

# out[t] = the sum of in[t'] over the warp from t' = t ^ 1 and t, and of a pair of shared words; 64 threads. Lanes
# from 8 on leave the loop early; the reference to `h.cuh` is a header's, inlined at line 7.
PTX = '''
.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z3sumPiS_i(
	.param .u64 _Z3sumPiS_i_param_0,
	.param .u64 _Z3sumPiS_i_param_1,
	.param .u32 _Z3sumPiS_i_param_2
)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<16>;
	.reg .b64 	%rd<8>;
	.shared .align 8 .b8 tile[256];
	.loc	1 3 1
	ld.param.u64 	%rd1, [_Z3sumPiS_i_param_0];
	ld.param.u64 	%rd2, [_Z3sumPiS_i_param_1];
	ld.param.u32 	%r1, [_Z3sumPiS_i_param_2];
	mov.u32 	%r2, %tid.x;
	mul.wide.u32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd1, %rd3;
	.loc	1 4 1
	ld.global.u32 	%r3, [%rd4];
	shl.b32 	%r4, %r2, 2;
	mov.u32 	%r5, tile;
	add.s32 	%r6, %r5, %r4;
	st.shared.u32 	[%r6], %r3;
	bar.sync 	0;
	.loc	1 5 1
	and.b32  	%r7, %r6, 248;
	ld.shared.v2.u32 	{%r8, %r9}, [%r7];
	add.s32 	%r10, %r8, %r9;
	shfl.sync.bfly.b32 	%r11|%p1, %r3, 1, 31, -1;
	add.s32 	%r10, %r10, %r11;
	setp.ne.u32 	%p2, %r2, %r2;
$L_loop:
	.loc	1 7 1
	.loc	2 40 3, function_name $L__info_string0, inlined_at 1 7 1
	atom.global.add.u32 	%r12, [%rd2], 1;
	.loc	1 0 1
	@%p2 ld.global.nc.u32 	%r13, [%rd4];
	.loc	1 8 1
	sub.s32 	%r1, %r1, 1;
	setp.lt.u32 	%p2, %r2, 8;
	setp.gt.and.s32 	%p1, %r1, 0, %p2;
	@%p1 bra 	$L_loop;
	st.global.u32 	[%rd4], %r10;
	ret;
}
	.file	1 "/x/sum.cu"
	.file	2 "/y/h.cuh"
'''
LAUNCH = '//@ sum<<<1, 64>>> data:int[64]=ramp3 count:int[1]=zero n=3\n'
TRACE = '''launch k grid=1 block=40
site 0 ld.global.b32 file=k.cu line=3 array=x
site 1 st.shared.v2.f32 file=k.cu line=4 array=s
site 2 atom.global.add.u64 file="h.h" line=9 array=x
  block 0 warp 0
    @0 ld.global.b32 base=x
    @1 st.shared.b64 base=0 mask=0xff
  end
  block 0 warp 1
    @0 ld.global.b32 base=x
    @2 atom.global.add.u64 addr=x+0,-,x+8
    exit
  end
launch k2 grid=1 block=32
  block 0 warp 0
    @0 ld.global.b32 base=x lane=3:x+4
  end
'''
NVDISASM = '''.text._Z3sumPiS_i:
	//## File "/x/sum.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/y/h.cuh", line 40 inlined at "/x/sum.cu", line 7
	//## File "/x/sum.cu", line 7
        /*0010*/                   LDG.E.64 R2, desc[UR4][R2.64] ;
        /*0020*/              @!P0 STS.U8 [R3], R2 ;
'''
SOURCE_PAGE = '''"Kernel Name","sum(int *, int *, int)"
"Address","Source","Instructions Executed","Thread Instructions Executed","Predicated-On Thread Instructions Executed"
"0x0","LDC R1, c[0x0][0x28] ;","2","64","64"
"0x10","LDG.E.64 R2, desc[UR4][R2.64] ;","2","64","64"
"0x20","@!P0 STS.U8 [R3], R2 ;","2","64","40"
'''
failures = []


def equal(what, found, wanted):
    if found != wanted:
        failures.append(what)
        print('FAILED: %s: %r, wanted %r' % (what, found, wanted))


def written(text):
    file = tempfile.NamedTemporaryFile('w', suffix='.cu', delete=False)
    file.write(text)
    file.close()
    return file.name


def launched():
    path = written(LAUNCH + LAUNCH.replace('sum<<<1, 64>>>', 'other<int, 4><<<2x3, 8x4, 64>>>'))
    kernels = launches.kernels(path)
    os.remove(path)
    return kernels


def test_launches():
    first, second = launched()
    equal('halves', [first.half, second.half], ['a', 'b'])
    equal('launch', [second.grid, second.block, second.shared_bytes, second.template],
          [(2, 3, 1), (8, 4, 1), 64, '<int, 4>'])
    equal('contents', first.arrays()[0].values[:4], [0, 3, 6, 9])
    equal('a list', [launches.value('{4,5}', i) for i in range(3)], [4, 5, 5])
    equal('a struct', launches.Scalar('d', 'D{1,2.0f}').bytes(None), b'\1\0\0\0\0\0\0@')


def test_ptx():
    kernel = launched()[0]
    module = ptx_text.read(PTX, 'sum.cu')
    counts, arrays = ptx_run.execute(module, module.entries[0], kernel)
    equal('counts of PTX', dict(counts), {
        (4, 'ld', 'global', 4): 64, (4, 'st', 'shared', 4): 64, (5, 'ld', 'shared', 8): 64,
        (7, 'atom', 'global', 4): 64 + 2 * 8, (0, 'ld', 'global', 4): 2 * 8, (8, 'st', 'global', 4): 64})
    data, count = kernel.arrays()
    pairs = [3 * t + 3 * (t ^ 1) + 3 * (t ^ 1) for t in range(64)]
    equal('results of PTX', list(data.numbers(arrays['data'])), pairs)
    equal('result of atomics', count.numbers(arrays['count']), (64 + 2 * 8,))


def test_unknown():
    module = ptx_text.read(PTX.replace('shl.b32', 'wgmma.b32'), 'sum.cu')
    try:
        ptx_run.execute(module, module.entries[0], launched()[0])
        equal('an unknown instruction', 'run', 'refused')
    except ptx_run.Unknown as error:
        equal('an unknown instruction', 'wgmma' in str(error), True)


def test_trace():
    first, second = traced.counted(TRACE.splitlines(), 'k.cu')
    equal('counts of a trace', dict(first), {(3, 'ld', 'global', 4): 40, (4, 'st', 'shared', 8): 8,
                                             (0, 'atom', 'global', 8): 2})
    equal('counts of a second launch', dict(second), {(3, 'ld', 'global', 4): 32})


def test_verdicts():
    load, other_line, wide = (3, 'ld', 'global', 4), (4, 'ld', 'global', 4), (3, 'ld', 'global', 16)
    lost = (0, 'ld', 'global', 4)
    for name, ours, theirs, wanted in [
            ('same', {load: 8}, {load: 8}, 'equal'), ('without a line', {load: 8}, {load: 4, lost: 4}, 'equal'),
            ('too many without a line', {load: 8}, {load: 8, lost: 4}, 'different'),
            ('another line', {load: 8}, {load: 4, other_line: 4}, 'lines'),
            ('without a line, and another', {load: 8, other_line: 4}, {load: 4, other_line: 7, lost: 1}, 'lines'),
            ('wide', {load: 8}, {wide: 2}, 'widths'), ('fewer', {load: 8}, {load: 7}, 'different'),
            ('nothing', {load: 8}, {}, 'different'), ('nothing at all', {}, {}, 'equal')]:
        equal('verdict: ' + name, compare.verdict(ours, theirs), wanted)
    equal('reasons', compare.reasons({load: 8, other_line: 4}, {wide: 2}), ['fewer ld.global'])
    equal('reasons: wider', compare.reasons({load: 8}, {wide: 2}), ['wider ld.global'])


def test_machine_code():
    for text, wanted in [('@!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64]', [('ld', 'global', 16)]),
                         ('STS.U16 [R2], R3', [('st', 'shared', 2)]), ('LDC R1, c[0x0][0x28]', []),
                         ('FFMA R2, R3, c[0x3][0x4], R2', [('ld', 'const', 4)]), ('BAR.SYNC 0x0', []),
                         ('REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5', [('atom', 'global', 4)]),
                         ('LDGSTS.E.128 [R1], desc[UR4][R2.64]', [('ld', 'global', 16), ('st', 'shared', 16)])]:
        equal('machine code: ' + text, sass.accesses(text), wanted)
    listing, page = written(NVDISASM), written(SOURCE_PAGE)
    lines = sass.lines_of(listing, 'sum.cu', ['su', 'sum'])
    found = sass.from_csv(page, ['su', 'sum'])
    os.remove(listing)
    os.remove(page)
    equal('lines of machine code', lines, {'sum': {0: 3, 16: 7, 32: 7}})
    equal('counts of machine code', sass.counted(found['sum'], lines['sum']),
          {(7, 'ld', 'global', 8): [64, 2], (7, 'st', 'shared', 1): [40, 2]})


def test_tables():
    path = written('')
    kernels = {'k': {(3, 'ld', 'global', 4): 8}, 'empty': {}}
    tables.write(path, {'k.cu': '12'}, kernels)
    equal('a table comes back', tables.read(path), ({'k.cu': '12'}, kernels))
    os.remove(path)


for test in [test_launches, test_ptx, test_unknown, test_trace, test_verdicts, test_machine_code, test_tables]:
    test()
sys.exit(len(failures) > 0)
