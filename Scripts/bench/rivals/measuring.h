// What the programs of the group `sessions` share: options, the clock, counting, percentiles, lines of JSON.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int argument_count;
static char **arguments;

// The text after an option.
static const char *option(const char *name, const char *standard) {
    for (int index = 1; index + 1 < argument_count; index++)
        if (!strcmp(arguments[index], name)) return arguments[index + 1];
    return standard;
}

static inline double number(const char *name, double standard) {
    const char *text = option(name, NULL);
    return text ? atof(text) : standard;
}

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static uint64_t nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Counts what comes, after a time that does not count; looks at the clock after each 64th message.
struct meter {
    uint64_t first, begin, last, count, unseen;
};

// Returns whether the time is over; writes the result then.
static inline int came(struct meter *meter) {
    if (meter->begin) meter->count++;
    if (++meter->unseen < 64 && meter->first) return 0;
    meter->unseen = 0;
    uint64_t now = nanoseconds();
    if (!meter->first) meter->first = now;
    else if (!meter->begin) {
        if (now - meter->first >= number("--warm", 0.5) * 1e9) meter->begin = now;
    } else if (now - meter->begin >= number("--seconds", 2) * 1e9) {
        printf("{\"type\":\"result\",\"rate\":%f}\n", meter->count / ((now - meter->begin) / 1e9));
        fflush(stdout);
        return 1;
    }
    return 0;
}

// The times of round trips, in nanoseconds.
#define MOST_TIMES 4000000
static uint64_t *times;
static size_t time_count;

static inline void add_time(uint64_t time) {
    if (!times && !(times = (uint64_t *)malloc(MOST_TIMES * sizeof *times))) fail("no memory");
    if (time_count < MOST_TIMES) times[time_count++] = time;
}

static int compare_times(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

// Writes the percentiles in microseconds, and how many came in a second.
static inline void write_times(double seconds) {
    if (!time_count) fail("nothing was measured");
    qsort(times, time_count, sizeof *times, compare_times);
    printf("{\"type\":\"result\",\"p50\":%f,\"p99\":%f,\"highest\":%f,\"rate\":%f}\n", times[time_count / 2] / 1e3,
           times[time_count * 99 / 100] / 1e3, times[time_count - 1] / 1e3, time_count / seconds);
    fflush(stdout);
}

static inline void write_listening(int port, const char *key) {
    printf("{\"type\":\"listening\",\"port\":%d,\"key\":\"%s\"}\n", port, key);
    fflush(stdout);
}
