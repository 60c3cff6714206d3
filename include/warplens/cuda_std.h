/* cuda_std.h - the namespace cuda::std: the compiler's own library under another name. Where a program uses Thrust of a CUDA
 * toolkit, whose own libcu++ stands behind warplens's headers, that is taken for all of it: Thrust needs the whole.
 */
#ifndef WARPLENS_CUDA_STD_H
#define WARPLENS_CUDA_STD_H
#pragma GCC system_header

namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda
#endif
