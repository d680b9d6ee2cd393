// SHA-256 (FIPS 180-4) of LANES messages at once; included once for each number of lanes.
//
// Lane i of every vector belongs to message i. The vectors are the compiler's own (gcc 12 and clang know them), so that it
// chooses the instructions; it finds those that rotate, and those that join three words in one.

typedef uint32_t NAMED(words) __attribute__((vector_size(LANES * 4)));
typedef uint32_t NAMED(unaligned_words) __attribute__((vector_size(LANES * 4), aligned(1), may_alias));
typedef uint8_t NAMED(bytes) __attribute__((vector_size(LANES * 4)));

#define WORDS NAMED(words)
#define INLINE static inline __attribute__((always_inline, target(TARGET)))

/// Turns rows into columns: word j of vector i becomes word i of vector j.
INLINE void NAMED(transpose)(WORDS *rows) {
    WORDS next[LANES];
    // Exchanges blocks of 1, 2, 4 ... words across the diagonal.
#define EXCHANGE(from, to, step)                                                              \
    for (size_t i = 0; i < LANES; i += 2 * step)                                              \
        for (size_t j = i; j < i + step; j++) {                                               \
            to[j] = __builtin_shufflevector(from[j], from[j + step], LOW_##step);             \
            to[j + step] = __builtin_shufflevector(from[j], from[j + step], HIGH_##step);     \
        }
    EXCHANGE(rows, next, 1)
    EXCHANGE(next, rows, 2)
    EXCHANGE(rows, next, 4)
#if LANES == 16
    EXCHANGE(next, rows, 8)
#else
    for (size_t i = 0; i < LANES; i++) rows[i] = next[i];
#endif
#undef EXCHANGE
}

/// Adds the block of each message that begins at an offset, 64 bytes, to its state.
INLINE void NAMED(compress)(WORDS *state, const uint8_t *const *messages, size_t offset) {
    WORDS w[16];
    for (size_t half = 0; half < 16; half += LANES) {
        for (size_t i = 0; i < LANES; i++)
            w[half + i] = *(const NAMED(unaligned_words) *)(messages[i] + offset + half * 4);
        NAMED(transpose)(w + half);
    }
    for (size_t i = 0; i < 16; i++)
        w[i] = (WORDS)__builtin_shufflevector((NAMED(bytes))w[i], (NAMED(bytes))w[i], BIG_ENDIAN_WORDS);

    WORDS a = state[0], b = state[1], c = state[2], d = state[3];
    WORDS e = state[4], f = state[5], g = state[6], h = state[7];

    // Each round waits for the one before. What needs neither its `a` nor its `e` is added up first, so that from one `e`
    // to the next there are only a rotation, an exclusive or and two additions.
#define ROUND(i, a, b, c, d, e, f, g, h)                                                                            \
    {                                                                                                               \
        WORDS known = h + (w[(i) & 15] + round_constants[i]);                                                       \
        if ((i) < 48) {                                                                                             \
            WORDS x = w[((i) + 1) & 15], y = w[((i) + 14) & 15];                                                    \
            w[(i) & 15] += (ROTATED(x, 7) ^ ROTATED(x, 18) ^ (x >> 3)) + w[((i) + 9) & 15]                          \
                + (ROTATED(y, 17) ^ ROTATED(y, 19) ^ (y >> 10));                                                    \
        }                                                                                                           \
        WORDS change = (ROTATED(e, 6) ^ ROTATED(e, 11) ^ ROTATED(e, 25)) + ((e & f) ^ (~e & g));                    \
        WORDS rest = (ROTATED(a, 2) ^ ROTATED(a, 13) ^ ROTATED(a, 22)) + ((a & b) | ((a | b) & c)) + known;         \
        WORDS next = d + known;                                                                                     \
        d = next + change;                                                                                          \
        h = rest + change;                                                                                          \
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < 64; i += 8) {
        ROUND(i, a, b, c, d, e, f, g, h)
        ROUND(i + 1, h, a, b, c, d, e, f, g)
        ROUND(i + 2, g, h, a, b, c, d, e, f)
        ROUND(i + 3, f, g, h, a, b, c, d, e)
        ROUND(i + 4, e, f, g, h, a, b, c, d)
        ROUND(i + 5, d, e, f, g, h, a, b, c)
        ROUND(i + 6, c, d, e, f, g, h, a, b)
        ROUND(i + 7, b, c, d, e, f, g, h, a)
    }
#undef ROUND

    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

__attribute__((target(TARGET))) static void NAMED(hash)(
    const void *const *messages, size_t count, size_t length, uint8_t *digests
) {
    // The rest of each message, a bit, zeros and its length in bits: one block more, or two.
    size_t whole = length / 64 * 64, rest = length - whole, end = rest < 56 ? 64 : 128;
    uint8_t ends[LANES][128] = {{0}};
    const uint8_t *bodies[LANES], *tails[LANES];
    for (size_t i = 0; i < LANES; i++) {
        // In a lane without a message the first one is hashed again.
        bodies[i] = messages[i < count ? i : 0];
        tails[i] = memcpy(ends[i], bodies[i] + whole, rest);
        ends[i][rest] = 0x80;
        for (size_t j = 0; j < 8; j++) ends[i][end - 1 - j] = (uint8_t)((uint64_t)length * 8 >> 8 * j);
    }

    WORDS state[8];
    for (size_t i = 0; i < 8; i++) state[i] = (WORDS){0} + initial_state[i];
    const uint8_t *const *parts = bodies;
    for (size_t block = 0, offset = 0; block < (whole + end) / 64; block++, offset += 64) {
        if (block == whole / 64) parts = tails, offset = 0;
        NAMED(compress)(state, parts, offset);
    }

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 8; j++) {
            uint32_t word = __builtin_bswap32(state[j][i]);
            memcpy(digests + 32 * i + 4 * j, &word, 4);
        }
}

#undef WORDS
#undef INLINE
#undef LOW_1
#undef HIGH_1
#undef LOW_2
#undef HIGH_2
#undef LOW_4
#undef HIGH_4
#undef LOW_8
#undef HIGH_8
#undef BIG_ENDIAN_WORDS
#undef NAMED
#undef TARGET
#undef LANES
