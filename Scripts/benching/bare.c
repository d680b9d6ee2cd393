/* The least that a transfer costs in which every chunk is verified: no protocol, no database, no questions.
 *
 *   bare digests FILE LIST                                   writes the SHA-256 of each chunk of 16 KiB
 *   bare receive PORT FILE LIST [--tls PEM] [--threads]      takes one file on loopback and verifies it
 *   bare send PORT FILE [--tls]                              sends it
 *
 * The receiver reads pieces of 512 KiB, compares the digest of every chunk with the list and writes the piece; with
 * --threads a thread of its own verifies and writes while the next piece is read. The sender uses sendfile(2), or with
 * TLS 1.3 reads and encrypts. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 16 << 10, PIECE = 512 << 10, PIECES = 4, DIGEST = 32 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int check(int result, const char *what) {
    if (result < 0) fail(what);
    return result;
}

static EVP_MD *sha256;

static void hash(EVP_MD_CTX *context, const unsigned char *data, size_t count, unsigned char *digest) {
    if (!EVP_DigestInit_ex(context, sha256, NULL) || !EVP_DigestUpdate(context, data, count) ||
        !EVP_DigestFinal_ex(context, digest, NULL))
        fail("SHA-256");
}

/* The receiver: a ring of pieces between whoever reads and whoever verifies and writes. */
static struct {
    unsigned char *piece[PIECES];
    size_t count[PIECES];
    long filled, emptied;
    int file, ended;
    const unsigned char *digests;
    size_t chunks;
    off_t written;
    EVP_MD_CTX *context;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void keep(const unsigned char *data, size_t count) {
    for (size_t start = 0; start < count; start += CHUNK) {
        unsigned char digest[DIGEST];
        size_t chunk = (ring.written + start) / CHUNK, length = count - start < CHUNK ? count - start : CHUNK;
        hash(ring.context, data + start, length, digest);
        if (chunk >= ring.chunks || memcmp(digest, ring.digests + chunk * DIGEST, DIGEST)) {
            fprintf(stderr, "chunk %zu is not what it must be\n", chunk);
            exit(1);
        }
    }
    for (size_t done = 0; done < count;) {
        ssize_t now = pwrite(ring.file, data + done, count - done, ring.written + done);
        done += check(now, "write");
    }
    ring.written += count;
}

static void *keep_all(void *unused) {
    for (;;) {
        pthread_mutex_lock(&ring.lock);
        while (ring.filled == ring.emptied && !ring.ended) pthread_cond_wait(&ring.changed, &ring.lock);
        int done = ring.filled == ring.emptied;
        pthread_mutex_unlock(&ring.lock);
        if (done) return NULL;
        int slot = ring.emptied % PIECES;
        keep(ring.piece[slot], ring.count[slot]);
        pthread_mutex_lock(&ring.lock);
        ring.emptied++;
        pthread_cond_signal(&ring.changed);
        pthread_mutex_unlock(&ring.lock);
    }
}

static size_t fill(int connection, SSL *tls, unsigned char *piece) {
    size_t count = 0;
    while (count < PIECE) {
        ssize_t now;
        if (tls) {
            size_t got;
            int result = SSL_read_ex(tls, piece + count, PIECE - count, &got);
            if (!result && SSL_get_error(tls, result) != SSL_ERROR_ZERO_RETURN) fail("TLS");
            now = result ? (ssize_t)got : 0;
        } else {
            now = check(recv(connection, piece + count, PIECE - count, 0), "read");
        }
        if (now == 0) break;
        count += now;
    }
    return count;
}

static SSL *secure(int connection, const SSL_METHOD *method, const char *pem) {
    SSL_CTX *context = SSL_CTX_new(method);
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    /* What hikeshare's two sides agree on. */
    SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256");
    /* Whoever only sends would not read them, and closing would break the connection off. */
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, PIECE);
    if (pem && (SSL_CTX_use_certificate_file(context, pem, SSL_FILETYPE_PEM) != 1 ||
                SSL_CTX_use_PrivateKey_file(context, pem, SSL_FILETYPE_PEM) != 1))
        fail(pem);
    SSL *tls = SSL_new(context);
    SSL_set_fd(tls, connection);
    if ((pem ? SSL_accept(tls) : SSL_connect(tls)) != 1) fail("TLS");
    return tls;
}

