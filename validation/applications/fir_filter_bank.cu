// Filters over many channels of 512 samples: FIR with taps of each channel (plain, from shared memory, four outputs a
// thread), decimation, a channeliser's polyphase stage, and cascades of IIR biquads.
#include "common.h"

#define SAMPLES 512
#define TAPS 32
#define FACTOR 4
#define BRANCHES 64
#define SECTIONS 3

// A thread an output; samples before the first are 0.
__global__ void fir_plain(const float *in, const float *taps, float *out)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
    if (n >= SAMPLES)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS && k <= n; k++)
        sum += taps[channel * TAPS + k] * in[channel * SAMPLES + n - k];
    out[channel * SAMPLES + n] = sum;
}

// BLOCK outputs a block: the samples and the taps in shared memory.
template <int BLOCK>
__global__ void fir_shared(const float *__restrict__ in, const float *__restrict__ taps,
                           float *__restrict__ out)
{
    __shared__ float window[BLOCK + TAPS - 1], h[TAPS];
    const int t = threadIdx.x, first = blockIdx.x * BLOCK;
    const float *signal = in + blockIdx.y * SAMPLES;
    for (int i = t; i < BLOCK + TAPS - 1; i += BLOCK) {
        const int n = first + i - (TAPS - 1);
        window[i] = n >= 0 ? signal[n] : 0.0f;
    }
    if (t < TAPS)
        h[t] = taps[blockIdx.y * TAPS + t];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum = fmaf(h[k], window[t + TAPS - 1 - k], sum);
    out[blockIdx.y * SAMPLES + first + t] = sum;
}

// A block a channel: four outputs a thread, whose samples pass through registers as float4.
__global__ void __launch_bounds__(SAMPLES / 4)
    fir_registers(const float4 *__restrict__ in, const float4 *__restrict__ taps,
                  float4 *__restrict__ out)
{
    __shared__ float4 window[SAMPLES / 4 + TAPS / 4];
    const int t = threadIdx.x, channel = blockIdx.x;
    if (t < TAPS / 4)
        window[t] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    window[TAPS / 4 + t] = in[channel * (SAMPLES / 4) + t];
    __syncthreads();
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f), now = window[TAPS / 4 + t];
#pragma unroll
    for (int k = 0; k < TAPS / 4; k++) {
        const float4 h = __ldg(&taps[channel * (TAPS / 4) + k]);
        const float4 old = window[TAPS / 4 + t - k - 1];
        sum.x += h.x * now.x + h.y * old.w + h.z * old.z + h.w * old.y;
        sum.y += h.x * now.y + h.y * now.x + h.z * old.w + h.w * old.z;
        sum.z += h.x * now.z + h.y * now.y + h.z * now.x + h.w * old.w;
        sum.w += h.x * now.w + h.y * now.z + h.z * now.y + h.w * now.x;
        now = old;
    }
    out[channel * (SAMPLES / 4) + t] = sum;
}

// One output of FACTOR samples, all channels with the same taps.
__global__ void decimate(const float *__restrict__ in, const float *__restrict__ taps,
                         float *__restrict__ out, int channels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * (SAMPLES / FACTOR))
        return;
    const int channel = i / (SAMPLES / FACTOR), n = i % (SAMPLES / FACTOR) * FACTOR;
    float sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < TAPS; k++)
        if (n >= k)
            sum += taps[k] * in[channel * SAMPLES + n - k];
    out[i] = sum;
}

