import Foundation
import Glibc
import PeerTestSupport
import Testing

@testable import WebServer

/// Encrypted connections, and the certificates of both sides.
@Suite(.timeLimit(.minutes(10))) struct SecurityTests {
    /// Runs an encrypted server, and calls `body` with its address and its certificate.
    private static func with(
        asksForCertificate: Bool = true,
        site: some WebSite,
        _ change: (inout WebServer.Configuration) -> Void = { _ in },
        _ body: @escaping @concurrent @Sendable (_ server: WebAddress, _ certificate: [UInt8]) async throws -> Void
    ) async throws {
        let identity = try Identities.new()
        try await TestServer.with(site: site) {
            $0.security = WebServerSecurity(identity, asksForCertificate: asksForCertificate)
            $0.security?.handshakeTime = .patience
            change(&$0)
        } _: { port in
            let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: true))
            try await body(server, identity.certificateBytes)
        }
    }

    private static let hello = WebClient.Content.bytes(Array("hi".utf8), type: "text/plain")

    @Test func eachSideSeesTheCertificateOfTheOther() async throws {
        let (site, own) = (RecordingSite(), try Identities.new())
        try await Self.with(site: site) { server, certificate in
            let answer = try await WebClient.post(to: server, "/", content: Self.hello, options: .init(identity: own))
            #expect(answer.status == 200 && answer.content == Array("hello".utf8))
            #expect(answer.certificate == certificate)
            #expect(site.noted.value.requests.map(\.certificate) == [own.certificateBytes])
            #expect(site.noted.value.requests.map(\.client) == ["127.0.0.1"])
        }
    }

    @Test func aClientNeedNotHaveACertificate() async throws {
        let site = RecordingSite()
        try await Self.with(site: site) { server, _ in
            let next = try await WebClient.post(to: server, "/", content: Self.hello)
            #expect(next.status == 200)
            #expect(site.noted.value.requests.map(\.certificate) == [nil])
        }
    }

    @Test func aServerThatDoesNotAskSeesNoCertificate() async throws {
        let (site, own) = (RecordingSite(), try Identities.new())
        try await Self.with(asksForCertificate: false, site: site) { server, _ in
            _ = try await WebClient.post(to: server, "/", content: Self.hello, options: .init(identity: own))
            #expect(site.noted.value.requests.map(\.certificate) == [nil])
        }
    }

    @Test func aServerWithAnotherCertificateGetsNothing() async throws {
        let site = RecordingSite()
        try await Self.with(site: site) { server, certificate in
            var options = WebClient.Options()
            options.expects = { $0 != certificate }
            await #expect(throws: WebClient.Failure.otherCertificate) {
                try await WebClient.post(to: server, "/", content: Self.hello, options: options)
            }
            // The server has ended that connection when it answers the next.
            options.expects = { $0 == certificate }
            _ = try await WebClient.post(to: server, "/", content: Self.hello, options: options)
            #expect(site.noted.value.requests.count == 1)
        }
    }

    /// The certificate of another one without its key.
    @Test func aClientCannotShowTheCertificateOfAnother() async throws {
        let site = RecordingSite()
        let (own, other) = (try Identities.pem(), try Identities.pem())
        let key = try #require(own.split(separator: "-----BEGIN CERTIFICATE-----").first)
        let certificate = try #require(other.split(separator: "-----BEGIN CERTIFICATE-----").last)
        let mixed = try WebIdentity(pem: key + "-----BEGIN CERTIFICATE-----" + certificate)
        try await Self.with(site: site) { server, _ in
            await #expect(throws: WebClient.Failure.self) {
                try await WebClient.post(to: server, "/", content: Self.hello, options: .init(identity: mixed))
            }
            #expect(site.noted.value.requests.isEmpty)
        }
    }

    @Test(arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func anIdentityHasAKeyAndACertificate(pem: String) {
        #expect(throws: WebIdentity.Invalid.self) { try WebIdentity(pem: pem) }
    }

    @Test func plainAndEncryptedDoNotMix() async throws {
        let site = RecordingSite()
        try await Self.with(site: site) { server, _ in
            let plain = try #require(WebAddress(host: server.host, port: server.port, isSecure: false))
            await #expect(throws: WebClient.Failure.self) {
                try await WebClient.post(to: plain, "/", content: Self.hello)
            }
            let answer = try TestServer.exchange(server.port, TestServer.request(server.port))
            #expect(!answer.contains("hello"))
            // The listener goes on.
            let next = try await WebClient.post(to: server, "/", content: Self.hello)
            #expect(next.status == 200)
        }
        try await TestServer.with(site: site) { port in
            let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: true))
            await #expect(throws: WebClient.Failure.insecure) {
                try await WebClient.post(to: server, "/", content: Self.hello)
            }
        }
        #expect(site.noted.value.requests.count == 1)
    }

    /// A client that says nothing, and one that begins a handshake.
    @Test(arguments: [[], [0x16, 3, 1, 2, 0, 1, 0, 1] as [UInt8]]) func aSlowHandshakeIsClosed(
        bytes: [UInt8]
    ) async throws {
        let site = RecordingSite()
        try await Self.with(site: site) {
            $0.security?.handshakeTime = .milliseconds(100)
        } _: { server, _ in
            let connection = try RawConnection(toPort: server.port)
            connection.write(bytes)
            connection.readToEnd()
        }
    }

    @Test func stalledHandshakesMakeRoomForOthers() async throws {
        let site = RecordingSite()
        try await Self.with(site: site) {
            $0.security?.maximumHandshakes = 1
        } _: { server, _ in
            let stalled = try (0..<8).map { _ in try RawConnection(toPort: server.port) }
            // One of them may still be on its way, and take the only place.
            while (try? await WebClient.post(to: server, "/", content: Self.hello)) == nil {}
            for connection in stalled { connection.readToEnd() }
        }
    }

    @Test(arguments: ["1.2", "1.3"]) func curlConnects(version: String) async throws {
        let (site, pem) = (RecordingSite(), try Identities.pem())
        let own = try WebIdentity(pem: pem)
        try await TemporaryDirectory.with { directory in
            let path = directory.path("own.pem")
            try pem.write(toFile: path, atomically: true, encoding: .utf8)
            try await Self.with(site: site) { server, _ in
                let output = try await Self.curl(
                    server,
                    "/a?name=b%20c",
                    "--tlsv\(version)",
                    "--tls-max",
                    version,
                    "--cert",
                    path,
                    "--data-binary",
                    "some content",
                    "--header",
                    "Transfer-Encoding: chunked"
                )
                #expect(output.contains { $0.contains("length of the content must be known") }, "\(output)")
                let again = try await Self.curl(
                    server,
                    "/a?name=b%20c",
                    "--tlsv\(version)",
                    "--tls-max",
                    version,
                    "--cert",
                    path,
                    "--data-binary",
                    "some content"
                )
                #expect(again == ["hello"])
                let request = try #require(site.noted.value.requests.first)
                #expect(request.certificate == own.certificateBytes && request.query == ["name": "b c"])
                #expect(request.contentLength == 12 && site.noted.value.length == 12)
            }
        }
    }

    /// Runs curl, which does not check the certificate, and returns the lines of the content.
    private static func curl(_ server: WebAddress, _ path: String, _ arguments: String...) async throws -> [String] {
        let fixed = ["--silent", "--show-error", "--insecure", "--noproxy", "*", "--max-time", "300"]
        let address = "https://\(server.field)\(path)"
        return try await ChildProcess.with("curl", fixed + arguments + [address]) { child in
            let (status, output, errors) = await child.complete()
            #expect(status == .exited(0), "\(errors)")
            return output
        }
    }

    /// Sessions are resumed without a certificate in the handshake.
    @Test func aResumedSessionHasItsCertificate() async throws {
        let (site, pem) = (RecordingSite(), try Identities.pem())
        let own = try WebIdentity(pem: pem)
        try await TemporaryDirectory.with { directory in
            let path = directory.path("own.pem")
            try pem.write(toFile: path, atomically: true, encoding: .utf8)
            try await Self.with(site: site) { server, _ in
                let script = """
                    import socket, ssl, sys
                    context = ssl.create_default_context()
                    context.check_hostname = False
                    context.verify_mode = ssl.CERT_NONE
                    context.load_cert_chain(sys.argv[1])
                    session = None
                    for number in range(2):
                        with socket.create_connection(("127.0.0.1", int(sys.argv[2]))) as plain:
                            with context.wrap_socket(plain, session=session) as tls:
                                tls.sendall(sys.argv[3].encode())
                                answer = b""
                                while part := tls.recv(4096):
                                    answer += part
                                session = tls.session
                                print(answer.split()[1].decode(), tls.session_reused)
                    """
                let request = TestServer.request(server.port)
                let arguments = ["-c", script, path, "\(server.port)", request]
                try await ChildProcess.with("python3", arguments) { child in
                    let (status, output, errors) = await child.complete()
                    #expect(status == .exited(0), "\(errors)")
                    #expect(output == ["200 False", "200 True"])
                }
                let seen = site.noted.value.requests.map { $0.certificate == own.certificateBytes }
                #expect(seen == [true, true])
            }
        }
    }

    @Test func filesAreSentEncrypted() async throws {
        var generator = SeededGenerator(seed: 4)
        let bytes = generator.bytes(1_000_000)
        let (events, told) = AsyncStream.makeStream(of: WebFile.Event.self)
        try await TemporaryDirectory.with { directory in
            let (path, copy) = (directory.path("f"), directory.path("g"))
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let site = RecordingSite(answer: { _ in
                let descriptor = open(path, O_RDONLY | O_CLOEXEC)
                let file = WebFile(taking: descriptor, start: 1000, size: 900_000, entityTag: "1") { told.yield($0) }
                return WebResponse(file, as: "x/y")
            })
            try await Self.with(site: site) { server, _ in
                _ = try await Self.curl(server, "/", "--output", copy)
                var received = try Data(contentsOf: URL(fileURLWithPath: copy))
                #expect(received == Data(bytes[1000..<901_000]))
                for await event in events { if event == .ended(isComplete: true) { break } }
                _ = try await Self.curl(server, "/", "--output", copy, "--range", "300000-700000")
                received = try Data(contentsOf: URL(fileURLWithPath: copy))
                #expect(received == Data(bytes[301_000...701_000]))
            }
        }
    }

    /// The file has become shorter than the answer says.
    @Test func aFileThatIsCutEndsTheAnswer() async throws {
        let site = RecordingSite(answer: { _ in
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            return WebResponse(WebFile(taking: descriptor, size: 900_000, entityTag: "1"), as: "x/y")
        })
        try await Self.with(site: site) { server, _ in
            await #expect(throws: WebClient.Failure.closed) {
                try await WebClient.post(to: server, "/", content: Self.hello)
            }
        }
    }
}
