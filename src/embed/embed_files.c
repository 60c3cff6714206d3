/* embed_files.c - part of the build: writes files as a C table. embed_files OUT.c TABLE FILE... */
#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int put_bytes(const char *path, int number, FILE *out)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return 0;
    fprintf(out, "static const char file%d[] = {", number);
    for (int byte, i = 0; (byte = fgetc(in)) != EOF; i++)
        fprintf(out, "%s%d,", i % 20 ? "" : "\n", byte < 128 ? byte : byte - 256);
    fputs("0};\n", out);
    int failed = ferror(in);
    return fclose(in) == 0 && !failed;
}

int main(int count, char **arguments)
{
    FILE *out = count > 3 ? fopen(arguments[1], "w") : NULL;
    if (out == NULL)
        return 1;
    fputs("#include \"embed/embed.h\"\n", out);
    for (int i = 3; i < count; i++)
        if (!put_bytes(arguments[i], i, out)) {
            fprintf(stderr, "embed_files: %s cannot be read\n", arguments[i]);
            return 1;
        }
    fprintf(out, "const struct embedded_file %s[] = {\n", arguments[2]);
    for (int i = 3; i < count; i++)
        fprintf(out, "    {\"%s\", file%d},\n", base_name(arguments[i]), i);
    fputs("    {0, 0}};\n", out);
    return fclose(out) != 0;
}
