/* pages.c - builds one page: `pages KIND TEMPLATE` writes it to standard output. Runs when warplens is
 * built, with the program's own tables. */
#include "pages/pages.h"

#include <string.h>

static const struct page {
    const char *kind;
    const struct page_mark *marks;
} pages[] = {{"man", marks_man}, {"bash", marks_bash}, {"zsh", marks_zsh}, {"fish", marks_fish}};

void page_put_escaped(const char *text, const char *special, FILE *out)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

void page_put_quoted(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, out);
    fputc('\'', out);
}

void page_each_operands(page_operands *write, FILE *out)
{
    for (size_t i = 0; i < command_count; i++) {
        const struct command *command = command_list[i];
        struct shape shape = shape_read(command->operands, command);
        write(command, NULL, &shape, out);
        for (const struct command_action *action = command->actions; action && action->name;
             action++) {
            shape = shape_read(action->operands, command);
            write(command, action, &shape, out);
        }
    }
}

/* NULL when nobody knows the mark of a line. */
static const struct page_mark *find_mark(const struct page_mark *marks, const char *line)
{
    for (const struct page_mark *mark = marks; mark->name; mark++)
        if (strncmp(line + 1, mark->name, strlen(mark->name)) == 0 &&
            strcmp(line + 1 + strlen(mark->name), "@\n") == 0)
            return mark;
    return NULL;
}

static int write_page(const struct page *page, FILE *template)
{
    char line[1024];
    while (fgets(line, sizeof line, template)) {
        const struct page_mark *mark = line[0] == '@' ? find_mark(page->marks, line) : NULL;
        if (line[0] == '@' && mark == NULL) {
            fprintf(stderr, "pages %s: unknown mark %s", page->kind, line);
            return 1;
        }
        if (mark)
            mark->write(stdout);
        else
            fputs(line, stdout);
    }
    return ferror(template) || fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(argv[1], pages[i].kind) != 0)
            continue;
        FILE *template = fopen(argv[2], "r");
        int status = template ? write_page(&pages[i], template) : 1;
        if (template)
            fclose(template);
        else
            perror(argv[2]);
        return status;
    }
    fputs("usage: pages man|bash|zsh|fish TEMPLATE\n", stderr);
    return 2;
}
