import Foundation
import PeerStorage
import PeerTestSupport
import Testing

@testable import WebServer

/// Clients that take their time, or come in numbers.
@Suite(.timeLimit(.minutes(10))) struct SlowClientTests {
    @Test func aClientThatSendsNothingIsClosed() async throws {
        try await TestServer.with {
            $0.requestTime = .milliseconds(100)
        } _: { port in
            let answer = try TestServer.exchange(port, "")
            #expect(answer.isEmpty)
        }
    }

    @Test func singleBytesDoNotProlongTheTime() async throws {
        try await TestServer.with {
            $0.requestTime = .milliseconds(300)
        } _: { port in
            let connection = try RawConnection(toPort: port)
            connection.write(Array("GET / HTTP/1.1\r\nX: ".utf8))
            // Writing fails once the server has closed.
            while connection.write([97]) { await Task.yield() }
            let answer = connection.readToEnd()
            #expect(answer.isEmpty)
        }
    }

    @Test func aConnectionWithoutFurtherRequestsIsClosed() async throws {
        try await TestServer.with {
            $0.requestTime = .milliseconds(300)
        } _: { port in
            let answer = try TestServer.exchange(port, "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
            #expect(answer.hasSuffix("hello"))
        }
    }

    @Test func aClientThatDoesNotReadLosesItsPlace() async throws {
        let long = WebResponse([UInt8](repeating: 0, count: 64 << 20), as: "x/y")
        try await TestServer.with {
            $0.writeTime = .milliseconds(200)
            $0.maximumConnections = 1
            $0.maximumMemory = 128 << 20
        } handler: { path in
            path.components == ["long"] ? long : TestServer.greeting
        } _: { port in
            let lazy = try RawConnection(toPort: port)
            lazy.write(Array(TestServer.request(port, "GET", "/long").utf8))
            // The answer has begun, so the client has its place.
            _ = lazy.read(atMost: 1)
            var answer = ""
            while answer.isEmpty {
                answer = try TestServer.exchange(port, TestServer.request(port))
                await Task.yield()
            }
            #expect(answer.hasSuffix("hello"))
            #expect(lazy.readToEnd().count < long.body.count)
        }
    }

    @Test func oneAddressDoesNotTakeThePlacesOfOthers() {
        let places = Places(3, perClient: 2)
        func take(for client: String) -> Int? {
            let place = places.take(for: client)
            if let place { places.set(place, isIdle: false) }
            return place
        }
        let first = take(for: "a")
        #expect(first != nil && take(for: "a") != nil && take(for: "a") == nil)
        #expect(take(for: "b") != nil && take(for: "c") == nil)
        if let first { places.give(first) }
        #expect(take(for: "a") != nil && take(for: "a") == nil)
    }

    @Test func aConnectionThatWaitsGivesItsPlaceToANewOne() {
        let places = Places(3)
        let closed = Locked<[String]>([])
        func take(for client: String, _ name: String) -> Int? {
            places.take(for: client) { closed.withLock { $0.append(name) } }
        }
        let (first, second) = (take(for: "a", "a1"), take(for: "a", "a2"))
        #expect(take(for: "b", "b1") != nil)
        if let first { places.set(first, isIdle: false) }
        if let first { places.set(first, isIdle: true) }
        // Of the client with most places, the one that has waited longest.
        #expect(take(for: "c", "c1") != nil && closed.withLock { $0 } == ["a2"])
        // A place that was taken away cannot be given back again.
        if let second { places.give(second) }
        if let first { places.set(first, isIdle: false) }
        #expect(take(for: "c", "c2") != nil && take(for: "c", "c3") != nil)
        #expect(closed.withLock { $0 } == ["a2", "b1", "c1"])
    }

    @Test func moreBrowsersThanPlacesAreServed() async throws {
        try await TestServer.with {
            $0.maximumConnections = 2
        } _: { port in
            var connections: [RawConnection] = []
            for _ in 0..<8 {
                let connection = try RawConnection(toPort: port)
                connection.write(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
                var answer = ""
                while !answer.hasSuffix("hello"), case let bytes = connection.read(), !bytes.isEmpty {
                    answer += String(decoding: bytes, as: UTF8.self)
                }
                #expect(answer.hasSuffix("hello"))
                // It stays open, as browsers do it.
                connections.append(connection)
            }
            for connection in connections { connection.end() }
        }
    }

    /// Tells of requests whose content is on its way.
    private struct PostSite: WebSite {
        private let arrivals: AsyncStream<Void>
        private let arrived: AsyncStream<Void>.Continuation

        init() {
            (arrivals, arrived) = AsyncStream.makeStream()
        }

        func respond(to request: WebRequest) -> WebResponse { TestServer.greeting }

        func refusal(ofContentFor request: WebRequest) -> WebResponse? { nil }

        func contentFile() throws -> OpenFile {
            arrived.yield()
            return try Folder(FileManager.default.temporaryDirectory.path).temporaryFile()
        }

        /// Returns a connection in the middle of a request, whose content lacks one byte.
        func busy(_ port: Int) async throws -> RawConnection {
            let connection = try RawConnection(toPort: port)
            connection.write(Array((TestServer.request(port, "POST", more: "Content-Length: 2\r\n") + "1").utf8))
            for await _ in arrivals { break }
            return connection
        }
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        let site = PostSite()
        func limit(_ configuration: inout WebServer.Configuration) {
            configuration.maximumConnectionsPerClient = 1
            configuration.maximumContentLength = 10
        }
        try await TestServer.with(limit, site: site) { port in
            let held = try await site.busy(port)
            #expect(try TestServer.exchange(port, TestServer.request(port)) == "")
            held.end()
        }
    }

    @Test func furtherConnectionsAreClosedAndPlacesComeBack() async throws {
        let site = PostSite()
        func limit(_ configuration: inout WebServer.Configuration) {
            configuration.maximumConnections = 2
            configuration.maximumUploads = 2
            configuration.maximumContentLength = 10
        }
        try await TestServer.with(limit, site: site) { port in
            let held = [try await site.busy(port), try await site.busy(port)]
            #expect(try TestServer.exchange(port, TestServer.request(port)) == "")
            held[0].write([2])
            #expect(String(decoding: held[0].readToEnd(), as: UTF8.self).hasSuffix("hello"))
            var answer = ""
            while answer.isEmpty {
                answer = try TestServer.exchange(port, TestServer.request(port))
                await Task.yield()
            }
            #expect(answer.hasSuffix("hello"))
            held[1].end()
        }
    }
}
