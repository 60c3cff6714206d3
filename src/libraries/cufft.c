/* cufft.c - Fourier transforms of any size in up to three dimensions, in double precision, without a factor, as cuFFT's.
 *
 * A length is split by its smallest prime factor (Cooley and Tukey, 1965); a prime one is summed as it stands. Real
 * data is taken as complex; of its transform the first half of the last dimension is kept, from which the other half
 * follows.
 */
#include "libraries/cufft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "warplens/cuda.h"
#include "warplens/cuda_libraries.h"

static const double TWO_PI = 6.283185307179586476925286766559;

/* ---- One dimension ---------------------------------------------------------------------------- */

static size_t smallest_factor(size_t n)
{
    for (size_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

/* out[k] = sum of in[j * stride] * w^(jk); `roots`: w^0 to w^(whole - 1) of the whole length, of which n is the part
 * behind `step`. */
static void transform(size_t n, const double _Complex *in, size_t stride, double _Complex *out,
                      const double _Complex *roots, size_t whole, double _Complex *spare)
{
    const size_t p = smallest_factor(n), rest = n / p, step = whole / n;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    for (size_t r = 0; r < p; r++)
        transform(rest, in + r * stride, stride * p, out + r * rest, roots, whole, spare);
    for (size_t k = 0; k < rest; k++) {
        for (size_t q = 0; q < p; q++) {
            double _Complex sum = 0;
            for (size_t r = 0; r < p; r++)
                sum += out[r * rest + k] * roots[r * (k + q * rest) % n * step];
            spare[q] = sum;
        }
        for (size_t q = 0; q < p; q++)
            out[q * rest + k] = spare[q];
    }
}

/* All rows of length n of `count` elements that are `stride` apart. False: no memory. */
static bool transform_rows(double _Complex *data, size_t count, size_t n, size_t stride, int sign)
{
    double _Complex *room = malloc(3 * n * sizeof *room), *roots = room, *out = room + n;
    if (room == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const double angle = TWO_PI * (double)i / (double)n;
        roots[i] = cos(angle) + (double)sign * sin(angle) * (double _Complex)I;
    }
    for (size_t row = 0; row < count / n; row++) {
        double _Complex *first = data + row / stride * stride * n + row % stride;
        transform(n, first, stride, out, roots, n, room + 2 * n);
        for (size_t i = 0; i < n; i++)
            first[i * stride] = out[i];
    }
    free(room);
    return true;
}

/* ---- Transforms ------------------------------------------------------------------------------- */

static double number_at(const void *array, bool in_double, size_t i)
{
    return in_double ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static void put_number(void *array, bool in_double, size_t i, double value)
{
    if (in_double)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

/* Rows of real data lie, in place, as far apart as those of its transform. */
static size_t row_of(const struct cufft_plan *p, size_t row, bool real, bool in_place)
{
    const size_t half = (size_t)p->n[2] / 2 + 1;
    return row * (real ? (in_place ? 2 * half : (size_t)p->n[2]) : half);
}

/* The half that a real array's transform leaves out: the other's conjugate, at the negative of all indices. */
static double _Complex mirrored(const struct cufft_plan *p, const void *in, bool in_double,
                                size_t row, size_t column)
{
    const size_t n0 = (size_t)p->n[0], n1 = (size_t)p->n[1], n2 = (size_t)p->n[2];
    const bool stored = column <= n2 / 2;
    const size_t x = row / n1, y = row % n1;
    const size_t from = stored ? row : (n0 - x) % n0 * n1 + (n1 - y) % n1;
    const size_t at = row_of(p, from, false, false) + (stored ? column : n2 - column);
    const double re = number_at(in, in_double, 2 * at), im = number_at(in, in_double, 2 * at + 1);
    return re + (stored ? im : -im) * (double _Complex)I;
}

static void read_array(const struct cufft_plan *p, const void *in, bool in_double, bool in_place,
                       double _Complex *data)
{
    const size_t n2 = (size_t)p->n[2];
    for (size_t i = 0; i < cufft_whole_count(p); i++) {
        const size_t row = i / n2, column = i % n2;
        if (cufft_real_in(p->type))
            data[i] = number_at(in, in_double, row_of(p, row, true, in_place) + column);
        else if (cufft_real_out(p->type))
            data[i] = mirrored(p, in, in_double, row, column);
        else
            data[i] = number_at(in, in_double, 2 * i) +
                      number_at(in, in_double, 2 * i + 1) * (double _Complex)I;
    }
}

static void write_array(const struct cufft_plan *p, void *out, bool in_double, bool in_place,
                        const double _Complex *data)
{
    const size_t n2 = (size_t)p->n[2];
    for (size_t i = 0; i < cufft_whole_count(p); i++) {
        const size_t row = i / n2, column = i % n2;
        size_t at = i;
        if (cufft_real_out(p->type)) {
            put_number(out, in_double, row_of(p, row, true, in_place) + column, creal(data[i]));
            continue;
        }
        if (cufft_real_in(p->type) && column > n2 / 2)
            continue;
        if (cufft_real_in(p->type))
            at = row_of(p, row, false, in_place) + column;
        put_number(out, in_double, 2 * at, creal(data[i]));
        put_number(out, in_double, 2 * at + 1, cimag(data[i]));
    }
}

static cufftResult run(const struct cufft_plan *p, const char *in, char *out, size_t in_bytes,
                       size_t out_bytes, int sign)
{
    const bool in_double = p->type == CUFFT_Z2Z || p->type == CUFFT_D2Z || p->type == CUFFT_Z2D;
    const size_t count = cufft_whole_count(p), n1 = (size_t)p->n[1], n2 = (size_t)p->n[2];
    double _Complex *data = malloc(count * sizeof *data);
    bool done = data != NULL;
    for (int b = 0; b < p->batch && done; b++) {
        read_array(p, in + (size_t)b * in_bytes, in_double, in == out, data);
        done = transform_rows(data, count, n2, 1, sign) &&
               transform_rows(data, count, n1, n2, sign) &&
               transform_rows(data, count, (size_t)p->n[0], n1 * n2, sign);
        if (done)
            write_array(p, out + (size_t)b * out_bytes, in_double, in == out, data);
    }
    free(data);
    return done ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
}

cufftResult wl_cufft(const char *function, cufftHandle handle, cufftType type, void *in, void *out,
                     int direction)
{
    const struct cufft_plan *p = cufft_plan(handle);
    if (p == NULL || p->batch == 0)
        return CUFFT_INVALID_PLAN;
    if (p->type != type)
        return CUFFT_INVALID_TYPE;
    const bool is_double = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
    const size_t number = is_double ? sizeof(double) : sizeof(float);
    const size_t complex_bytes = cufft_complex_count(p) * 2 * number;
    const size_t real_bytes = in == out ? complex_bytes : cufft_whole_count(p) * number;
    const size_t in_bytes = cufft_real_in(type) ? real_bytes : complex_bytes;
    const size_t out_bytes = cufft_real_out(type) ? real_bytes : complex_bytes;
    if (cudaDeviceSynchronize() != cudaSuccess || !wl_library_may_run(function, p->stream))
        return CUFFT_EXEC_FAILED;
    if ((direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) ||
        !wl_library_reads(function, "the input", in, in_bytes * (size_t)p->batch) ||
        !wl_library_writes(function, "the output", out, out_bytes * (size_t)p->batch))
        return CUFFT_INVALID_VALUE;
    wl_library_call(function);
    return run(p, in, out, in_bytes, out_bytes, direction);
}

cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    const struct cufft_plan *p = cufft_plan(handle);
    return p ? wl_cufft("cufftXtExec", handle, p->type, in, out, direction) : CUFFT_INVALID_PLAN;
}
