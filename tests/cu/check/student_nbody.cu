// check: sm_60 shared_read_write @load @use
// check: sm_90 shared_read_write @load @use
// Forces between bodies, tile by tile through shared memory: nothing keeps a fast warp from
// loading the next tile while another still uses this one.
#include <cmath>
#include <cstdio>
#include <vector>

const int kBodies = 128, kTile = 64;

// The pull of body b on a body at p.
__device__ float3 pull(float3 p, float4 b, float3 f) {
    float dx = b.x - p.x, dy = b.y - p.y, dz = b.z - p.z;
    float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    float s = b.w / (d2 * sqrtf(d2));
    f.x += s * dx;
    f.y += s * dy;
    f.z += s * dz;
    return f;
}

__global__ void forces(const float4* bodies, float3* result, int n) {
    __shared__ float4 tile[kTile];
    int i = blockIdx.x * kTile + threadIdx.x;
    float4 mine = bodies[i];
    float3 p = make_float3(mine.x, mine.y, mine.z);
    float3 f = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += kTile) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];  // @load
        __syncthreads();
        for (int j = 0; j < kTile; j++) {
            float4 other = tile[j];  // @use
            f = pull(p, other, f);
        }
    }
    result[i] = f;
}

int main() {
    std::vector<float4> bodies(kBodies);
    for (int i = 0; i < kBodies; i++) {
        float a = 0.1f * i;
        bodies[i] = make_float4(cosf(a), sinf(a), 0.01f * i, 1.0f);
    }
    float4* dBodies;
    float3* dForces;
    cudaMalloc(&dBodies, kBodies * sizeof(float4));
    cudaMalloc(&dForces, kBodies * sizeof(float3));
    cudaMemcpy(dBodies, bodies.data(), kBodies * sizeof(float4), cudaMemcpyHostToDevice);

    forces<<<kBodies / kTile, kTile>>>(dBodies, dForces, kBodies);

    std::vector<float3> result(kBodies);
    cudaMemcpy(result.data(), dForces, kBodies * sizeof(float3), cudaMemcpyDeviceToHost);
    double total = 0;
    for (const float3& f : result) total += f.x + f.y + f.z;
    printf("sum of the forces: %g\n", total);
    cudaFree(dBodies);
    cudaFree(dForces);
    return 0;
}
