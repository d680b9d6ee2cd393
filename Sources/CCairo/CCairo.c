#include "CCairo.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static CCairo functions;
static const CCairo *loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Returns whether the set of fonts of this machine is not empty.
static bool has_fonts(void) {
    void *fontconfig = dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!fontconfig) return false;
    // The set begins with the number of fonts; the fonts of the system have the number 0.
    int *(*fonts)(void *, int) = (int *(*)(void *, int))dlsym(fontconfig, "FcConfigGetFonts");
    const int *set = fonts ? fonts(NULL, 0) : NULL;
    return set && *set > 0;
}

static void load(void) {
    static const char *const names[] = {
        "libcairo.so.2", "libpango-1.0.so.0", "libpangocairo-1.0.so.0", "libgobject-2.0.so.0",
    };
    enum { count = sizeof names / sizeof *names };
    void *handles[count];
    for (int index = 0; index < count; index++) {
        handles[index] = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (!handles[index]) return;
    }
#define CCAIRO_LOAD(result, name, parameters) \
    { \
        void *symbol = NULL; \
        for (int index = 0; index < count && !symbol; index++) symbol = dlsym(handles[index], #name); \
        if (!symbol) return; \
        functions.name = (result (*) parameters)symbol; \
    }
    CCAIRO_FUNCTIONS(CCAIRO_LOAD)
    if (has_fonts()) loaded = &functions;
}

const CCairo *_Nullable ccairo_functions(void) {
    pthread_once(&once, load);
    return loaded;
}
