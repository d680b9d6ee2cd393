/* The lowest cost of a transfer that verifies every chunk: no protocol, no database, no questions.
 *
 *   bare digests FILE LIST                                   writes the SHA-256 of each chunk of 16 KiB
 *   bare receive PORT FILE LIST [--tls PEM] [--keepers N]    receives a file over loopback and verifies it
 *   bare send PORT FILE [--tls]                              sends a file
 *
 * The receiver reads pieces of 512 KiB, compares the digest of every chunk with the list, and writes the piece. With
 * --keepers, other threads (8 at most) verify and write while the next pieces are read. At the end the receiver syncs the
 * file. The sender uses sendfile(2), or with TLS 1.3 reads and encrypts. TLS and SHA-256 are those of hikeshare, so only
 * the rest of the program makes a difference. */
#define _GNU_SOURCE
#include <CNIOBoringSSL_sha.h>
#include <CNIOBoringSSL_ssl.h>
#include <CSHA256.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 16 << 10, BLOCK = 128 << 10, PIECE = 512 << 10, PIECES = 4, MOST_KEEPERS = 8, DIGEST = 32 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int check(int result, const char *what) {
    if (result < 0) fail(what);
    return result;
}

/* The receiver: a ring of pieces between the thread that reads and the threads that verify and write. */
static struct {
    unsigned char *piece[PIECES];
    size_t count[PIECES];
    int full[PIECES];
    /* The number of pieces that were read, and of those that a thread has taken to verify. */
    long filled, taken;
    int file, ended;
    const unsigned char *digests;
    size_t chunks;
    off_t written;
    /* Only one thread writes at a time. Others would spin in the kernel, which locks the file. */
    pthread_mutex_t lock, writing;
    pthread_cond_t changed;
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .writing = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* The digests of the chunks in a piece, as many at once as in hikeshare. */
static void hash_piece(const unsigned char *data, size_t count, unsigned char (*digests)[DIGEST]) {
    size_t lanes = csha256_has_lanes(16) ? 16 : csha256_has_lanes(8) && !csha256_has_single() ? 8 : 0, chunk = 0;
    for (; lanes && count / CHUNK - chunk >= lanes; chunk += lanes) {
        const void *chunks[16];
        for (size_t lane = 0; lane < lanes; lane++) chunks[lane] = data + (chunk + lane) * CHUNK;
        csha256_hash(lanes, chunks, lanes, CHUNK, digests[chunk]);
    }
    for (size_t start; (start = chunk * CHUNK) < count; chunk++)
        SHA256(data + start, count - start < CHUNK ? count - start : CHUNK, digests[chunk]);
}

static void keep(long number) {
    const unsigned char *data = ring.piece[number % PIECES];
    size_t count = ring.count[number % PIECES];
    off_t offset = (off_t)number * PIECE;
    unsigned char digests[PIECE / CHUNK][DIGEST];
    hash_piece(data, count, digests);
    size_t first = offset / CHUNK, chunks = (count + CHUNK - 1) / CHUNK;
    for (size_t chunk = 0; chunk < chunks; chunk++)
        if (first + chunk >= ring.chunks || memcmp(digests[chunk], ring.digests + (first + chunk) * DIGEST, DIGEST)) {
            fprintf(stderr, "chunk %zu is not what it must be\n", first + chunk);
            exit(1);
        }
    pthread_mutex_lock(&ring.writing);
    for (size_t done = 0; done < count;) {
        ssize_t now = pwrite(ring.file, data + done, count - done, offset + done);
        done += check(now, "write");
    }
    ring.written += count;
    pthread_mutex_unlock(&ring.writing);
}

static void *keep_all(void *unused) {
    pthread_mutex_lock(&ring.lock);
    for (;;) {
        while (ring.filled == ring.taken && !ring.ended) pthread_cond_wait(&ring.changed, &ring.lock);
        if (ring.filled == ring.taken) break;
        long number = ring.taken++;
        pthread_mutex_unlock(&ring.lock);
        keep(number);
        pthread_mutex_lock(&ring.lock);
        ring.full[number % PIECES] = 0;
        pthread_cond_broadcast(&ring.changed);
    }
    pthread_mutex_unlock(&ring.lock);
    return unused;
}

/* Between TLS and the socket: one system call for many records. */
struct transport {
    int connection;
    size_t start, end, count;
    char in[BLOCK], out[BLOCK + (20 << 10)];
};

static int transport_read(BIO *bio, char *data, int count) {
    struct transport *transport = BIO_get_data(bio);
    if (transport->start == transport->end) {
        transport->start = 0;
        transport->end = check(recv(transport->connection, transport->in, sizeof transport->in, 0), "read");
    }
    size_t now = transport->end - transport->start;
    if (now > (size_t)count) now = count;
    memcpy(data, transport->in + transport->start, now);
    transport->start += now;
    return now;
}

static void transport_flush(struct transport *transport) {
    for (size_t done = 0; done < transport->count;)
        done += check(send(transport->connection, transport->out + done, transport->count - done, 0), "write");
    transport->count = 0;
}

static int transport_write(BIO *bio, const char *data, int count) {
    struct transport *transport = BIO_get_data(bio);
    if (transport->count + count > sizeof transport->out) transport_flush(transport);
    memcpy(transport->out + transport->count, data, count);
    transport->count += count;
    if (transport->count >= BLOCK) transport_flush(transport);
    return count;
}

static long transport_control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    if (command == BIO_CTRL_FLUSH) transport_flush(BIO_get_data(bio));
    return 1;
}

