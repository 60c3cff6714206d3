// vectors.cu - do Thrust's vectors and algorithms, which the host runs, and kernels work on the same memory?
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include "check.h"

struct square {
    __host__ __device__ float operator()(float x) const { return x * x; }
};
struct triple {
    __device__ int operator()(int x) const { return 3 * x; }
};
struct is_odd {
    __device__ bool operator()(int x) const { return x % 2; }
};
struct write_through {
    int *to;
    __device__ void operator()(int i) { to[i] = 10 * i; }
};

__global__ void add_one(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}
__global__ void add_up(const int *p, int n, int *sum)
{
    if (threadIdx.x < n)
        atomicAdd(sum, p[threadIdx.x]);
}

static void vectors()
{
    const int n = 64;
    thrust::host_vector<float> h(n);
    for (int i = 0; i < n; i++)
        h[i] = n - i;
    thrust::device_vector<float> d = h;
    add_one<<<1, 64>>>(thrust::raw_pointer_cast(d.data()), n);
    thrust::sort(d.begin(), d.end());
    CHECK_THAT(d[0] == 2 && d.back() == 65);
    CHECK_THAT(thrust::reduce(d.begin(), d.end(), 0.0f, thrust::plus<float>()) == 2144);
    CHECK_THAT(thrust::transform_reduce(d.begin(), d.begin() + 3, square(), 0.0f, thrust::plus<float>()) == 4 + 9 + 16);
    thrust::transform(d.begin(), d.end(), d.begin(), square());
    d[3] = 100;
    thrust::inclusive_scan(d.begin(), d.end(), d.begin());
    h = d;
    CHECK_THAT(h[0] == 4 && h[3] == 4 + 9 + 16 + 100);
    CHECK_THAT(thrust::max_element(d.begin(), d.end()) - d.begin() == n - 1);
    d.resize(2 * n, 7);
    d.push_back(8);
    thrust::device_vector<float> e(d.begin() + n, d.end());
    CHECK_THAT(e.size() == (size_t)n + 1 && thrust::count(e.begin(), e.end(), 7.0f) == n);
    add_one<<<1, 64>>>(thrust::raw_pointer_cast(&e[0]), n);
    CHECK_THAT(thrust::inner_product(e.begin(), e.begin() + 2, e.begin(), 0.0f) == 128);
}

// Memory of cudaMalloc's: what Thrust writes counts as written, what it may touch the host may not.
static void pointers(cudaStream_t stream)
{
    int *raw, *sum, back[10], total;
    CHECK_CALL(cudaMalloc(&raw, 10 * sizeof(int)));
    CHECK_CALL(cudaMalloc(&sum, sizeof(int)));
    thrust::device_ptr<int> p(raw), s = thrust::device_pointer_cast(sum);
    thrust::sequence(p, p + 10);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(10), p, triple());
    thrust::sort(thrust::device, raw, raw + 10, thrust::greater<int>());
    CHECK_CALL(cudaMemcpy(back, raw, sizeof back, cudaMemcpyDeviceToHost));
    CHECK_THAT(back[0] == 27 && back[9] == 0 && p[1] == 24);
    *s = 5;
    add_up<<<1, 32>>>(raw, 10, sum);
    CHECK_THAT(*s == 5 + 135);
    thrust::for_each(thrust::cuda::par.on(stream), thrust::counting_iterator<int>(0),
                     thrust::counting_iterator<int>(10), write_through{raw});
    total = thrust::reduce(thrust::device, raw, raw + 10);
    CHECK_THAT(total == 450);
    const int host[3] = {1, 2, 3};
    thrust::copy(host, host + 3, p);
    thrust::fill(p + 3, p + 10, 4);
    *s = 0;
    add_up<<<1, 32>>>(raw, 10, sum);
    CHECK_THAT(*s == 6 + 28);
    thrust::device_ptr<int> own = thrust::device_malloc<int>(4);
    thrust::fill(own, own + 4, 3);
    *s = 0;
    add_up<<<1, 32>>>(own.get(), 4, sum);
    CHECK_THAT(*s == 12);
    thrust::device_free(own);
}

static void keys()
{
    thrust::device_vector<int> keys(10), values(10), sums(10), firsts(10);
    for (int i = 0; i < 10; i++)
        keys[i] = 7 * i % 10 / 2;
    thrust::sequence(values.begin(), values.end());
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), firsts.begin(), sums.begin());
    CHECK_THAT(ends.first - firsts.begin() == 5 && sums[0] == 0 + 3);
    CHECK_THAT(thrust::unique(keys.begin(), keys.end()) - keys.begin() == 5);
    auto end = thrust::remove_if(values.begin(), values.end(), is_odd());
    CHECK_THAT(end - values.begin() == 5);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(firsts.begin(), sums.begin()));
    CHECK_THAT(thrust::get<1>(pairs[0]) == 3);
}

int main()
{
    cudaStream_t stream;
    CHECK_CALL(cudaStreamCreate(&stream));
    vectors();
    pointers(stream);
    keys();
    printf("PASSED\n");
}