// The stage before a channeliser's FFT: each branch filters every BRANCHES-th sample of one long stream. A thread
// walks over 8 frames of a branch and keeps the last samples in registers.
template <int LENGTH>
__global__ void polyphase_frames(const float *__restrict__ stream, const float *__restrict__ taps,
                                 float *__restrict__ out, int frames)
{
    const int branch = threadIdx.x, first = (blockIdx.x * blockDim.y + threadIdx.y) * 8;
    if (first >= frames)
        return;
    float h[LENGTH], x[LENGTH];
#pragma unroll
    for (int k = 0; k < LENGTH; k++) {
        h[k] = taps[k * BRANCHES + branch];
        x[k] = stream[(first + k) * BRANCHES + branch];
    }
    const int end = min(first + 8, frames);
    for (int frame = first; frame < end; frame++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < LENGTH; k++)
            sum += h[k] * x[k];
        out[frame * BRANCHES + branch] = sum;
        if (frame + 1 == end)
            break;
#pragma unroll
        for (int k = 0; k < LENGTH - 1; k++)
            x[k] = x[k + 1];
        x[LENGTH - 1] = stream[(frame + LENGTH) * BRANCHES + branch];
    }
}

// A thread a channel; sample n of all channels together.
__global__ void biquads_interleaved(const float *in, const float *coefficients, float *out,
                                    int channels)
{
    int channel = blockIdx.x * blockDim.x + threadIdx.x;
    if (channel >= channels)
        return;
    float b0[SECTIONS], a1[SECTIONS], a2[SECTIONS], s1[SECTIONS], s2[SECTIONS];
    for (int k = 0; k < SECTIONS; k++) {
        b0[k] = coefficients[(3 * k + 0) * channels + channel];
        a1[k] = coefficients[(3 * k + 1) * channels + channel];
        a2[k] = coefficients[(3 * k + 2) * channels + channel];
        s1[k] = s2[k] = 0;
    }
    for (int n = 0; n < SAMPLES; n++) {
        float x = in[n * channels + channel];
        for (int k = 0; k < SECTIONS; k++) {
            // The zeros are at -1: b1 = 2 b0, b2 = b0.
            float y = b0[k] * x + s1[k];
            s1[k] = 2 * b0[k] * x - a1[k] * y + s2[k];
            s2[k] = b0[k] * x - a2[k] * y;
            x = y;
        }
        out[n * channels + channel] = x;
    }
}

// The channels one after the other: a warp turns squares of 32 x 32 samples in shared memory.
__global__ void __launch_bounds__(32)
    biquads_planar(const float *__restrict__ in, const float *__restrict__ coefficients,
                   float *__restrict__ out, int channels)
{
    __shared__ float square[32][33];
    const int lane = threadIdx.x, first = blockIdx.x * 32, mine = min(first + lane, channels - 1);
    const int rows = min(32, channels - first);
    float b0[SECTIONS], a1[SECTIONS], a2[SECTIONS], s1[SECTIONS] = {}, s2[SECTIONS] = {};
#pragma unroll
    for (int k = 0; k < SECTIONS; k++) {
        b0[k] = coefficients[(3 * k + 0) * channels + mine];
        a1[k] = coefficients[(3 * k + 1) * channels + mine];
        a2[k] = coefficients[(3 * k + 2) * channels + mine];
    }
    for (int start = 0; start < SAMPLES; start += 32) {
#pragma unroll 8
        for (int row = 0; row < 32; row++)
            square[row][lane] = row < rows ? in[(first + row) * SAMPLES + start + lane] : 0.0f;
        __syncwarp();
#pragma unroll 4
        for (int n = 0; n < 32; n++) {
            float x = square[lane][n];
#pragma unroll
            for (int k = 0; k < SECTIONS; k++) {
                const float bx = b0[k] * x, y = bx + s1[k];
                s1[k] = 2.0f * bx - a1[k] * y + s2[k];
                s2[k] = bx - a2[k] * y;
                x = y;
            }
            square[lane][n] = x;
        }
        __syncwarp();
        for (int row = 0; row < rows; row++)
            out[(first + row) * SAMPLES + start + lane] = square[row][lane];
        __syncwarp();
    }
}

#define LENGTH 8

