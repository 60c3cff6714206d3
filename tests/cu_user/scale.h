#pragma once
void scale_on_gpu(float *d, unsigned n, float by);
