#!/bin/sh
# cu_thrust.sh WARPLENS FOLDER [INCLUDE] - do programs with Thrust run, with the headers that there are (or those of the
# folder INCLUDE), and are its calls told? Without any, does the message say what to install?
set -u
warplens=$(realpath "$1") folder=$(realpath "$2") include=${3:-}
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1
needs_headers Thrust thrust/sort.h libthrust-dev "$include"

"$warplens" run "$folder/vectors.cu" -I "$folder/../cu" ${include:+-I "$include"} >out 2>err || { cat err; failed=1; }
[ "$(head -n 1 out)" = PASSED ] || { echo "FAILED: results"; head -n 3 out; failed=1; }
[ -s err ] && { echo "FAILED: messages"; cat err; failed=1; }
"$warplens" run "$folder/vectors.cu" -I "$folder/../cu" ${include:+-I "$include"} --format json -o out >run 2>err || failed=1
calls='"not_traced":{"thrust::sort":2,"thrust::reduce":2,"thrust::transform_reduce":1,"thrust::transform":2'
grep -qF "$calls" out || { echo "FAILED: calls"; grep -o '"not_traced.*' out; failed=1; }
# The host's own access of device memory stays one, beside calls of Thrust's.
cat >touch.cu <<'END'
#include <thrust/device_ptr.h>
#include <thrust/sequence.h>
int main()
{
    int *raw;
    cudaMalloc(&raw, 40);
    thrust::sequence(thrust::device_ptr<int>(raw), thrust::device_ptr<int>(raw + 10));
    return raw[3];
}
END
"$warplens" run touch.cu ${include:+-I "$include"} >out 2>err && { echo "FAILED: host access: status"; failed=1; }
grep -q 'touch.cu:8: host code: load of 4 bytes at raw + 12 bytes' err || { echo "FAILED: host access"; cat err; failed=1; }
exit $failed
