#pragma once
#define checkCudaErrors(call) ((void)(call))
#define FROM 5
