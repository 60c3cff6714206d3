#!/bin/sh
# faults.sh WARPLENS - is every kind of fault counted exactly, by line and array, with the block and thread of the
# first, and is nothing counted that is none?
set -u
warplens=$(realpath "$1")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() {
    failed=1
    echo "FAILED: $1"
}

cat >faults.cu <<'END'
__global__ void unchecked(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * i;
}
__global__ void before(const float *in, float *out)
{
    int i = threadIdx.x;
    out[i] = in[i - 1];
}
__global__ void unwritten(const float *in, float *out, int *sum)
{
    out[threadIdx.x] = in[threadIdx.x];
    atomicAdd(sum, 1);
}
__global__ void no_barrier(float *out)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void half_filled(float *out)
{
    extern __shared__ float s[];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void shared_atomic(int *out)
{
    __shared__ int sum;
    atomicAdd(&sum, 1);
    __syncthreads();
    out[threadIdx.x] = sum;
}
__global__ void early(float *out, int n)
{
    if (threadIdx.x >= n)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void fine(const float *in, float *out)
{
    __shared__ float a[33], b[5][7];
    a[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 35)
        b[threadIdx.x / 7][threadIdx.x % 7] = 1;
    if (threadIdx.x == 0)
        a[32] = 4;
    __syncthreads();
    out[threadIdx.x] = a[32 - threadIdx.x] + b[threadIdx.x % 4][threadIdx.x % 7];
}
int main()
{
    float *a, *b, *c, *e;
    int *sum;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    cudaMalloc(&c, 400);
    cudaMalloc(&e, 400);
    cudaMemset(b, 0, 400);
    cudaMalloc(&sum, 4);
    unchecked<<<4, 32>>>(a);
    unchecked<<<4, 32>>>(a);
    before<<<2, 32>>>(b, c);
    before<<<2, 32>>>(a, c);
    unwritten<<<2, 32>>>(e, c, sum);
    no_barrier<<<3, 64>>>(c);
    half_filled<<<2, 32, 128>>>(c);
    shared_atomic<<<2, 32>>>((int *)c);
    early<<<2, 64>>>(c, 60);
    fine<<<3, 32>>>(a, c);
    cudaDeviceSynchronize();
}
END
"$warplens" run faults.cu --gpu h200,gtx280 --format json -o faults.json || fail "the status of faults that GPUs let pass: $?"
python3 - <<'PYTHON' || fail 'the faults are not what they should be'
import json
runs = json.load(open('faults.json'))['runs']
source = open('faults.cu').read().split('\n')
found = [(f['kernel'], f['kind'], source[f['line'] - 1].strip(), f['array'], f['count'], f['block'], f['thread'],
          f.get('offset'), f.get('array_bytes')) for f in runs[0]['faults']['places']]
wanted = [
    # 128 threads, 100 elements, two launches.
    ('unchecked', 'out_of_bounds', 'out[i] = 2 * i;', 'a', 2 * 28, [3, 0, 0], [4, 0, 0], 400, 400),
    # In front of b, and so nearest to it; and in front of the first array of all.
    ('before', 'out_of_bounds', 'out[i] = in[i - 1];', 'b', 2, [0, 0, 0], [0, 0, 0], -4, 400),
    ('before', 'out_of_bounds', 'out[i] = in[i - 1];', 'a', 2, [0, 0, 0], [0, 0, 0], -4, 400),
    ('unwritten', 'unwritten_global', 'out[threadIdx.x] = in[threadIdx.x];', 'e', 64, [0, 0, 0], [0, 0, 0], 0, 400),
    # The first atomic writes what those behind it find.
    ('unwritten', 'unwritten_global', 'atomicAdd(sum, 1);', 'sum', 1, [0, 0, 0], [0, 0, 0], 0, 4),
    # Lanes run in their order: the first half loads what the second half has not stored yet.
    ('no_barrier', 'unwritten_shared', 'out[threadIdx.x] = tile[63 - threadIdx.x];', 'tile', 3 * 32, [0, 0, 0],
     [0, 0, 0], 252, 256),
    ('half_filled', 'unwritten_shared', 'out[threadIdx.x] = s[threadIdx.x];', 's', 2 * 16, [0, 0, 0], [16, 0, 0], 64, 128),
    ('shared_atomic', 'unwritten_shared', 'atomicAdd(&sum, 1);', 'sum', 2, [0, 0, 0], [0, 0, 0], 0, 4),
    ('early', 'barrier_not_reached', '__syncthreads();', '', 2 * 4, [0, 0, 0], [60, 0, 0], None, None),
]
if found != wanted:
    for f, w in zip(found, wanted):
        print('=' if f == w else 'found', f, '' if f == w else '\nwanted ' + repr(w))
    print(found[len(wanted):], wanted[len(found):])
    raise SystemExit(1)
assert runs[0]['faults'] == runs[1]['faults']
assert runs[0]['faults']['count'] == sum(w[4] for w in wanted) and not runs[0]['faults']['failed']
assert runs[0]['faults']['kinds'] == {k: sum(w[4] for w in wanted if w[1] == k)
                                      for k in ['out_of_bounds', 'unwritten_global', 'unwritten_shared', 'barrier_not_reached']}
PYTHON

# Those that stop a kernel: what is wrong, "KIND<TAB>PATTERN<TAB>STATEMENT".
tab=$(printf '\t')
while IFS="$tab" read -r kind pattern body; do
    cat >stops.cu <<END
struct __attribute__((aligned(4))) pair { float x, y; };
__global__ void k(float *p, int n)
{
    __shared__ float s[32];
    s[threadIdx.x] = p[threadIdx.x] = 1;
    __syncthreads();
    $body
    if (n == 32) __syncthreads();
}
int main()
{
    float *p, *q;
    cudaMalloc(&q, 128);
    cudaMalloc(&p, 128);
    cudaFree(q);
    k<<<2, 32>>>(p, 32);
}
END
    "$warplens" run stops.cu --format csv >out 2>err
    [ $? = 2 ] || fail "$body: the status"
    grep -q ",stop,stops.cu:[378][^,]*,$kind,faults,1\$" out || fail "$body: $(cat out err)"
    grep -q "$pattern" err || fail "$body: says $(cat err)"
done <<'END'
out_of_bounds	p + 1073741824 bytes, outside every array: p has 128 bytes	p[n << 23] = 1;
out_of_bounds	s + 128 bytes, outside every array: s has 128 bytes	p[0] = s[threadIdx.x + n];
out_of_bounds	outside every array	p[-(1 << 20)] = 1;
out_of_bounds	the address is null	*(float *)0 = 1;
use_after_free	which was freed	p[-0x5400] = 1;
misaligned	8 bytes at an address that is no multiple of 8	*(double *)(p + 1) = 1;
barrier_not_reached	thread (3,0,0) waits at the one in line 7	if (threadIdx.x == 3) __syncthreads();
stopped	__trap() was reached	__trap();
stopped	integer division by zero	p[0] = 7 / (n - 32);
stopped	recursion too deep	volatile char big[70000]; big[n] = 1; big[69999] = 1; p[0] = big[n];
END

# Limits in CI.
"$warplens" gate faults.cu --max gst_sectors_per_request=99 >out 2>err
[ $? = 3 ] && grep -q 'out_of_bounds is 60 faults, wanted at most 0' err || fail "gate: $(cat err)"
"$warplens" gate faults.cu --max faults=1000 >out 2>err || fail "gate --max faults: $(cat err)"
"$warplens" gate faults.cu --max out_of_bounds=60 >out 2>err
[ $? = 3 ] && ! grep -q out_of_bounds err && grep -q 'unwritten_shared is 130 faults' err || fail "gate --max of a kind: $(cat err)"
"$warplens" gate faults.json --max faults=262 >out 2>err
[ $? = 3 ] && grep -q 'wanted at most 262' err || fail "gate of a result with faults: $(cat err)"

# A trace keeps them; info and check say them; what a person does by hand tells them on standard error.
"$warplens" trace record faults.cu -o faults.wlt 2>err || fail "trace record: $(cat err)"
for form in wlt wlt.txt; do
    "$warplens" trace convert faults.wlt -o "again.$form" 2>err || fail "trace convert to $form: $(cat err)"
    "$warplens" run "again.$form" --format json --gpu h200,gtx280 -o again.json 2>err || fail "run of $form: $(cat err)"
    python3 -c "
import json
a, b = (json.load(open(f))['runs'][1]['faults'] for f in ('faults.json', 'again.json'))
assert a == b, (a, b)" || fail "the faults of a $form trace"
done
"$warplens" trace info faults.wlt | head -n 1 | grep -q '^263 faults: 60 out_of_bounds' || fail 'trace info'
"$warplens" trace check faults.wlt | grep -q '^warning: faults that a GPU lets pass: 10$' || fail 'trace check'
exit $failed
