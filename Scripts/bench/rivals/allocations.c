// Counts the allocations of the program that it is loaded into with LD_PRELOAD.
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_uint_fast64_t count;

// The program looks this up by its name.
uint64_t bench_allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

static void one_more(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    one_more();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    one_more();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    one_more();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    one_more();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
