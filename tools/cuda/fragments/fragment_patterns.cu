/* fragment_patterns.cu - executes single warp instructions that move fragments and tiles, one launch each,
 * for a profiler to count: ldmatrix, stmatrix, cp.async, cp.async.bulk (plain and of tensors), wmma, memory
 * of another block of the cluster, vector reductions.
 *
 *     fragment_patterns check PATTERNS OUT.csv              executes all and says which moved the right data
 *     fragment_patterns measure PATTERNS OUT.csv GROUP SECONDS   a group's, nothing else; until the time is up
 *
 * PATTERNS is what make_patterns.py writes (it says the language). tools/cuda/measure_fragments.sh runs both.
 * OUT.csv gets a row for every pattern, in order; its outcome is the number of wrong words, -1 where the GPU
 * or the driver refused it, or -3 where it was not tried, since many of its name had been refused.
 */
#include "fragments.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <fstream>
#include <sstream>

/* Outcomes beside the number of wrong words. */
enum { REFUSED = -1, NOT_EXECUTED = -2, NOT_TRIED = -3 };

void refuse(const pattern &p, const char *why)
{
    fprintf(stderr, "fragment_patterns: line %d: %s: %s\n", p.line, p.text.c_str(), why);
    exit(2);
}

/* "5", or "start+stride*count" and "start-stride*count" for a run. */
static void parse_item(const pattern &p, const std::string &item, std::vector<int64_t> &out)
{
    const char *text = item.c_str();
    char *end;
    int64_t start = strtoll(text, &end, 0);
    if (end == text)
        refuse(p, "a number expected");
    if (*end == '\0') {
        out.push_back(start);
        return;
    }
    int64_t sign = *end == '-' ? -1 : 1;
    if (*end != '+' && *end != '-')
        refuse(p, "start+stride*count expected");
    int64_t stride = sign * strtoll(end + 1, &end, 0);
    if (*end != '*')
        refuse(p, "start+stride*count expected");
    int64_t count = strtoll(end + 1, &end, 0);
    if (*end != '\0' || count < 1 || count > 32)
        refuse(p, "a count from 1 to 32 expected");
    for (int64_t i = 0; i < count; i++)
        out.push_back(start + stride * i);
}

static pattern parse_line(const std::string &text, int line)
{
    pattern p;
    p.line = line;
    p.text = text;
    std::istringstream words(text);
    std::string word, item;
    words >> p.name;
    while (words >> word) {
        size_t equals = word.find('=');
        if (equals == std::string::npos)
            refuse(p, "key=numbers expected");
        std::vector<int64_t> &list = p.lists[word.substr(0, equals)];
        std::istringstream items(word.substr(equals + 1));
        while (std::getline(items, item, ','))
            parse_item(p, item, list);
        if (list.empty() || list.size() > 32)
            refuse(p, "one to 32 numbers expected");
    }
    return p;
}

void lane_values(const pattern &p, const char *key, uint32_t limit, uint32_t values[32])
{
    if (!p.has(key))
        refuse(p, key);
    const std::vector<int64_t> &list = p.lists.at(key);
    for (size_t i = 0; i < 32; i++) {
        int64_t value = list.size() == 1 ? list[0] : i < list.size() ? list[i] : 0;
        if (value < 0 || value > limit)
            refuse(p, "beyond the memory of patterns");
        values[i] = (uint32_t)value;
    }
}

uint32_t active_lanes(const pattern &p)
{
    return (uint32_t)p.value("lanes", 0xffffffff);
}

__global__ void fill_words(uint32_t *words, uint32_t count, bool target)
{
    for (uint32_t w = blockIdx.x * blockDim.x + threadIdx.x; w < count; w += gridDim.x * blockDim.x)
        words[w] = target ? target_word(w) : source_word(w);
}

void fill_target(const memory &m)
{
    if (m.errors != nullptr)
        fill_words<<<64, 256>>>((uint32_t *)m.target, TARGET_CHECKED / 4, true);
    CHECK(cudaGetLastError());
}

/* A part of an allocation that begins at a multiple of its size. */
static char *allocate_arena()
{
    char *p;
    CHECK(cudaMalloc(&p, 2 * ARENA_BYTES));
    return (char *)(((uintptr_t)p + ARENA_BYTES - 1) / ARENA_BYTES * ARENA_BYTES);
}

static memory allocate(bool check)
{
    memory m = {allocate_arena(), allocate_arena(), nullptr};
    if (check) {
        CHECK(cudaMalloc(&m.errors, sizeof *m.errors));
        fill_words<<<64, 256>>>((uint32_t *)m.source, ARENA_BYTES / 4, false);
        CHECK(cudaDeviceSynchronize());
    }
    return m;
}

/* The words that a checked pattern left wrong. */
static int execute(const pattern &p, const memory &m, const executors &table)
{
    auto found = table.find(p.name);
    uint32_t errors = 0;
    if (found == table.end())
        refuse(p, "no such instruction here");
    if (m.errors != nullptr)
        CHECK(cudaMemset(m.errors, 0, sizeof errors));
    try {
        found->second(p, m);
    } catch (const refused_by_driver &) {
        return REFUSED;
    }
    if (m.errors != nullptr)
        CHECK(cudaMemcpy(&errors, m.errors, sizeof errors, cudaMemcpyDeviceToHost));
    return errors > INT_MAX ? INT_MAX : (int)errors;
}

