// SPDX-License-Identifier: GPL-3.0-or-later
// BLAS's product of two matrices of floats, by oneDNN. LibTorch without MKL calls `sgemm_` for every linear
// layer and for attention; the BLAS that Debian installs by default is the reference one, which is many times
// slower than oneDNN's own product. A program that links this file has its `sgemm_` found first, LibTorch's
// calls among them.
#include <dlfcn.h>
#include <dnnl.h>

#if !defined(__x86_64__)
#error "oneDNN's product is known to be the faster one on x86-64 only"
#endif

namespace {

// As Fortran has it: everything by address, matrices column by column.
using Sgemm = void(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                   const int*, const float*, const int*, const float*, float*, const int*);

// Of the BLAS that is installed.
Sgemm* installedSgemm() {
  static auto* const found = reinterpret_cast<Sgemm*>(::dlsym(RTLD_NEXT, "sgemm_"));
  return found;
}

}  // namespace

// Row by row, which is oneDNN's order, the same memory holds the transposed matrices: C' = B' A'.
// NOLINTNEXTLINE(readability-identifier-naming): as BLAS calls it
extern "C" __attribute__((visibility("default"))) void sgemm_(const char* transposeA, const char* transposeB,
                                                              const int* m, const int* n, const int* k,
                                                              const float* alpha, const float* a,
                                                              const int* lda, const float* b, const int* ldb,
                                                              const float* beta, float* c, const int* ldc) {
  // Without AVX2 oneDNN has no kernel of its own for this.
  static const bool isFast = __builtin_cpu_supports("avx2") != 0;
  if (isFast && dnnl_sgemm(*transposeB, *transposeA, *n, *m, *k, *alpha, b, *ldb, a, *lda, *beta, c, *ldc) ==
                    dnnl_success)
    return;
  installedSgemm()(transposeA, transposeB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
