// socket.cu - what a kernel's program has no need of: `warplens run` stops it with --confine yes.
#include <cstdio>
#include <sys/socket.h>

int main()
{
    int line = socket(AF_INET, SOCK_STREAM, 0);
    printf("connected by descriptor %d\n", line);
    return 0;
}
