// One step of the Euler equations of a gas on a periodic square, by finite volumes: fluxes into arrays and an
// update from them, both in one kernel from planes, a tile in shared memory with each flux computed once,
// second order with limited slopes, and the largest wave speed, which bounds the time step.
#include "common.h"

#define GAMMA 1.4f
#define RATIO 0.1f // time step by cell width

struct State {
    float rho, mx, my, e;
};

__host__ __device__ inline State operator+(State a, State b)
{
    return {a.rho + b.rho, a.mx + b.mx, a.my + b.my, a.e + b.e};
}

__host__ __device__ inline State operator-(State a, State b)
{
    return {a.rho - b.rho, a.mx - b.mx, a.my - b.my, a.e - b.e};
}

__host__ __device__ inline State operator*(float a, State b)
{
    return {a * b.rho, a * b.mx, a * b.my, a * b.e};
}

__host__ __device__ inline float pressure(State s)
{
    return (GAMMA - 1.0f) * (s.e - 0.5f * (s.mx * s.mx + s.my * s.my) / s.rho);
}

__host__ __device__ inline State turned(State s)
{
    return {s.rho, s.my, s.mx, s.e};
}

// Rusanov's flux in x: the mean of both sides', less the faster wave's share of the jump.
__host__ __device__ inline State flux(State l, State r)
{
    const float ul = l.mx / l.rho, ur = r.mx / r.rho, pl = pressure(l), pr = pressure(r);
    const float fast = fmaxf(fabsf(ul) + sqrtf(GAMMA * pl / l.rho), fabsf(ur) + sqrtf(GAMMA * pr / r.rho));
    const State fl = {l.mx, l.mx * ul + pl, l.my * ul, (l.e + pl) * ul};
    const State fr = {r.mx, r.mx * ur + pr, r.my * ur, (r.e + pr) * ur};
    return 0.5f * (fl + fr - fast * (r - l));
}

__host__ __device__ inline State flux_y(State below, State above)
{
    return turned(flux(turned(below), turned(above)));
}

__host__ __device__ inline float minmod(float a, float b)
{
    return a * b <= 0.0f ? 0.0f : fabsf(a) < fabsf(b) ? a : b;
}

// Half the limited slope of the middle one.
__host__ __device__ inline State slope(State a, State b, State c)
{
    return {0.5f * minmod(b.rho - a.rho, c.rho - b.rho), 0.5f * minmod(b.mx - a.mx, c.mx - b.mx),
            0.5f * minmod(b.my - a.my, c.my - b.my), 0.5f * minmod(b.e - a.e, c.e - b.e)};
}

// The flux between b and c, second order.
__host__ __device__ inline State flux_limited(State a, State b, State c, State d)
{
    return flux(b + slope(a, b, c), c - slope(b, c, d));
}

__global__ void flux_plain(const State *cells, State *fx, State *fy, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    State here = cells[y * n + x];
    fx[y * n + x] = flux(cells[y * n + (x + n - 1) % n], here);
    fy[y * n + x] = flux_y(cells[(y + n - 1) % n * n + x], here);
}

__global__ void update_plain(State *cells, const State *fx, const State *fy, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    int right = y * n + (x + 1) % n, up = (y + 1) % n * n + x;
    cells[i].rho += RATIO * (fx[i].rho - fx[right].rho + fy[i].rho - fy[up].rho);
    cells[i].mx += RATIO * (fx[i].mx - fx[right].mx + fy[i].mx - fy[up].mx);
    cells[i].my += RATIO * (fx[i].my - fx[right].my + fy[i].my - fy[up].my);
    cells[i].e += RATIO * (fx[i].e - fx[right].e + fy[i].e - fy[up].e);
}

struct Planes {
    float *rho, *mx, *my, *e;

    __device__ State load(int i) const
    {
        return {__ldg(rho + i), __ldg(mx + i), __ldg(my + i), __ldg(e + i)};
    }
};

// No arrays of fluxes, but each is computed twice.
__global__ void __launch_bounds__(256) step_planes(const Planes from, const Planes to, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    const int row = y * n, i = row + x;
    const State here = from.load(i);
    const State in_x =
        flux(from.load(x > 0 ? i - 1 : row + n - 1), here) - flux(here, from.load(x < n - 1 ? i + 1 : row));
    const State in_y = flux_y(from.load(y > 0 ? i - n : (n - 1) * n + x), here) -
                       flux_y(here, from.load(y < n - 1 ? i + n : x));
    const State now = here + RATIO * (in_x + in_y);
    to.rho[i] = now.rho;
    to.mx[i] = now.mx;
    to.my[i] = now.my;
    to.e[i] = now.e;
}

