/* helper_image.h - portable grey and colour maps (PGM, PPM), and comparisons of results, by the names
 * of the helper header of NVIDIA's samples.
 */
#ifndef WARPLENS_COMPAT_HELPER_IMAGE_H
#define WARPLENS_COMPAT_HELPER_IMAGE_H
#pragma GCC system_header

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "helper_string.h"

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

/* A word of the head of a map: comments are skipped. */
inline bool wl_read_word(std::istream &in, std::string *word)
{
    while (in >> *word && (*word)[0] == '#')
        std::getline(in, *word);
    return (bool)in;
}

/* Reads "P5" (one channel) or "P6" (three). */
inline bool wl_read_map(const char *name, std::vector<unsigned char> *bytes, unsigned *width,
                        unsigned *height, unsigned *channels)
{
    std::ifstream in(name, std::ios::binary);
    std::string magic, w, h, most;
    if (!in || !wl_read_word(in, &magic) || (magic != "P5" && magic != "P6") ||
        !wl_read_word(in, &w) || !wl_read_word(in, &h) || !wl_read_word(in, &most)) {
        std::cerr << "cannot read the image " << name << "\n";
        return false;
    }
    *width = (unsigned)atoi(w.c_str());
    *height = (unsigned)atoi(h.c_str());
    *channels = magic == "P5" ? 1 : 3;
    bytes->resize((size_t)*width * *height * *channels);
    in.get();
    in.read((char *)bytes->data(), (std::streamsize)bytes->size());
    return (bool)in;
}
inline bool wl_write_map(const char *name, const char *magic, const unsigned char *bytes,
                         unsigned width, unsigned height, unsigned channels)
{
    std::ofstream out(name, std::ios::binary);
    out << magic << "\n" << width << "\n" << height << "\n255\n";
    out.write((const char *)bytes, (std::streamsize)width * height * channels);
    return (bool)out;
}

inline unsigned char wl_to_sample(unsigned char byte, unsigned char)
{
    return byte;
}
inline float wl_to_sample(unsigned char byte, float)
{
    return (float)byte / 255.0f;
}
inline unsigned char wl_from_sample(unsigned char sample)
{
    return sample;
}
inline unsigned char wl_from_sample(float sample)
{
    return (unsigned char)(sample * 255.0f);
}

template <class T>
inline bool sdkLoadPGM(const char *name, T **data, unsigned *width, unsigned *height)
{
    std::vector<unsigned char> bytes;
    unsigned channels;
    if (!wl_read_map(name, &bytes, width, height, &channels) || channels != 1)
        return false;
    if (*data == NULL)
        *data = (T *)malloc(bytes.size() * sizeof(T));
    for (size_t i = 0; i < bytes.size(); i++)
        (*data)[i] = wl_to_sample(bytes[i], T());
    return true;
}
template <class T>
inline bool sdkSavePGM(const char *name, T *data, unsigned width, unsigned height)
{
    std::vector<unsigned char> bytes((size_t)width * height);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = wl_from_sample(data[i]);
    return wl_write_map(name, "P5", bytes.data(), width, height, 1);
}
template <class T>
inline bool sdkLoadPPM4(const char *name, T **data, unsigned *width, unsigned *height)
{
    std::vector<unsigned char> bytes;
    unsigned channels;
    if (!wl_read_map(name, &bytes, width, height, &channels) || channels != 3)
        return false;
    size_t pixels = (size_t)*width * *height;
    if (*data == NULL)
        *data = (T *)malloc(pixels * 4);
    unsigned char *to = (unsigned char *)*data;
    for (size_t i = 0; i < pixels * 4; i++)
        to[i] = i % 4 == 3 ? 0 : bytes[i / 4 * 3 + i % 4];
    return true;
}
inline bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned *width, unsigned *height)
{
    return sdkLoadPPM4(name, data, width, height);
}
inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned width, unsigned height)
{
    std::vector<unsigned char> bytes((size_t)width * height * 3);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = data[i / 3 * 4 + i % 3];
    return wl_write_map(name, "P6", bytes.data(), width, height, 3);
}

/* Values as text, between spaces. */
template <class T, class S>
inline bool sdkWriteFile(const char *name, const T *data, unsigned count, S, bool,
                         bool append = false)
{
    std::ofstream out(name, append ? std::ios::app : std::ios::trunc);
    for (unsigned i = 0; out && i < count; i++)
        out << data[i] << " ";
    return (bool)out;
}

/* ---- Comparisons ---------------------------------------------------------------------------------- */

/* Whether all but a share `threshold` of the elements differ by `epsilon` at most. */
template <class T, class S>
inline bool compareData(const T *reference, const T *data, unsigned count, S epsilon,
                        float threshold)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        double difference = (double)reference[i] - (double)data[i];
        wrong += !(difference <= (double)epsilon && difference >= -(double)epsilon);
    }
    return threshold == 0.0f ? wrong == 0 : (float)wrong < threshold * (float)count;
}
inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned count, float epsilon)
{
    double error = 0, sum = 0;
    for (unsigned i = 0; i < count; i++) {
        double difference = (double)reference[i] - data[i];
        error += difference * difference;
        sum += (double)reference[i] * reference[i];
    }
    return sum > 1e-7 * 1e-7 && std::sqrt(error) / std::sqrt(sum) < epsilon;
}

#endif
