struct float4 { double x; };
struct dim3 { char x; };
int threadIdx = 3, min = 4;
extern "C" int whole(void) { return (int)sizeof(float4) + (int)sizeof(dim3) + threadIdx + min; }
