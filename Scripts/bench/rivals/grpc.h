// What both programs of gRPC share: TLS with one certificate, and its client.
#pragma once
#include <grpcpp/grpcpp.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "measuring.h"
#include "question.grpc.pb.h"

using bench::Question;
using bench::Questions;

static std::string certificate() {
    std::ostringstream text;
    text << std::ifstream(option("--pem", "")).rdbuf();
    return text.str();
}

static std::shared_ptr<grpc::ServerCredentials> server_security() {
    grpc::SslServerCredentialsOptions security;
    security.pem_key_cert_pairs.push_back({certificate(), certificate()});
    return grpc::SslServerCredentials(security);
}

static std::unique_ptr<Questions::Stub> client() {
    grpc::SslCredentialsOptions security;
    security.pem_root_certs = certificate();
    grpc::ChannelArguments settings;
    settings.SetSslTargetNameOverride("bench");
    return Questions::NewStub(grpc::CreateCustomChannel(option("--to", ""), grpc::SslCredentials(security), settings));
}
