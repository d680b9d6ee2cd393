import PeerTestSupport
import Testing

@testable import WebServer

/// Answers that wait for a person.
@Suite(.timeLimit(.minutes(10))) struct LateAnswerTests {
    /// What a site tells while it waits for its person.
    private struct Events: Sendable {
        let asked = AsyncStream.makeStream(of: Void.self)
        let said = AsyncStream.makeStream(of: Void.self)
        let cancelled = AsyncStream.makeStream(of: Void.self)

        /// A site whose answer waits until the person says something.
        func site() -> RecordingSite {
            RecordingSite(answer: { [self] request in
                guard request.path.components == ["wait"] else { return TestServer.greeting }
                asked.continuation.yield()
                for await _ in said.stream { return TestServer.greeting }
                cancelled.continuation.yield()
                return .noContent
            })
        }

        func waitUntilAsked() async { for await _ in asked.stream { return } }
        func waitUntilCancelled() async { for await _ in cancelled.stream { return } }
    }

    @Test func theTimeOfARequestDoesNotLimitTheAnswer() async throws {
        let events = Events()
        try await TestServer.with(site: events.site()) {
            $0.requestTime = .milliseconds(200)
        } _: { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(TestServer.request(port, "GET", "/wait").utf8))
            await events.waitUntilAsked()
            // Others that say nothing are closed meanwhile, two after one another.
            for _ in 0..<2 { #expect(try TestServer.exchange(port, "").isEmpty) }
            events.said.continuation.yield()
            #expect(String(decoding: connection.readToEnd(), as: UTF8.self).hasSuffix("hello"))
        }
    }

    @Test func aClientThatClosesCancelsTheAnswer() async throws {
        let events = Events()
        try await TestServer.with(site: events.site()) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array(TestServer.request(port, "GET", "/wait").utf8))
            await events.waitUntilAsked()
            connection.end()
            await events.waitUntilCancelled()
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
        }
    }

    /// With and without encryption; the content has arrived already.
    @Test(arguments: [false, true]) func aClientThatIsCancelledCancelsTheAnswer(isSecure: Bool) async throws {
        let (events, identity) = (Events(), try Identities.new())
        try await TestServer.with(site: events.site()) {
            ($0.maximumContentLength, $0.maximumUploads) = (1000, 1)
            if isSecure { $0.security = WebServerSecurity(identity, asksForCertificate: true) }
        } _: { port in
            let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: isSecure))
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    var options = WebClient.Options()
                    options.answerTime = .patience
                    await #expect(throws: CancellationError.self) {
                        try await WebClient.post(to: server, "/wait", content: .bytes([1], type: nil), options: options)
                    }
                }
                await events.waitUntilAsked()
                group.cancelAll()
            }
            await events.waitUntilCancelled()
            // Its place among those with content is free again.
            while try await WebClient.post(to: server, "/", content: .bytes([1], type: nil)).status != 200 {}
        }
    }

    /// More than there are threads.
    @Test func manyAnswersWaitAtOnce() async throws {
        let (events, count) = (Events(), 100)
        try await TestServer.with(site: events.site()) {
            $0.maximumConnections = 200
        } _: { port in
            let waiting = try (0..<count).map { _ in
                let connection = try RawConnection(toPort: port)
                connection.write(Array(TestServer.request(port, "GET", "/wait").utf8))
                return connection
            }
            for _ in 0..<count { await events.waitUntilAsked() }
            #expect(try TestServer.exchange(port, TestServer.request(port)).hasSuffix("hello"))
            for connection in waiting { connection.end() }
            for _ in 0..<count { await events.waitUntilCancelled() }
        }
    }

    /// A client that has gone before is no reason to ask nobody: it may still read.
    @Test func anAnswerAtOnceReachesAClientThatHasClosedItsSide() async throws {
        let site = RecordingSite(answer: { _ in TestServer.greeting })
        try await TestServer.with(site: site) { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
            connection.finishWriting()
            #expect(String(decoding: connection.readToEnd(), as: UTF8.self).hasSuffix("hello"))
        }
    }
}
