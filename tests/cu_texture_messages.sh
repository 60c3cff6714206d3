#!/bin/sh
# cu_texture_messages.sh CU_RUN COMPILER - does a fetch or a surface access that cannot be end the launch, with file and line?
set -u
case $1 in /*) cu_run=$1 ;; *) cu_run=$PWD/$1 ;; esac
export WARPLENS_CXX=$2
command -v "$2" >/dev/null || exit 77
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

cat >mistakes.cu <<'EOF'
#include <cstdio>
#include <cstdlib>
texture<float, 1> unbound;
__global__ void reference(float *out) { *out = tex1Dfetch(unbound, 0); }
__global__ void flat(float *out, cudaTextureObject_t t) { *out = tex2D<float>(t, 0, 0); }
__global__ void line(float *out, cudaTextureObject_t t) { *out = tex1Dfetch<float>(t, 0); }
__global__ void outside(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4 * 8, 3); }
__global__ void uneven(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 2, 3); }
texture<int, 2> integers;
__global__ void weighted(int *out) { *out = tex2D(integers, 0, 0); }
int main(int argc, char **argv)
{
    float *out;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc linear = {}, in_array = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t of_linear, of_array;
    cudaSurfaceObject_t surface;
    cudaMalloc(&out, 64);
    cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore);
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear = {out, format, 64};
    in_array.resType = cudaResourceTypeArray;
    in_array.res.array.array = array;
    cudaCreateTextureObject(&of_linear, &linear, &desc, NULL);
    cudaCreateTextureObject(&of_array, &in_array, &desc, NULL);
    cudaCreateSurfaceObject(&surface, &in_array);
    switch (atoi(argv[1])) {
    case 1: reference<<<1, 1>>>(out); break;
    case 2: flat<<<1, 1>>>(out, of_linear); break;
    case 3: line<<<1, 1>>>(out, of_array); break;
    case 4: flat<<<1, 1>>>(out, 99); break;
    case 5: outside<<<1, 1>>>(surface); break;
    case 6: uneven<<<1, 1>>>(surface); break;
    case 8:
        cudaBindTexture2D(NULL, integers, out, cudaCreateChannelDesc<int>(), 8, 1, 32);
        integers.filterMode = cudaFilterModeLinear;
        weighted<<<1, 1>>>((int *)out);
        break;
    case 7: cudaFreeArray(array); line<<<1, 1>>>(out, of_linear); flat<<<1, 1>>>(out, of_array); break;
    }
    return cudaDeviceSynchronize();
}
EOF

# check MISTAKE STATUS MESSAGE: what it begins with
check() {
    "$cu_run" -o trace mistakes.cu -- "$1" >out 2>err </dev/null
    status=$?
    [ $status -eq "$2" ] || { failed=1; echo "FAILED: $1: exit status $status, not $2"; }
    grep -q "^warplens: $3" err || { failed=1; echo "FAILED: $1: wanted $3"; cat err; }
}

launch_failure=207 # 719, as an exit status
check 1 $launch_failure 'mistakes.cu:4: in reference: a fetch from a texture that is not bound'
check 2 $launch_failure 'mistakes.cu:5: in flat: a texture over linear memory, which only tex1Dfetch can read'
check 3 $launch_failure 'mistakes.cu:6: in line: tex1Dfetch from a texture that is not over linear memory'
check 4 $launch_failure 'mistakes.cu:5: in flat: a fetch from a texture object that was destroyed or never made'
check 5 $launch_failure 'mistakes.cu:7: in outside: surface access of 4 bytes at byte 32 of row 3 of slice 0: the CUDA array has 32'
check 6 204 'mistakes.cu:8: in uneven: surface access of 4 bytes at byte 2 of a row, which is no multiple of 4'
check 7 188 'mistakes.cu:5: in flat: .*array.*freed'
check 8 26 'mistakes.cu:10: in weighted: a linear filter over a texture of integers'
exit $failed
