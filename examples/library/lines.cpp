// lines.cpp - the source lines of a trace with the sectors that they move and could do with.
#include <warplens/warplens.h>

#include <cinttypes>
#include <cstdio>
#include <memory>

namespace {

using Run = std::unique_ptr<warplens_run, decltype(&warplens_run_free)>;

std::uint64_t counter(const warplens_counts *counts, const char *name)
{
    std::uint64_t value = 0;
    return warplens_counter(counts, name, &value) ? value : 0;
}

} // namespace

int main(int argc, char **argv)
{
    Run run(warplens_run_new(), warplens_run_free);
    if (!warplens_set_rules_only(run.get(), true) ||
        !warplens_read_trace(run.get(), argc > 1 ? argv[1] : "-", nullptr)) {
        std::fprintf(stderr, "%s\n", warplens_message(run.get()));
        return 1;
    }
    for (std::size_t i = 0; i < warplens_line_count(run.get()); i++) {
        const warplens_counts *line = warplens_line_at(run.get(), 0, i);
        std::printf("%s:%" PRIu32 ": loads %" PRIu64 " of %" PRIu64 " sectors, stores %" PRIu64
                    " of %" PRIu64 "\n",
                    warplens_counts_name(line), warplens_counts_line(line),
                    counter(line, "global_load_ideal_sectors"), counter(line, "global_load_sectors"),
                    counter(line, "global_store_ideal_sectors"),
                    counter(line, "global_store_sectors"));
    }
    return 0;
}