static std::vector<pattern> read_patterns(const char *path, const char *group)
{
    std::vector<pattern> patterns;
    std::ifstream file(path);
    std::string text, current;
    int line = 0;
    if (!file) {
        fprintf(stderr, "fragment_patterns: cannot read %s\n", path);
        exit(2);
    }
    while (std::getline(file, text)) {
        line++;
        if (text.compare(0, 8, "# group ") == 0)
            current = text.substr(8);
        else if (!text.empty() && text[0] != '#' && (group == nullptr || current == group))
            patterns.push_back(parse_line(text, line));
    }
    return patterns;
}

static executors all_executors()
{
    executors table;
    add_matrix_executors(table);
    add_wmma_executors(table);
    add_copy_executors(table);
    add_bulk_executors(table);
    add_tensor_executors(table);
    add_cluster_executors(table);
    add_reduction_executors(table);
    return table;
}

/* Executes patterns from `first` on until the time is up, an outcome each; returns how many are done. */
static size_t execute_some(const std::vector<pattern> &patterns, size_t first, bool check,
                           double seconds, int *outcomes)
{
    executors table = all_executors();
    memory m = allocate(check);
    auto begin = std::chrono::steady_clock::now();
    for (size_t i = first; i < patterns.size(); i++) {
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        if (spent.count() > seconds)
            return i;
        if (outcomes[i] == NOT_EXECUTED)
            outcomes[i] = execute(patterns[i], m, table);
    }
    return patterns.size();
}

/* The name's other patterns are left out once it has ended so many processes: each costs a start. */
static const int REFUSALS_A_NAME = 48;

static void leave_out(const std::vector<pattern> &patterns, size_t first, int *outcomes)
{
    for (size_t i = first; i < patterns.size(); i++)
        if (patterns[i].name == patterns[first].name && outcomes[i] == NOT_EXECUTED)
            outcomes[i] = NOT_TRIED;
}

/* A pattern that the GPU refuses ends its process: another one goes on behind it. */
static void check_all(const std::vector<pattern> &patterns, int *outcomes)
{
    std::map<std::string, int> refusals;
    size_t first = 0;
    while (first < patterns.size()) {
        pid_t child = fork();
        if (child == 0) {
            execute_some(patterns, first, true, 1e9, outcomes);
            _exit(0);
        }
        if (child < 0 || waitpid(child, nullptr, 0) < 0)
            exit(1);
        while (first < patterns.size() && outcomes[first] != NOT_EXECUTED)
            first++;
        if (first == patterns.size())
            return;
        outcomes[first] = REFUSED;
        if (++refusals[patterns[first].name] == REFUSALS_A_NAME)
            leave_out(patterns, first, outcomes);
    }
}

static int write_outcomes(const std::vector<pattern> &patterns, const int *outcomes, FILE *out)
{
    size_t wrong = 0, refused = 0, left_out = 0, done = 0;
    fprintf(out, "line,outcome,pattern\n");
    for (size_t i = 0; i < patterns.size(); i++) {
        if (outcomes[i] == NOT_EXECUTED)
            continue;
        done += outcomes[i] != NOT_TRIED;
        left_out += outcomes[i] == NOT_TRIED;
        refused += outcomes[i] == REFUSED;
        wrong += outcomes[i] > 0;
        fprintf(out, "%d,%d,\"%s\"\n", patterns[i].line, outcomes[i], patterns[i].text.c_str());
    }
    printf("%zu of %zu patterns executed; %zu moved other data than they should, %zu refused, %zu "
           "not tried\n",
           done, patterns.size(), wrong, refused, left_out);
    return wrong + refused + left_out != 0;
}

int main(int argc, char **argv)
{
    bool check = argc == 4 && strcmp(argv[1], "check") == 0;
    bool measure = argc == 6 && strcmp(argv[1], "measure") == 0;
    FILE *out = check || measure ? fopen(argv[3], "w") : nullptr;
    if (out == nullptr) {
        fprintf(stderr, "usage: fragment_patterns check PATTERNS OUT.csv\n"
                        "       fragment_patterns measure PATTERNS OUT.csv GROUP SECONDS\n");
        return 2;
    }
    std::vector<pattern> patterns = read_patterns(argv[2], measure ? argv[4] : nullptr);
    int *outcomes = (int *)mmap(nullptr, (patterns.size() + 1) * sizeof *outcomes,
                                PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcomes == MAP_FAILED)
        return 1;
    std::fill(outcomes, outcomes + patterns.size(), NOT_EXECUTED);
    if (check)
        check_all(patterns, outcomes);
    else
        execute_some(patterns, 0, false, atof(argv[5]), outcomes);
    int status = write_outcomes(patterns, outcomes, out);
    fclose(out);
    return status;
}
