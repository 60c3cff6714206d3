/* chunk_write.c - the payload grows in memory until the next record might not fit. */
#include "trace_io/binary/chunk_write.h"

enum { RUN_MAX = TAG_STEP };

void chunk_writer_start(struct chunk_writer *writer, FILE *out)
{
    static const uint8_t header[BINARY_HEADER_BYTES] = BINARY_MAGIC "\2";
    writer->out = out;
    writer->error = fwrite(header, sizeof header, 1, out) == 1 ? NULL : "cannot write";
    writer->run = 0;
    writer->put.used = 0;
}

static void write_chunk(struct chunk_writer *writer)
{
    uint8_t header[CHUNK_HEADER_BYTES];
    struct put *put = &writer->put;
    if (put->used == 0)
        return;
    put_fixed(header, (uint32_t)put->used);
    put_fixed(header + 4, codec_crc32(put->bytes, put->used));
    if (writer->error == NULL && (fwrite(header, sizeof header, 1, writer->out) != 1 ||
                                  fwrite(put->bytes, put->used, 1, writer->out) != 1))
        writer->error = "cannot write";
    put->used = 0;
}

static void put_run(struct chunk_writer *writer)
{
    if (writer->run)
        put_byte(&writer->put, (uint8_t)(writer->run - 1));
    writer->run = 0;
}

/* The steps that were counted take a byte in front of the record, those behind it another. */
bool chunk_writer_begin(struct chunk_writer *writer, size_t bytes)
{
    if (writer->put.used + bytes + 2 > CHUNK_PAYLOAD_MAX) {
        put_run(writer);
        write_chunk(writer);
    }
    put_run(writer);
    return writer->error == NULL;
}

bool chunk_writer_count(struct chunk_writer *writer)
{
    return ++writer->run < RUN_MAX || chunk_writer_begin(writer, 0);
}

bool chunk_writer_flush(struct chunk_writer *writer)
{
    put_run(writer);
    write_chunk(writer);
    if (fflush(writer->out) != 0 && writer->error == NULL)
        writer->error = "cannot write";
    return writer->error == NULL;
}
