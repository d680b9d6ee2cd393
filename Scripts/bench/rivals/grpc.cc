// gRPC with TLS: one request after the other, or so many at once.
//
//   grpc listen --pem FILE | grpc connect --pem FILE --to HOST:PORT [--outstanding N] [--warm S] [--seconds S]
#include "grpc.h"

// A request here: asked for, answered, over.
struct Call {
    grpc::ServerContext context;
    Question question;
    grpc::ServerAsyncResponseWriter<Question> writer{&context};
    bool answered = false;
};

static void listen() {
    Questions::AsyncService service;
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", server_security(), &port);
    builder.RegisterService(&service);
    auto queue = builder.AddCompletionQueue();
    auto server = builder.BuildAndStart();
    if (!server) fail("cannot listen");
    auto wait = [&] {
        Call *call = new Call;
        service.RequestAsk(&call->context, &call->question, &call->writer, queue.get(), queue.get(), call);
    };
    for (int index = 0; index < 128; index++) wait();
    write_listening(port, "");
    void *tag;
    bool good;
    while (queue->Next(&tag, &good)) {
        Call *call = static_cast<Call *>(tag);
        if (!good || call->answered) {
            delete call;
            continue;
        }
        wait();
        call->answered = true;
        call->writer.Finish(call->question, grpc::Status::OK, call);
    }
}

// A request of this side.
struct Asked {
    grpc::ClientContext context;
    Question answer;
    grpc::Status status;
    uint64_t sent;
    std::unique_ptr<grpc::ClientAsyncResponseReader<Question>> reader;
};

static void connect() {
    auto stub = client();
    Question question;
    question.set_text(std::string(62, 'x'));  // 64 bytes with the field's number and length
    double seconds = number("--seconds", 2);
    uint64_t warm = nanoseconds() + number("--warm", 0.5) * 1e9, end = warm + seconds * 1e9;
    grpc::CompletionQueue queue;
    auto ask = [&] {
        Asked *asked = new Asked;
        asked->sent = nanoseconds();
        asked->reader = stub->AsyncAsk(&asked->context, question, &queue);
        asked->reader->Finish(&asked->answer, &asked->status, asked);
    };
    for (int index = 0; index < number("--outstanding", 1); index++) ask();
    for (uint64_t now = 0; now < end;) {
        void *tag;
        bool good;
        if (!queue.Next(&tag, &good)) fail("the queue has ended");
        std::unique_ptr<Asked> asked(static_cast<Asked *>(tag));
        if (!asked->status.ok()) fail(asked->status.error_message().c_str());
        if (asked->answer.text() != question.text()) fail("the answer is not what was asked");
        now = nanoseconds();
        if (asked->sent >= warm && now < end) add_time(now - asked->sent);
        if (now < end) ask();
    }
    write_times(seconds);
}

int main(int count, char **words) {
    argument_count = count, arguments = words;
    if (count < 2) fail("usage: grpc listen|connect --pem FILE [OPTION VALUE...]");
    if (!strcmp(words[1], "listen")) listen();
    else connect();
    _Exit(0);
}
