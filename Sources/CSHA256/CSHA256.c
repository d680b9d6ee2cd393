#include "CSHA256.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/// FIPS 180-4, section 4.2.2.
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/// FIPS 180-4, section 5.3.3.
static const uint32_t initial_state[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

#define ROTATED(x, count) ((x) >> (count) | (x) << (32 - (count)))

#define LANES 8
#define TARGET "avx2"
#define NAMED(name) name##_8
#define LOW_1 0, 8, 2, 10, 4, 12, 6, 14
#define HIGH_1 1, 9, 3, 11, 5, 13, 7, 15
#define LOW_2 0, 1, 8, 9, 4, 5, 12, 13
#define HIGH_2 2, 3, 10, 11, 6, 7, 14, 15
#define LOW_4 0, 1, 2, 3, 8, 9, 10, 11
#define HIGH_4 4, 5, 6, 7, 12, 13, 14, 15
#define BIG_ENDIAN_WORDS \
    3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28
#include "lanes.h"

#define LANES 16
#define TARGET "avx512f,avx512bw"
#define NAMED(name) name##_16
#define LOW_1 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define HIGH_1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define LOW_2 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define HIGH_2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LOW_4 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define HIGH_4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LOW_8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH_8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define BIG_ENDIAN_WORDS                                                                                              \
    3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, \
        28, 35, 34, 33, 32, 39, 38, 37, 36, 43, 42, 41, 40, 47, 46, 45, 44, 51, 50, 49, 48, 55, 54, 53, 52, 59, 58,   \
        57, 56, 63, 62, 61, 60
#include "lanes.h"

bool csha256_has_lanes(size_t lanes) {
    switch (lanes) {
    case 8: return __builtin_cpu_supports("avx2");
    case 16: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    default: return false;
    }
}

bool csha256_has_single(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1;
}

void csha256_hash(size_t lanes, const void *const *messages, size_t count, size_t length, void *digests) {
    if (lanes == 16) {
        hash_16(messages, count, length, digests);
    } else {
        hash_8(messages, count, length, digests);
    }
}

#else

bool csha256_has_lanes(size_t lanes) {
    (void)lanes;
    return false;
}

bool csha256_has_single(void) { return false; }

void csha256_hash(size_t lanes, const void *const *messages, size_t count, size_t length, void *digests) {
    (void)lanes, (void)messages, (void)count, (void)length, (void)digests;
}

#endif