int main(int argc, char **argv)
{
    const int channels = argument(argc, argv, 1, 16), rounds = argument(argc, argv, 2, 1);
    const int n = channels * SAMPLES, frames = n / BRANCHES;
    const std::vector<float> in = units(n, 1), taps = units(channels * TAPS, 2),
                             branch_taps = units(LENGTH * BRANCHES, 3),
                             stream = units((size_t)(frames + LENGTH - 1) * BRANCHES, 4);
    std::vector<float> turned(n), coefficients(3 * SECTIONS * channels), want_fir(n),
        want_decimate(n / FACTOR), want_frames(n), want_iir(n), want_turned(n);
    for (int i = 0; i < n; i++) {
        const int channel = i / SAMPLES, at = i % SAMPLES;
        double fir = 0, low = 0, frame = 0;
        for (int k = 0; k < TAPS && k <= at; k++) {
            fir += taps[channel * TAPS + k] * in[i - k];
            low += taps[k] * in[i - k];
        }
        for (int k = 0; k < LENGTH; k++)
            frame += branch_taps[k * BRANCHES + i % BRANCHES] * stream[i + k * BRANCHES];
        turned[at * channels + channel] = in[i];
        want_fir[i] = (float)fir;
        if (at % FACTOR == 0)
            want_decimate[i / FACTOR] = (float)low;
        want_frames[i] = (float)frame;
    }
    for (int channel = 0; channel < channels; channel++) {
        std::vector<double> x(in.begin() + channel * SAMPLES, in.begin() + (channel + 1) * SAMPLES);
        for (int k = 0; k < SECTIONS; k++) {
            // Two poles of that radius and angle; the gain is 1 at frequency 0.
            const double radius = 0.5 + 0.4 * unit(channel * 7 + k),
                         angle = 0.2 + unit(channel + 99);
            float *c = &coefficients[3 * k * channels + channel];
            c[channels] = (float)(-2 * radius * cos(angle));
            c[2 * channels] = (float)(radius * radius);
            c[0] = (1 + c[channels] + c[2 * channels]) / 4;
            const double b = c[0], a1 = c[channels], a2 = c[2 * channels];
            std::vector<double> y(SAMPLES);
            for (int i = 0; i < SAMPLES; i++) {
                y[i] = b * x[i];
                y[i] += i >= 1 ? 2 * b * x[i - 1] - a1 * y[i - 1] : 0;
                y[i] += i >= 2 ? b * x[i - 2] - a2 * y[i - 2] : 0;
            }
            x.swap(y);
        }
        for (int i = 0; i < SAMPLES; i++)
            want_iir[channel * SAMPLES + i] = want_turned[i * channels + channel] = (float)x[i];
    }
    const float *din = to_device(in), *dturned = to_device(turned), *dtaps = to_device(taps),
                *dbranch = to_device(branch_taps), *dstream = to_device(stream),
                *dcoefficients = to_device(coefficients);
    float *out[7];
    for (int k = 0; k < 7; k++)
        out[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        fir_plain<<<dim3(SAMPLES / 128, channels), 128>>>(din, dtaps, out[0]);
        fir_shared<128><<<dim3(SAMPLES / 128, channels), 128>>>(din, dtaps, out[1]);
        fir_registers<<<channels, SAMPLES / 4>>>((const float4 *)din, (const float4 *)dtaps,
                                                 (float4 *)out[2]);
        decimate<<<ceil_div(n / FACTOR, 128), 128>>>(din, dtaps, out[3], channels);
        polyphase_frames<LENGTH>
            <<<ceil_div(frames, 32), dim3(BRANCHES, 4)>>>(dstream, dbranch, out[4], frames);
        biquads_interleaved<<<ceil_div(channels, 64), 64>>>(dturned, dcoefficients, out[5],
                                                            channels);
        biquads_planar<<<ceil_div(channels, 32), 32>>>(din, dcoefficients, out[6], channels);
    }
    expect("fir_plain", out[0], want_fir, 1e-5);
    expect("fir_shared", out[1], want_fir, 1e-5);
    expect("fir_registers", out[2], want_fir, 1e-5);
    expect("decimate", out[3], want_decimate, 1e-5);
    expect("polyphase_frames", out[4], want_frames, 1e-5);
    expect("biquads_interleaved", out[5], want_turned, 1e-4);
    expect("biquads_planar", out[6], want_iir, 1e-4);
    return verdict();
}