__device__ __forceinline__ State as_state(float4 v)
{
    return {v.x, v.y, v.z, v.w};
}

__device__ __forceinline__ float4 as_vector(State s)
{
    return make_float4(s.rho, s.mx, s.my, s.e);
}

// 32 x 8 cells a block, n a multiple of both. Fluxes through the left and the lower faces lie in shared
// memory, too; the faces on the far sides are left to the first threads.
__global__ void __launch_bounds__(256)
    step_shared(const float4 *__restrict__ from, float4 *__restrict__ to, int n)
{
    __shared__ float4 tile[10][34], through_x[8][33], through_y[9][32];
    const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * 32 + tx;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int k = thread; k < 10 * 34; k += 256) {
        const int x = (x0 + k % 34 - 1 + n) % n, y = (y0 + k / 34 - 1 + n) % n;
        tile[k / 34][k % 34] = from[y * n + x];
    }
    __syncthreads();
    const State here = as_state(tile[ty + 1][tx + 1]);
    through_x[ty][tx] = as_vector(flux(as_state(tile[ty + 1][tx]), here));
    through_y[ty][tx] = as_vector(flux_y(as_state(tile[ty][tx + 1]), here));
    if (ty == 0)
        through_y[8][tx] = as_vector(flux_y(as_state(tile[8][tx + 1]), as_state(tile[9][tx + 1])));
    else if (thread < 40)
        through_x[tx][32] = as_vector(flux(as_state(tile[tx + 1][32]), as_state(tile[tx + 1][33])));
    __syncthreads();
    const State in_x = as_state(through_x[ty][tx]) - as_state(through_x[ty][tx + 1]);
    const State in_y = as_state(through_y[ty][tx]) - as_state(through_y[ty + 1][tx]);
    to[(y0 + ty) * n + x0 + tx] = as_vector(here + RATIO * (in_x + in_y));
}

// Second order. A thread goes up ROWS cells of a column and keeps what it needs of the column in registers;
// what is beside it comes from L1.
template <int ROWS>
__global__ void step_limited(const float4 *__restrict__ from, float4 *__restrict__ to, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y0 = blockIdx.y * ROWS;
    if (x >= n)
        return;
    const int far_left = (x + n - 2) % n, left = (x + n - 1) % n, right = (x + 1) % n,
              far_right = (x + 2) % n;
    auto at = [=](int column, int y) { return as_state(__ldg(&from[(y + n) % n * n + column])); };
    State a = turned(at(x, y0 - 1)), b = turned(at(x, y0)), c = turned(at(x, y0 + 1));
    State below = flux_limited(turned(at(x, y0 - 2)), a, b, c);
    for (int y = y0; y < y0 + ROWS; y++) {
        const State d = turned(at(x, y + 2)), above = flux_limited(a, b, c, d), here = turned(b);
        const State l = at(left, y), r = at(right, y);
        const State in_x =
            flux_limited(at(far_left, y), l, here, r) - flux_limited(l, here, r, at(far_right, y));
        to[y * n + x] = as_vector(here + RATIO * (in_x + turned(below - above)));
        a = b;
        b = c;
        c = d;
        below = above;
    }
}

// Speeds are positive: their bits are ordered as they are.
__global__ void __launch_bounds__(256) largest_speed(const float4 *__restrict__ cells, int *result, int count)
{
    __shared__ float of_warp[8];
    float speed = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
        const State s = as_state(cells[i]);
        speed = fmaxf(speed, fmaxf(fabsf(s.mx), fabsf(s.my)) / s.rho + sqrtf(GAMMA * pressure(s) / s.rho));
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        speed = fmaxf(speed, __shfl_down_sync(0xffffffffu, speed, offset));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = speed;
    __syncthreads();
    if (threadIdx.x < 8) {
        speed = of_warp[threadIdx.x];
        for (int offset = 4; offset > 0; offset /= 2)
            speed = fmaxf(speed, __shfl_down_sync(0xffu, speed, offset));
        if (threadIdx.x == 0)
            atomicMax(result, __float_as_int(speed));
    }
}

