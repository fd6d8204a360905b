/* The SSE2 that gnubg's nets use, as WebAssembly's SIMD. */
#ifndef SHIMS_EMMINTRIN_H
#define SHIMS_EMMINTRIN_H

#include <stdlib.h>
#include <wasm_simd128.h>

typedef v128_t __m128, __m128i;

#define _mm_load_ps(from) wasm_v128_load(from)
#define _mm_store_ps(to, a) wasm_v128_store(to, a)
#define _mm_store_ss(to, a) (*(to) = wasm_f32x4_extract_lane(a, 0))
#define _mm_set1_ps(number) wasm_f32x4_splat(number)
#define _mm_setzero_ps() wasm_f32x4_splat(0.0f)
#define _mm_add_ps(a, b) wasm_f32x4_add(a, b)
#define _mm_sub_ps(a, b) wasm_f32x4_sub(a, b)
#define _mm_mul_ps(a, b) wasm_f32x4_mul(a, b)
#define _mm_div_ps(a, b) wasm_f32x4_div(a, b)
#define _mm_min_ps(a, b) wasm_f32x4_pmin(b, a) /* which is b if they are not ordered */
#define _mm_cmplt_ps(a, b) wasm_f32x4_lt(a, b)
#define _mm_and_ps(a, b) wasm_v128_and(a, b)
#define _mm_andnot_ps(a, b) wasm_v128_andnot(b, a)
#define _mm_or_ps(a, b) wasm_v128_or(a, b)
#define _mm_cvttps_epi32(a) wasm_i32x4_trunc_sat_f32x4(a)
#define _mm_cvtepi32_ps(a) wasm_f32x4_convert_i32x4(a)
#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _mm_shuffle_ps(a, b, lanes)                                                                \
    wasm_i32x4_shuffle(a, b, (lanes) & 3, (lanes) >> 2 & 3, 4 + ((lanes) >> 4 & 3),                \
                       4 + ((lanes) >> 6 & 3))
#define _mm_malloc(size, alignment)                                                                \
    aligned_alloc(alignment, ((size) + (alignment) - 1) / (alignment) * (alignment))
#define _mm_free(memory) free(memory)
#endif
