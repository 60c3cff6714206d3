/* fuzz_binary.c - the bytes as the one chunk of a binary trace, with the checksum that they need: what
 * stands behind a right checksum is not to be believed either. */
#include <string.h>

#include "fuzz.h"
#include "trace_io/binary/codec.h"

static void put_fixed(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[BINARY_HEADER_BYTES + CHUNK_HEADER_BYTES + CHUNK_PAYLOAD_MAX];
    uint8_t *chunk = file + BINARY_HEADER_BYTES;
    if (size > CHUNK_PAYLOAD_MAX)
        return 0;
    memcpy(file, BINARY_MAGIC, strlen(BINARY_MAGIC));
    file[8] = BINARY_VERSION;
    put_fixed(chunk, (uint32_t)size);
    put_fixed(chunk + 4, codec_crc32(data, size));
    if (size)
        memcpy(chunk + CHUNK_HEADER_BYTES, data, size);
    fuzz_trace("binary", "t.wlt", NULL, file, BINARY_HEADER_BYTES + CHUNK_HEADER_BYTES + size);
    return 0;
}
