/* test_trace_binary.c - does a binary trace give back the stream it was made from, call by call, in few
 * bytes, and is everything else an error? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "trace_io/binary/binary_read.h"
#include "trace_io/binary/binary_write.h"
#include "trace_io/binary/chunk_write.h"
#include "trace_io/binary/get.h"
#include "stream/guard.h"
#include "trace_stream.h"

enum { RANDOM_STREAMS = 400 };
static const uint64_t seed = 20261121;

struct bytes {
    char *at;
    size_t count;
};

/* What `make` gives a sink, as a file; the expected calls go to `expected` unless it is NULL. */
static struct bytes record(void (*make)(uint64_t number, const struct trace_sink *sink),
                           uint64_t number)
{
    struct bytes file = {0};
    FILE *out = open_memstream(&file.at, &file.count);
    struct binary_writer *writer = binary_writer_new(out);
    const struct trace_sink sink = binary_writer_sink(writer);
    make(number, &sink);
    assert_null(binary_writer_end(writer));
    binary_writer_free(writer);
    fclose(out);
    return file;
}

static const char *read_to(const struct bytes *file, const struct trace_sink *sink)
{
    static struct trace_input input;
    FILE *in = fmemopen(file->at, file->count, "rb");
    input_start(&input, in, "t.wlt");
    const char *error = file->count ? binary_trace_read(&input, sink) : "empty";
    fclose(in);
    return error;
}

static void make_random(uint64_t number, const struct trace_sink *sink)
{
    trace_stream_random(seed, number, false, sink);
}

static void streams_come_back_call_by_call(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t number = 0; number < RANDOM_STREAMS; number++) {
        struct trace_stream expected, got;
        char title[64];
        snprintf(title, sizeof title, "stream %llu", (unsigned long long)number);
        trace_stream_start(&expected);
        expected.shows_values = true;
        make_random(number, &expected.sink);
        trace_stream_end(&expected);
        struct bytes file = record(make_random, number);
        trace_stream_start(&got);
        got.shows_values = true;
        assert_null(read_to(&file, &got.sink));
        trace_stream_end(&got);
        trace_stream_assert_equal(&got, &expected, title);
        trace_stream_free(&got);
        trace_stream_free(&expected);
        free(file.at);
    }
}

/* ---- How small ------------------------------------------------------------------------------- */

enum { COPY_BLOCKS = 512, COPY_WARPS = 8 };

