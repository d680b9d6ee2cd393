// ZeroMQ with CURVE, as its local_thr and local_lat: PUSH and PULL for the rate, REQ and REP for the latency.
//
//   zeromq messages|echo listen|connect [--to HOST:PORT] [--key KEY] [--length N] [--warm S] [--seconds S]
#include <zmq.h>

#include "measuring.h"

static void *context;

static void set(void *socket, int name, const void *value, size_t length) {
    if (zmq_setsockopt(socket, name, value, length)) fail(zmq_strerror(zmq_errno()));
}

static void *listening(int kind) {
    char public_key[41], secret_key[41], address[256];
    size_t length = sizeof address;
    void *socket = zmq_socket(context, kind);
    if (zmq_curve_keypair(public_key, secret_key)) fail("this ZeroMQ has no CURVE");
    set(socket, ZMQ_CURVE_SERVER, &(int){1}, sizeof(int));
    set(socket, ZMQ_CURVE_SECRETKEY, secret_key, 40);
    if (zmq_bind(socket, "tcp://127.0.0.1:*")) fail(zmq_strerror(zmq_errno()));
    zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, address, &length);
    char safe[164] = "";
    for (char *from = public_key, *to = safe; *from; from++) {
        if (*from == '"' || *from == '\\') *to++ = '\\';
        *to++ = *from;
    }
    write_listening(atoi(strrchr(address, ':') + 1), safe);
    return socket;
}

static void *connecting(int kind) {
    char public_key[41], secret_key[41], address[256];
    void *socket = zmq_socket(context, kind);
    if (zmq_curve_keypair(public_key, secret_key)) fail("this ZeroMQ has no CURVE");
    set(socket, ZMQ_CURVE_SERVERKEY, option("--key", ""), 40);
    set(socket, ZMQ_CURVE_PUBLICKEY, public_key, 40);
    set(socket, ZMQ_CURVE_SECRETKEY, secret_key, 40);
    snprintf(address, sizeof address, "tcp://%s", option("--to", ""));
    if (zmq_connect(socket, address)) fail(zmq_strerror(zmq_errno()));
    return socket;
}

static void count_messages(size_t length) {
    void *socket = listening(ZMQ_PULL);
    struct meter meter = {0};
    for (uint64_t next = 0;; next++) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        if (zmq_msg_recv(&message, socket, 0) < 0) fail(zmq_strerror(zmq_errno()));
        if (zmq_msg_size(&message) != length || memcmp(zmq_msg_data(&message), &next, sizeof next)) fail("out of order");
        zmq_msg_close(&message);
        if (came(&meter)) return;
    }
}

static void send_messages(size_t length) {
    void *socket = connecting(ZMQ_PUSH);
    for (uint64_t next = 0;; next++) {
        zmq_msg_t message;
        zmq_msg_init_size(&message, length);
        memset(zmq_msg_data(&message), 0, length);
        memcpy(zmq_msg_data(&message), &next, sizeof next);
        if (zmq_msg_send(&message, socket, 0) < 0) fail(zmq_strerror(zmq_errno()));
    }
}

static void echo(void) {
    void *socket = listening(ZMQ_REP);
    char bytes[65536];
    for (;;) {
        int length = zmq_recv(socket, bytes, sizeof bytes, 0);
        if (length < 0 || zmq_send(socket, bytes, length, 0) < 0) fail(zmq_strerror(zmq_errno()));
    }
}

static void ping(size_t length) {
    void *socket = connecting(ZMQ_REQ);
    char *bytes = calloc(1, length), *answer = calloc(1, length);
    double seconds = number("--seconds", 2);
    uint64_t warm = nanoseconds() + number("--warm", 0.5) * 1e9, end = warm + seconds * 1e9;
    for (uint64_t next = 0, now = 0; now < end; next++) {
        memcpy(bytes, &next, sizeof next);
        uint64_t sent = nanoseconds();
        if (zmq_send(socket, bytes, length, 0) < 0 || zmq_recv(socket, answer, length, 0) != (int)length)
            fail(zmq_strerror(zmq_errno()));
        if (memcmp(bytes, answer, length)) fail("the answer is not what was sent");
        now = nanoseconds();
        if (sent >= warm) add_time(now - sent);
    }
    write_times(seconds);
}

int main(int count, char **words) {
    argument_count = count, arguments = words;
    if (count < 3) fail("usage: zeromq messages|echo listen|connect [OPTION VALUE...]");
    context = zmq_ctx_new();
    int listens = !strcmp(words[2], "listen");
    size_t length = number("--length", 64);
    if (!strcmp(words[1], "messages")) listens ? count_messages(length) : send_messages(length);
    else listens ? echo() : ping(length);
    // The other side is ended by whoever has started it.
    _Exit(0);
}
