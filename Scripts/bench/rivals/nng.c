// nng over TLS: PUSH and PULL. Each message is sent by itself.
//
//   nng messages listen|connect --pem FILE [--to HOST:PORT] [--length N] [--warm S] [--seconds S]
#include <nng/nng.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>
#include <nng/supplemental/tls/tls.h>

#include "measuring.h"

static void check(int error) {
    if (error) fail(nng_strerror(error));
}

static void count_messages(size_t length) {
    nng_socket socket;
    nng_listener listener;
    nng_tls_config *tls;
    int port = 0;
    check(nng_pull0_open(&socket));
    check(nng_listener_create(&listener, socket, "tls+tcp://127.0.0.1:0"));
    check(nng_tls_config_alloc(&tls, NNG_TLS_MODE_SERVER));
    check(nng_tls_config_cert_key_file(tls, option("--pem", ""), NULL));
    check(nng_listener_set_ptr(listener, NNG_OPT_TLS_CONFIG, tls));
    check(nng_listener_start(listener, 0));
    check(nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port));
    write_listening(port, "");
    struct meter meter = {0};
    for (uint64_t next = 0;; next++) {
        nng_msg *message;
        check(nng_recvmsg(socket, &message, 0));
        if (nng_msg_len(message) != length || memcmp(nng_msg_body(message), &next, sizeof next)) fail("out of order");
        nng_msg_free(message);
        if (came(&meter)) return;
    }
}

static void send_messages(size_t length) {
    nng_socket socket;
    nng_dialer dialer;
    nng_tls_config *tls;
    char address[256];
    check(nng_push0_open(&socket));
    check(nng_socket_set_int(socket, NNG_OPT_SENDBUF, 1024));
    snprintf(address, sizeof address, "tls+tcp://%s", option("--to", ""));
    check(nng_dialer_create(&dialer, socket, address));
    check(nng_tls_config_alloc(&tls, NNG_TLS_MODE_CLIENT));
    check(nng_tls_config_auth_mode(tls, NNG_TLS_AUTH_MODE_NONE));
    check(nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, tls));
    check(nng_dialer_start(dialer, 0));
    for (uint64_t next = 0;; next++) {
        nng_msg *message;
        check(nng_msg_alloc(&message, length));
        memset(nng_msg_body(message), 0, length);
        memcpy(nng_msg_body(message), &next, sizeof next);
        check(nng_sendmsg(socket, message, 0));
    }
}

int main(int count, char **words) {
    argument_count = count, arguments = words;
    if (count < 3) fail("usage: nng messages listen|connect --pem FILE [OPTION VALUE...]");
    size_t length = number("--length", 64);
    if (!strcmp(words[2], "listen")) count_messages(length);
    else send_messages(length);
    _Exit(0);
}