static void begin(const struct trace_sink *sink, uint32_t blocks, uint32_t threads)
{
    const struct launch_info launch = {
        .kernel = "copy", .grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    const struct trace_site load = {"copy.cu", 3, "in", SPACE_GLOBAL, OP_LOAD, 4};
    const struct trace_site store = {"copy.cu", 3, "out", SPACE_GLOBAL, OP_STORE, 4};
    sink_site(sink, 0, &load);
    sink_site(sink, 1, &store);
    sink_launch_begin(sink, &launch);
}

static void access_at(const struct trace_sink *sink, uint32_t block, uint32_t warp, uint32_t site,
                      uint64_t base)
{
    const struct warp_access access = {.base = base,
                                       .stride = 4,
                                       .active = UINT32_MAX,
                                       .resident = UINT32_MAX,
                                       .block = block,
                                       .warp = warp,
                                       .site = site,
                                       .work = (uint16_t)(8 - 4 * site),
                                       .loads_left = site ? 0 : NEEDS_NO_LOAD,
                                       .width = 4,
                                       .op = site ? OP_STORE : OP_LOAD};
    sink_access(sink, &access);
}

/* A copy: each warp of each block loads and stores 128 bytes behind those of the warp before. */
static void make_copy(uint64_t number, const struct trace_sink *sink)
{
    (void)number;
    begin(sink, COPY_BLOCKS, COPY_WARPS * WARP_LANES);
    for (uint32_t b = 0; b < COPY_BLOCKS; b++) {
        for (uint32_t w = 0; w < COPY_WARPS; w++) {
            uint64_t offset = (uint64_t)(b * COPY_WARPS + w) * 128;
            const struct trace_event end = {TRACE_WARP_END, b, w, 1, 0, 0};
            access_at(sink, b, w, 0, 0x10000000 + offset);
            access_at(sink, b, w, 1, 0x20000000 + offset);
            sink_event(sink, &end);
        }
        const struct trace_event block_end = {TRACE_BLOCK_END, b, 0, 0, 0, 0};
        sink_event(sink, &block_end);
    }
    sink_launch_end(sink, 0);
}

static void a_regular_access_takes_a_hundredth_of_a_byte(void **state)
{
    (void)state;
    struct bytes file = record(make_copy, 0);
    assert_in_range(file.count, 1, 2 * COPY_BLOCKS * COPY_WARPS / 20);
    free(file.at);
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* Records of `bytes` bytes, each behind a foretold step, until there are several chunks: none may be
 * longer than a reader takes. */
static void assert_chunks(unsigned bytes)
{
    static struct chunk_writer writer;
    struct bytes file = {0};
    FILE *out = open_memstream(&file.at, &file.count);
    chunk_writer_start(&writer, out);
    for (unsigned i = 0; i < 5 * CHUNK_PAYLOAD_MAX / (bytes + 1); i++) {
        assert_true(chunk_writer_count(&writer) && chunk_writer_begin(&writer, bytes));
        for (unsigned k = 0; k < bytes; k++)
            put_byte(&writer.put, TAG_SHARED);
    }
    assert_true(chunk_writer_flush(&writer));
    fclose(out);
    for (size_t at = BINARY_HEADER_BYTES; at < file.count;) {
        uint32_t length = get_fixed((const uint8_t *)file.at + at);
        assert_in_range(length, 1, CHUNK_PAYLOAD_MAX);
        at += CHUNK_HEADER_BYTES + length;
    }
    free(file.at);
}

static void no_chunk_is_too_long(void **state)
{
    (void)state;
    for (unsigned bytes = 1; bytes <= 12; bytes++)
        assert_chunks(bytes);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

static bool take_access(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
    return true;
}

/* With a guard behind the reader, as everywhere. */
static const char *read_guarded(const struct bytes *file)
{
    static struct guard guard;
    static char message[GUARD_MESSAGE_BYTES];
    const struct trace_sink sink = {.access = take_access};
    guard_start(&guard, &sink);
    const struct trace_sink guarded = guard_sink(&guard);
    const char *error = read_to(file, &guarded);
    snprintf(message, sizeof message, "%s", guard.message);
    guard_free(&guard);
    return error ? error : message[0] ? message : NULL;
}

static void every_truncation_is_an_error(void **state)
{
    (void)state;
    struct bytes file = record(make_random, 3), cut = file;
    for (cut.count = 0; cut.count < file.count; cut.count++)
        assert_non_null(read_guarded(&cut));
    assert_null(read_guarded(&file));
    free(file.at);
}

static void every_flipped_byte_is_an_error(void **state)
{
    (void)state;
    struct bytes file = record(make_random, 3);
    for (size_t i = 0; i < file.count; i++) {
        if (i == BINARY_HEADER_BYTES - 1 || i == BINARY_HEADER_BYTES - 2)
            continue; /* reserved, and not looked at */
        file.at[i] ^= (char)0xff;
        assert_non_null(read_guarded(&file));
        file.at[i] ^= (char)0xff;
    }
    free(file.at);
}

static void another_version_is_named(void **state)
{
    (void)state;
    struct bytes file = record(make_copy, 0);
    file.at[8] = 7;
    assert_string_equal(
        read_guarded(&file),
        "t.wlt: a trace of version 7: this warplens reads versions 1 to 3; record it anew, "
        "or use the warplens that wrote it");
    free(file.at);
}

/* ---- The writer's own errors ------------------------------------------------------------------ */

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (full == NULL)
        skip();
    setvbuf(full, NULL, _IONBF, 0);
    struct binary_writer *writer = binary_writer_new(full);
    const struct trace_sink sink = binary_writer_sink(writer);
    make_copy(0, &sink);
    assert_string_equal(binary_writer_end(writer), "cannot write");
    binary_writer_free(writer);
    fclose(full);
}

static void a_warp_that_there_is_not_is_an_error(void **state)
{
    (void)state;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    struct binary_writer *writer = binary_writer_new(out);
    const struct trace_sink sink = binary_writer_sink(writer);
    begin(&sink, 1, 64);
    access_at(&sink, 0, 2, 0, 0x10000000);
    assert_string_equal(binary_writer_end(writer), "a warp that its block does not have");
    binary_writer_free(writer);
    fclose(out);
    free(text);
}

/* ---- As many arrays as there may be ------------------------------------------------------------ */

/* A launch with so many arrays, some with names of thousands of bytes: more than a chunk holds. */
static void make_arrays(uint64_t number, const struct trace_sink *sink)
{
    struct trace_array *arrays = calloc(number, sizeof *arrays);
    char(*names)[CODEC_TEXT_MAX + 1] = calloc(number, sizeof *names);
    for (uint64_t i = 0; i < number; i++) {
        memset(names[i], 'a', i % 100 == 99 ? CODEC_TEXT_MAX - 8 : 4);
        snprintf(names[i] + strlen(names[i]), 8, "%u", (unsigned)i);
        arrays[i] = (struct trace_array){
            .name = names[i], .base = 0x200000000ULL + i * 86016, .bytes = 1024 + i};
    }
    for (uint64_t launch = 0; launch < 2; launch++) {
        const struct launch_info info = {.kernel = "k",
                                         .grid = {1, 1, 1},
                                         .block = {32, 1, 1},
                                         .arrays = arrays + launch,
                                         .array_count = number - launch};
        sink_launch_begin(sink, &info);
        sink_launch_end(sink, 0);
    }
    free(arrays);
    free(names);
}

static void as_many_arrays_as_allowed_come_back(void **state)
{
    static const uint64_t counts[] = {1, 2452, 2453, CODEC_ARRAYS_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct trace_stream expected, got;
        trace_stream_start(&expected);
        make_arrays(counts[i], &expected.sink);
        trace_stream_end(&expected);
        struct bytes file = record(make_arrays, counts[i]);
        trace_stream_start(&got);
        assert_null(read_to(&file, &got.sink));
        trace_stream_end(&got);
        trace_stream_assert_equal(&got, &expected, "arrays");
        trace_stream_free(&got);
        trace_stream_free(&expected);
        free(file.at);
    }
}

static void one_array_more_is_an_error(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    struct binary_writer *writer = binary_writer_new(out);
    const struct trace_sink sink = binary_writer_sink(writer);
    make_arrays(CODEC_ARRAYS_MAX + 1, &sink);
    assert_string_equal(binary_writer_end(writer),
                        "a launch with more than 4096 arrays; allowed: 4096 at a time");
    binary_writer_free(writer);
    fclose(out);
}

/* ---- Launches without steps -------------------------------------------------------------------- */

static void launch(const struct trace_sink *sink, bool may_repeat)
{
    const struct launch_info info = {
        .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .may_repeat = may_repeat};
    sink_launch_begin(sink, &info);
    sink_launch_end(sink, 0);
}

static void leave_out(const struct trace_sink *sink, uint64_t repeats, uint32_t threads)
{
    const struct trace_left_out left_out = {.kernel = "k",
                                            .grid = {2, 3, 4},
                                            .block = {threads, 1, 1},
                                            .dynamic_shared_bytes = 5,
                                            .repeats = repeats};
    sink_launch_left_out(sink, &left_out);
}

enum { FIRST, AGAIN, NOT_CHOSEN, UNMARKED, TOO_FAR, TOO_OLD, TOO_LARGE, WITHIN, LEFT_OUT_CASES };

static void make_left_out(uint64_t number, const struct trace_sink *sink)
{
    if (number == WITHIN)
        begin(sink, 1, 32);
    else
        launch(sink, number != UNMARKED);
    for (unsigned i = 0; number == TOO_OLD && i < REPEATED_LAUNCHES_MAX; i++)
        launch(sink, true);
    leave_out(sink,
              number == NOT_CHOSEN ? 0
              : number == TOO_FAR  ? 2
              : number == TOO_OLD  ? REPEATED_LAUNCHES_MAX + 1
                                   : 1,
              number == TOO_LARGE ? 1025 : 32);
    if (number == AGAIN)
        leave_out(sink, 2, 32);
    if (number == WITHIN)
        sink_launch_end(sink, 0);
}

static bool take_left_out(void *context, const struct trace_left_out *launch)
{
    uint64_t *distances = context;
    assert_string_equal(launch->kernel, "k");
    assert_true(launch->grid[2] == 4 && launch->block[0] == 32);
    assert_true(launch->dynamic_shared_bytes == 5);
    *distances = 10 * *distances + launch->repeats;
    return true;
}

static void a_launch_repeats_one_that_says_so(void **state)
{
    static const uint64_t expected[] = {[FIRST] = 1, [AGAIN] = 12, [NOT_CHOSEN] = 0};
    (void)state;
    for (uint64_t number = 0; number < LEFT_OUT_CASES; number++) {
        struct bytes file = record(make_left_out, number);
        const char *error = read_guarded(&file);
        uint64_t distances = 0;
        const struct trace_sink sink = {
            .context = &distances, .access = take_access, .launch_left_out = take_left_out};
        if (number <= NOT_CHOSEN) {
            assert_null(error);
            assert_null(read_to(&file, &sink));
            assert_true(distances == expected[number]);
        } else {
            assert_non_null(error);
        }
        free(file.at);
    }
}

/* By its definition: a bit at a time. */
static uint32_t crc32_of_bits(const uint8_t *bytes, size_t count)
{
    uint32_t crc = UINT32_MAX;
    for (size_t bit = 0; bit < 8 * count; bit++)
        crc = crc >> 1 ^ (0xedb88320U & (0U - ((crc ^ (uint32_t)bytes[bit / 8] >> bit % 8) & 1U)));
    return ~crc;
}

static void the_checksum_is_crc32_at_every_length(void **state)
{
    uint8_t bytes[200];
    (void)state;
    assert_int_equal(codec_crc32((const uint8_t *)"123456789", 9), 0xcbf43926);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i * 37 + i);
    for (size_t begin = 0; begin < 8; begin++)
        for (size_t count = 0; begin + count <= sizeof bytes; count++)
            assert_int_equal(codec_crc32(bytes + begin, count),
                             crc32_of_bits(bytes + begin, count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_come_back_call_by_call),
        cmocka_unit_test(a_regular_access_takes_a_hundredth_of_a_byte),
        cmocka_unit_test(no_chunk_is_too_long),
        cmocka_unit_test(every_truncation_is_an_error),
        cmocka_unit_test(every_flipped_byte_is_an_error),
        cmocka_unit_test(another_version_is_named),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_warp_that_there_is_not_is_an_error),
        cmocka_unit_test(as_many_arrays_as_allowed_come_back),
        cmocka_unit_test(one_array_more_is_an_error),
        cmocka_unit_test(a_launch_repeats_one_that_says_so),
        cmocka_unit_test(the_checksum_is_crc32_at_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