static SSL *secure(int connection, const SSL_METHOD *method, const char *pem) {
    SSL_CTX *context = SSL_CTX_new(method);
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    /* The sender would not read the tickets, and closing with unread data would reset the connection. */
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    if (pem && (SSL_CTX_use_certificate_file(context, pem, SSL_FILETYPE_PEM) != 1 ||
                SSL_CTX_use_PrivateKey_file(context, pem, SSL_FILETYPE_PEM) != 1))
        fail(pem);
    BIO_METHOD *kind = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "transport");
    BIO_meth_set_read(kind, transport_read);
    BIO_meth_set_write(kind, transport_write);
    BIO_meth_set_ctrl(kind, transport_control);
    BIO *bio = BIO_new(kind);
    struct transport *transport = calloc(1, sizeof *transport);
    transport->connection = connection;
    BIO_set_data(bio, transport);
    BIO_set_init(bio, 1);
    SSL *tls = SSL_new(context);
    SSL_set_bio(tls, bio, bio);
    if ((pem ? SSL_accept(tls) : SSL_connect(tls)) != 1) fail("TLS");
    /* The cipher that the two sides of hikeshare agree on. */
    if (strcmp(SSL_CIPHER_standard_name(SSL_get_current_cipher(tls)), "TLS_AES_128_GCM_SHA256")) fail("cipher");
    return tls;
}

static size_t fill(int connection, SSL *tls, unsigned char *piece) {
    size_t count = 0;
    while (count < PIECE) {
        ssize_t now = tls ? SSL_read(tls, piece + count, PIECE - count)
                          : check(recv(connection, piece + count, PIECE - count, 0), "read");
        if (tls && now <= 0 && SSL_get_error(tls, now) != SSL_ERROR_ZERO_RETURN) fail("TLS");
        if (now <= 0) break;
        count += now;
    }
    return count;
}

/* Processors copy much more slowly if the target lies a few bytes further into its page of 4 KiB than the source. The kernel
 * copies from the start of a page, and malloc returns addresses 16 bytes after it. */
static unsigned char *make_piece(void) {
    unsigned char *piece = aligned_alloc(4096, PIECE + 4096);
    if (!piece) fail("memory");
    return piece + 64;
}

