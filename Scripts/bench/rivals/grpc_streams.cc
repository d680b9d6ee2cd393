// Streams of gRPC with TLS: messages in one direction, without answers. The side that reads counts them.
//
//   grpc_streams take|give listen --pem FILE [--length N] [--warm S] [--seconds S]
//   grpc_streams take|give connect --pem FILE --to HOST:PORT [--length N] [--warm S] [--seconds S]
//
// `take`: the client sends. `give`: the server sends.
#include "grpc.h"

// Each message has the length that is asked for, and begins with its number.
static std::string first(size_t length) { return std::string(length < 8 ? 8 : length, 0); }

template <class Writer>
static void send_all(Writer *writer, size_t length) {
    Question message;
    message.set_text(first(length));
    for (uint64_t next = 0;; next++) {
        memcpy(&(*message.mutable_text())[0], &next, sizeof next);
        if (!writer->Write(message)) return;
    }
}

template <class Reader>
static void count_all(Reader *reader) {
    Question message;
    struct meter meter = {};
    size_t length = number("--length", 64);
    for (uint64_t next = 0; reader->Read(&message); next++) {
        if (message.text().size() != length || memcmp(message.text().data(), &next, sizeof next)) fail("out of order");
        if (came(&meter)) _Exit(0);
    }
    fail("the stream has ended");
}

class Service final : public Questions::Service {
    grpc::Status Take(grpc::ServerContext *, grpc::ServerReader<Question> *reader, Question *) override {
        count_all(reader);
        return grpc::Status::OK;
    }

    grpc::Status Give(grpc::ServerContext *, const Question *asked, grpc::ServerWriter<Question> *writer) override {
        send_all(writer, asked->text().size());
        return grpc::Status::OK;
    }
};

static void listen() {
    Service service;
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", server_security(), &port);
    builder.RegisterService(&service);
    auto server = builder.BuildAndStart();
    if (!server) fail("cannot listen");
    write_listening(port, "");
    server->Wait();
}

static void connect(bool sends) {
    auto stub = client();
    grpc::ClientContext context;
    Question question;
    size_t length = number("--length", 64);
    if (sends) {
        auto writer = stub->Take(&context, &question);
        send_all(writer.get(), length);
    } else {
        question.set_text(first(length));
        auto reader = stub->Give(&context, question);
        count_all(reader.get());
    }
}

int main(int count, char **words) {
    argument_count = count, arguments = words;
    if (count < 3) fail("usage: grpc_streams take|give listen|connect --pem FILE [OPTION VALUE...]");
    bool sends = !strcmp(words[1], "take");
    if (!strcmp(words[2], "listen")) listen();
    else connect(sends);
    _Exit(0);
}
