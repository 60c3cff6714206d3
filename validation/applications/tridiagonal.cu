// Many tridiagonal systems of 256 unknowns: elimination by a thread a system, systems one after another and
// interleaved; parallel cyclic reduction, a block a system in shared memory; and a product to check with.
#include "common.h"

#define N 256

// Element i of system s at s N + i, or at i systems + s.
template <bool INTERLEAVED>
__global__ void eliminate(const float *a, const float *b, const float *c, const float *d,
                          float *ratio, float *x, int systems)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    const int step = INTERLEAVED ? systems : 1;
    int at = INTERLEAVED ? s : s * N;
    float r = c[at] / b[at], y = d[at] / b[at];
    ratio[at] = r;
    x[at] = y;
    for (int i = 1; i < N; i++) {
        at += step;
        const float scale = 1.0f / (b[at] - a[at] * r);
        r = c[at] * scale;
        y = (d[at] - a[at] * y) * scale;
        ratio[at] = r;
        x[at] = y;
    }
    for (int i = N - 2; i >= 0; i--) {
        at -= step;
        y = x[at] - ratio[at] * y;
        x[at] = y;
    }
}

__global__ void cyclic_reduction(const float *a, const float *b, const float *c, const float *d,
                                 float *x)
{
    __shared__ float sa[N], sb[N], sc[N], sd[N];
    const int i = threadIdx.x, at = blockIdx.x * N + i;
    sa[i] = a[at];
    sb[i] = b[at];
    sc[i] = c[at];
    sd[i] = d[at];
    __syncthreads();
    for (int step = 1; step < N; step *= 2) {
        float up = 0.0f, down = 0.0f, na = 0.0f, nb = sb[i], nc = 0.0f, nd = sd[i];
        if (i >= step) {
            up = sa[i] / sb[i - step];
            na = -sa[i - step] * up;
            nb -= sc[i - step] * up;
            nd -= sd[i - step] * up;
        }
        if (i + step < N) {
            down = sc[i] / sb[i + step];
            nc = -sc[i + step] * down;
            nb -= sa[i + step] * down;
            nd -= sd[i + step] * down;
        }
        __syncthreads();
        sa[i] = na;
        sb[i] = nb;
        sc[i] = nc;
        sd[i] = nd;
        __syncthreads();
    }
    x[at] = sd[i] / sb[i];
}

__global__ void residual(const float *a, const float *b, const float *c, const float *d,
                         const float *x, float *r, int count)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % N;
    if (at >= count)
        return;
    float sum = b[at] * x[at] - d[at];
    if (i > 0)
        sum += a[at] * x[at - 1];
    if (i < N - 1)
        sum += c[at] * x[at + 1];
    r[at] = sum;
}

static std::vector<float> interleaved(const std::vector<float> &from, int systems)
{
    std::vector<float> to(from.size());
    for (size_t k = 0; k < from.size(); k++)
        to[k % N * systems + k / N] = from[k];
    return to;
}

int main(int argc, char **argv)
{
    const int systems = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1),
              n = systems * N;
    std::vector<float> a = units(n, 1), b = units(n, 2), c = units(n, 3), d = units(n, 4), want(n);
    for (int k = 0; k < n; k++)
        b[k] += 2.5f;
    for (int s = 0; s < systems; s++) {
        std::vector<double> ratio(N), x(N);
        for (int i = 0; i < N; i++) {
            const int at = s * N + i;
            const double scale = 1 / (b[at] - (i ? a[at] * ratio[i - 1] : 0));
            ratio[i] = c[at] * scale;
            x[i] = (d[at] - (i ? a[at] * x[i - 1] : 0)) * scale;
        }
        for (int i = N - 2; i >= 0; i--)
            x[i] -= ratio[i] * x[i + 1];
        std::copy(x.begin(), x.end(), &want[(size_t)s * N]);
    }
    float *da = to_device(a), *db = to_device(b), *dc = to_device(c), *dd = to_device(d);
    float *ia = to_device(interleaved(a, systems)), *ib = to_device(interleaved(b, systems));
    float *ic = to_device(interleaved(c, systems)), *id = to_device(interleaved(d, systems));
    float *ratio = device_zeros<float>(n), *x[3], *r = device_zeros<float>(n);
    for (int k = 0; k < 3; k++)
        x[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        eliminate<false><<<ceil_div(systems, 64), 64>>>(da, db, dc, dd, ratio, x[0], systems);
        eliminate<true><<<ceil_div(systems, 64), 64>>>(ia, ib, ic, id, ratio, x[1], systems);
        cyclic_reduction<<<systems, N>>>(da, db, dc, dd, x[2]);
        residual<<<ceil_div(n, 256), 256>>>(da, db, dc, dd, x[2], r, n);
    }
    expect("eliminate", x[0], want, 1e-4);
    expect("eliminate, interleaved", x[1], interleaved(want, systems), 1e-4);
    expect("cyclic_reduction", x[2], want, 1e-4);
    expect("residual", r, std::vector<float>(n), 1e-4);
    return verdict();
}