static struct sockaddr_in address(const char *port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void receive(const char *port, const char *path, const char *list, const char *pem, int keepers) {
    int file = check(open(list, O_RDONLY), list);
    struct stat status;
    check(fstat(file, &status), list);
    unsigned char *digests = malloc(status.st_size + 1);
    if (read(file, digests, status.st_size) != status.st_size) fail(list);
    ring.digests = digests, ring.chunks = status.st_size / DIGEST;
    ring.file = check(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), path);
    for (int slot = 0; slot < PIECES; slot++) ring.piece[slot] = make_piece();

    int listener = check(socket(AF_INET, SOCK_STREAM, 0), "socket");
    struct sockaddr_in here = address(port);
    check(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)), "socket");
    check(bind(listener, (struct sockaddr *)&here, sizeof here), "bind");
    check(listen(listener, 1), "listen");
    int connection = check(accept(listener, NULL, NULL), "accept");
    SSL *tls = pem ? secure(connection, TLS_server_method(), pem) : NULL;

    pthread_t keeper[MOST_KEEPERS];
    for (int index = 0; index < keepers; index++)
        if (pthread_create(&keeper[index], NULL, keep_all, NULL)) fail("thread");
    for (size_t count = PIECE; count == PIECE;) {
        int slot = ring.filled % PIECES;
        pthread_mutex_lock(&ring.lock);
        while (ring.full[slot]) pthread_cond_wait(&ring.changed, &ring.lock);
        pthread_mutex_unlock(&ring.lock);
        count = fill(connection, tls, ring.piece[slot]);
        pthread_mutex_lock(&ring.lock);
        ring.count[slot] = count;
        ring.full[slot] = keepers > 0;
        ring.filled += count > 0;
        ring.ended = count < PIECE;
        pthread_cond_broadcast(&ring.changed);
        pthread_mutex_unlock(&ring.lock);
        if (keepers == 0 && count) keep(ring.filled - 1);
    }
    for (int index = 0; index < keepers; index++) pthread_join(keeper[index], NULL);
    check(fsync(ring.file), "sync");
    if ((size_t)((ring.written + CHUNK - 1) / CHUNK) != ring.chunks) {
        fprintf(stderr, "only %jd bytes came\n", (intmax_t)ring.written);
        exit(1);
    }
}

static void send_file(const char *port, const char *path, int encrypted) {
    int file = check(open(path, O_RDONLY), path), connection = check(socket(AF_INET, SOCK_STREAM, 0), "socket");
    struct sockaddr_in there = address(port);
    check(connect(connection, (struct sockaddr *)&there, sizeof there), "connect");
    if (!encrypted) {
        while (check(sendfile(connection, file, NULL, 1 << 20), "sendfile") > 0) {}
        close(connection);
        return;
    }
    SSL *tls = secure(connection, TLS_client_method(), NULL);
    unsigned char *piece = make_piece();
    for (int count; (count = check(read(file, piece, PIECE), "read")) > 0;)
        if (SSL_write(tls, piece, count) != count) fail("TLS");
    SSL_shutdown(tls);
    BIO_flush(SSL_get_wbio(tls));
    close(connection);
}

static void write_digests(const char *path, const char *list) {
    int file = check(open(path, O_RDONLY), path);
    FILE *digests = fopen(list, "w");
    if (!digests) fail(list);
    static unsigned char chunk[CHUNK], digest[DIGEST];
    for (int count; (count = check(read(file, chunk, CHUNK), "read")) > 0;)
        fwrite(SHA256(chunk, count, digest), 1, DIGEST, digests);
    if (fclose(digests)) fail(list);
}

int main(int count, char **words) {
    const char *pem = NULL;
    int keepers = 0, encrypted = 0;
    for (int index = 3; index < count; index++) {
        if (!strcmp(words[index], "--keepers") && index + 1 < count) keepers = atoi(words[index + 1]);
        if (!strcmp(words[index], "--tls")) encrypted = 1, pem = index + 1 < count ? words[index + 1] : NULL;
    }
    if (keepers < 0 || keepers > MOST_KEEPERS) keepers = MOST_KEEPERS;
    if (count == 4 && !strcmp(words[1], "digests")) write_digests(words[2], words[3]);
    else if (count >= 5 && !strcmp(words[1], "receive")) receive(words[2], words[3], words[4], pem, keepers);
    else if (count >= 4 && !strcmp(words[1], "send")) send_file(words[2], words[3], encrypted);
    else {
        fprintf(stderr, "usage: bare digests FILE LIST | receive PORT FILE LIST [--tls PEM] [--keepers N] |"
                        " send PORT FILE [--tls]\n");
        return 64;
    }
    return 0;
}
