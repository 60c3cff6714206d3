// check: sm_60 misaligned @four
// check: sm_90 misaligned @four
// The pixels are read four at a time as uchar4, but a row is 30 bytes long, so every other row
// begins 2 bytes off a multiple of 4.
#include <cstdio>
#include <vector>

const int kWidth = 30, kHeight = 16, kStride = 30;

// The sum of the brightness of each row; a thread takes four pixels at a time.
__global__ void rowSums(const unsigned char* image, int* sums) {
    __shared__ int sum;
    int t = threadIdx.x, y = blockIdx.x;
    if (t == 0) sum = 0;
    __syncthreads();

    const unsigned char* row = image + y * kStride;
    int fours = kWidth / 4;
    if (t < fours) {
        uchar4 p = reinterpret_cast<const uchar4*>(row)[t];  // @four
        atomicAdd(&sum, p.x + p.y + p.z + p.w);
    }
    // What is left over at the end of the row.
    int x = 4 * fours + t;
    if (x < kWidth) atomicAdd(&sum, (int)row[x]);
    __syncthreads();

    if (t == 0) sums[y] = sum;
}

int main() {
    std::vector<unsigned char> image(kStride * kHeight, 0);
    for (int y = 0; y < kHeight; y++)
        for (int x = 0; x < kWidth; x++) image[y * kStride + x] = (unsigned char)(x + 3 * y);
    unsigned char* dImage;
    int* dSums;
    cudaMalloc(&dImage, image.size());
    cudaMalloc(&dSums, kHeight * sizeof(int));
    cudaMemcpy(dImage, image.data(), image.size(), cudaMemcpyHostToDevice);
    cudaMemset(dSums, 0, kHeight * sizeof(int));

    rowSums<<<kHeight, 32>>>(dImage, dSums);

    int sums[kHeight];
    cudaError_t err = cudaMemcpy(sums, dSums, sizeof sums, cudaMemcpyDeviceToHost);
    if (err != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(err));
        return 1;
    }
    for (int s : sums) printf("%d\n", s);
    return 0;
}
