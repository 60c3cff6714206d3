/* broadcast.c - several lanes read one word of shared memory: what is broadcast, and when.
 *
 * sm_1x broadcasts one word a step and serves one lane from each of the other banks; Fermi and
 * later send any word to every lane that asks for it. All three kernels fill the array without
 * conflicts, so that what is to be seen is in the reads alone.
 */
#include "gallery.h"

#define BLOCK_SIZE 256
#define HALF_WARP 16

__global__ void sharedBroadcast(float *odata, const float *idata, int word)
{
    __shared__ float shared[BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared[threadIdx.x] = idata[i];
    __syncthreads();
    odata[i] = shared[word];
}
KERNEL_LAUNCHER(sharedBroadcast, float *, const float *, int)

__global__ void sharedBroadcastGroups(float *odata, const float *idata, int group)
{
    __shared__ float shared[BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared[threadIdx.x] = idata[i];
    __syncthreads();
    odata[i] = shared[threadIdx.x / group];
}
KERNEL_LAUNCHER(sharedBroadcastGroups, float *, const float *, int)

__global__ void sharedBroadcastOrder(float *odata, const float *idata, int first, int count)
{
    __shared__ float shared[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    int lane = tid % HALF_WARP;
    int word = tid;
    shared[tid] = idata[i];
    __syncthreads();
    if (lane >= first && lane < first + count)
        word = tid - lane + first;
    odata[i] = shared[word];
}
KERNEL_LAUNCHER(sharedBroadcastOrder, float *, const float *, int, int)

static void run_sharedBroadcast(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    const int word = gallery_int(args, "word");
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_sharedBroadcast(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata, idata,
                           word);
    for (int i = 0; i < n; i++)
        odata_host[i] = idata_host[i / BLOCK_SIZE * BLOCK_SIZE + word];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_sharedBroadcastGroups(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    const int group = gallery_int(args, "group");
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_sharedBroadcastGroups(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata,
                                 idata, group);
    for (int i = 0; i < n; i++)
        odata_host[i] = idata_host[i / BLOCK_SIZE * BLOCK_SIZE + i % BLOCK_SIZE / group];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_sharedBroadcastOrder(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    const int first = gallery_int(args, "first"), count = gallery_int(args, "count");
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_sharedBroadcastOrder(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata,
                                idata, first, count);
    for (int i = 0; i < n; i++) {
        int ahead = i % HALF_WARP - first;
        odata_host[i] = idata_host[ahead >= 0 && ahead < count ? i - ahead : i];
    }
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

#define BLOCKS "blocks", 256, 1, 65535, 1, "blocks of 256 threads"

static const struct gallery_kernel kernels[] = {
    {"sharedBroadcast",
     "all lanes read one word of shared memory",
     "One pass on every generation (one for each half-warp on sm_1x): the word is broadcast.",
     run_sharedBroadcast,
     {{BLOCKS}, {"word", 0, 0, 255, 1, "the word that is read"}}},
    {"sharedBroadcastGroups",
     "each group of `group` neighbouring lanes reads one word of shared memory",
     "From Fermi on one pass, whatever the group: each bank sends its word to all lanes that "
     "want it. sm_1x broadcasts one word a step and serves one lane of each other bank: groups "
     "of 2, 4, 8 and 16 lanes take 2, 4, 2 and 1 steps a half-warp.",
     run_sharedBroadcastGroups,
     {{BLOCKS}, {"group", 4, 1, 32, 1, "lanes that read one word"}}},
    {"sharedBroadcastOrder",
     "in each half-warp `count` lanes from lane `first` on read one word, the others their own",
     "One step on sm_1x if the common word is the one broadcast first, two if it is another; "
     "the hardware's choice is not documented, and the model takes the lowest lane's word, so "
     "first=0 shows one step and any other value two. From Fermi on it is one pass in any "
     "case.",
     run_sharedBroadcastOrder,
     {{BLOCKS},
      {"first", 5, 0, 12, 1, "the first lane of a half-warp that reads the common word"},
      {"count", 4, 2, 4, 1, "lanes that read the common word"}}},
};
GALLERY_TOPIC(broadcast, "Shared memory: broadcasts", kernels);