static struct sockaddr_in address(const char *port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void receive(const char *port, const char *path, const char *list, const char *pem, int threads) {
    int file = check(open(list, O_RDONLY), list);
    struct stat status;
    check(fstat(file, &status), list);
    unsigned char *digests = malloc(status.st_size + 1);
    if (read(file, digests, status.st_size) != status.st_size) fail(list);
    ring.digests = digests, ring.chunks = status.st_size / DIGEST, ring.context = EVP_MD_CTX_new();
    ring.file = check(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), path);
    for (int slot = 0; slot < PIECES; slot++) ring.piece[slot] = malloc(PIECE);

    int listener = check(socket(AF_INET, SOCK_STREAM, 0), "socket");
    struct sockaddr_in here = address(port);
    check(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)), "socket");
    check(bind(listener, (struct sockaddr *)&here, sizeof here), "bind");
    check(listen(listener, 1), "listen");
    int connection = check(accept(listener, NULL, NULL), "accept");
    SSL *tls = pem ? secure(connection, TLS_server_method(), pem) : NULL;

    pthread_t keeper;
    if (threads && pthread_create(&keeper, NULL, keep_all, NULL)) fail("thread");
    for (;;) {
        if (threads) {
            pthread_mutex_lock(&ring.lock);
            while (ring.filled - ring.emptied == PIECES) pthread_cond_wait(&ring.changed, &ring.lock);
            pthread_mutex_unlock(&ring.lock);
        }
        int slot = ring.filled % PIECES;
        size_t count = fill(connection, tls, ring.piece[slot]);
        if (!threads) keep(ring.piece[0], count);
        else {
            pthread_mutex_lock(&ring.lock);
            ring.count[slot] = count;
            if (count) ring.filled++;
            ring.ended = count < PIECE;
            pthread_cond_signal(&ring.changed);
            pthread_mutex_unlock(&ring.lock);
        }
        if (count < PIECE) break;
    }
    if (threads) pthread_join(keeper, NULL);
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
    unsigned char *piece = malloc(PIECE);
    for (int count; (count = check(read(file, piece, PIECE), "read")) > 0;)
        if (SSL_write(tls, piece, count) != count) fail("TLS");
    SSL_shutdown(tls);
    close(connection);
}

static void write_digests(const char *path, const char *list) {
    int file = check(open(path, O_RDONLY), path);
    FILE *digests = fopen(list, "w");
    if (!digests) fail(list);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    static unsigned char chunk[CHUNK], digest[DIGEST];
    for (int count; (count = check(read(file, chunk, CHUNK), "read")) > 0;) {
        hash(context, chunk, count, digest);
        fwrite(digest, 1, DIGEST, digests);
    }
    if (fclose(digests)) fail(list);
}

int main(int count, char **words) {
    const char *pem = NULL;
    int threads = 0, encrypted = 0;
    for (int index = 3; index < count; index++) {
        if (!strcmp(words[index], "--threads")) threads = 1;
        if (!strcmp(words[index], "--tls")) encrypted = 1, pem = index + 1 < count ? words[index + 1] : NULL;
    }
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (count == 4 && !strcmp(words[1], "digests")) write_digests(words[2], words[3]);
    else if (count >= 5 && !strcmp(words[1], "receive")) receive(words[2], words[3], words[4], pem, threads);
    else if (count >= 4 && !strcmp(words[1], "send")) send_file(words[2], words[3], encrypted);
    else {
        fprintf(stderr, "usage: bare digests FILE LIST | receive PORT FILE LIST [--tls PEM] [--threads] |"
                        " send PORT FILE [--tls]\n");
        return 64;
    }
    return 0;
}
