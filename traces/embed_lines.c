/* embed_lines.c OUTPUT FILE... - run while the gallery is built: writes the lines of the files' device
 * functions as a table in C, so that an installed program can show the line that an access is from.
 *
 * A device function begins with a line that has __global__ or __device__ and ends with a line "}", as
 * the gallery is laid out.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

static void put_text(const char *line, FILE *out)
{
    fputc('"', out);
    for (line += strspn(line, " "); *line != '\0' && *line != '\n'; line++) {
        if (*line == '"' || *line == '\\')
            fputc('\\', out);
        fputc(*line, out);
    }
    fputc('"', out);
}

static bool is_file_read(const char *path, FILE *out)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char line[LINE_BYTES];
    bool is_device = false;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return false;
    for (unsigned number = 1; fgets(line, sizeof line, in); number++) {
        is_device = is_device || strstr(line, "__global__") || strstr(line, "__device__");
        if (is_device && line[0] != '\n') {
            fprintf(out, "    {\"%s\", %u, ", name, number);
            put_text(line, out);
            fputs("},\n", out);
        }
        is_device = is_device && strcmp(line, "}\n") != 0;
    }
    const bool is_read = !ferror(in);
    return fclose(in) == 0 && is_read;
}

int main(int argc, char **argv)
{
    FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (out == NULL)
        return perror("embed_lines: output"), 1;
    fputs("/* Made by traces/embed_lines.c from the gallery. */\n#include \"gallery_lines.h\"\n\n"
          "const struct gallery_line gallery_lines[] = {\n",
          out);
    for (int i = 2; i < argc; i++)
        if (!is_file_read(argv[i], out))
            return perror(argv[i]), 1;
    fputs("};\nconst size_t gallery_line_count = sizeof gallery_lines / sizeof gallery_lines[0];\n",
          out);
    return fclose(out) ? (perror("embed_lines: output"), 1) : 0;
}