int main(int argc, char **argv)
{
    const int n = 32 * ceil_div(argument(argc, argv, 1, 64), 32), rounds = argument(argc, argv, 2, 1),
              cells = n * n;
    std::vector<State> start(cells), first(cells), second(cells);
    std::vector<float4> vectors(cells);
    std::vector<float> planes[4], speed(1);
    for (int i = 0; i < cells; i++) {
        // A denser disc in a gas that moves, and a little noise.
        const float dx = (float)(i % n) / n - 0.5f, dy = (float)(i / n) / n - 0.5f;
        const float rho = (dx * dx + dy * dy < 0.08f ? 2.0f : 1.0f) + 0.1f * unit(i),
                    u = 0.5f * unit(i + 77) - dy, v = dx + 0.2f * unit(i + 99), p = 1.0f + 0.5f * (dx < 0.1f);
        start[i] = {rho, rho * u, rho * v, p / (GAMMA - 1.0f) + 0.5f * rho * (u * u + v * v)};
        vectors[i] = make_float4(start[i].rho, start[i].mx, start[i].my, start[i].e);
        const float parts[4] = {vectors[i].x, vectors[i].y, vectors[i].z, vectors[i].w};
        for (int k = 0; k < 4; k++)
            planes[k].push_back(parts[k]);
        speed[0] = fmaxf(speed[0], fmaxf(fabsf(u), fabsf(v)) + sqrtf(GAMMA * p / rho));
    }
    for (int i = 0; i < cells; i++) {
        State x[5], y[5];
        for (int k = 0; k < 5; k++) {
            x[k] = start[i / n * n + (i % n + k - 2 + n) % n];
            y[k] = turned(start[(i / n + k - 2 + n) % n * n + i % n]);
        }
        first[i] = x[2] + RATIO * (flux(x[1], x[2]) - flux(x[2], x[3]) +
                                   turned(flux(y[1], y[2]) - flux(y[2], y[3])));
        second[i] =
            x[2] +
            RATIO * (flux_limited(x[0], x[1], x[2], x[3]) - flux_limited(x[1], x[2], x[3], x[4]) +
                     turned(flux_limited(y[0], y[1], y[2], y[3]) - flux_limited(y[1], y[2], y[3], y[4])));
    }
    const State *dstart = to_device(start);
    const float4 *dvectors = to_device(vectors);
    const Planes from = {to_device(planes[0]), to_device(planes[1]), to_device(planes[2]),
                         to_device(planes[3])};
    float *out = device_zeros<float>(4 * cells);
    const Planes to = {out, out + cells, out + 2 * cells, out + 3 * cells};
    State *state = device_zeros<State>(cells), *fx = device_zeros<State>(cells),
          *fy = device_zeros<State>(cells);
    float4 *results[2] = {device_zeros<float4>(cells), device_zeros<float4>(cells)};
    int *fastest = device_zeros<int>(1);
    const dim3 block(32, 8), grid(n / 32, n / 8);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(cells, 256), 256>>>(state, dstart, cells);
        fill_array<<<1, 32>>>(fastest, 0, 1);
        flux_plain<<<grid, block>>>(state, fx, fy, n);
        update_plain<<<grid, block>>>(state, fx, fy, n);
        step_planes<<<grid, block>>>(from, to, n);
        step_shared<<<grid, block>>>(dvectors, results[0], n);
        step_limited<16><<<dim3(ceil_div(n, 128), n / 16), 128>>>(dvectors, results[1], n);
        largest_speed<<<std::min(ceil_div(cells, 1024), 528), 256>>>(dvectors, fastest, cells);
    }
    std::vector<float> want[2], one(cells);
    for (const State *s : {first.data(), second.data()})
        want[s == second.data()].assign((const float *)s, (const float *)(s + cells));
    expect("update_plain", (const float *)state, want[0], 1e-4);
    expect("step_shared", (const float *)results[0], want[0], 1e-4);
    expect("step_limited", (const float *)results[1], want[1], 1e-4);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < cells; i++)
            one[i] = want[0][4 * i + k];
        expect("step_planes", out + (size_t)k * cells, one, 1e-4);
    }
    expect("largest_speed", (const float *)fastest, speed, 1e-5);
    return verdict();
}
