import Foundation
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
        #expect(places.take(for: "a") && places.take(for: "a") && !places.take(for: "a"))
        #expect(places.take(for: "b") && !places.take(for: "c"))
        places.give(for: "a")
        #expect(places.take(for: "a") && !places.take(for: "a"))
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        try await TestServer.with {
            $0.maximumConnectionsPerClient = 1
        } _: { port in
            let held = try RawConnection(toPort: port)
            held.write(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
            #expect(!held.read().isEmpty)
            #expect(try TestServer.exchange(port, TestServer.request(port)) == "")
            held.end()
        }
    }

    @Test func furtherConnectionsAreClosedAndPlacesComeBack() async throws {
        try await TestServer.with {
            $0.maximumConnections = 2
        } _: { port in
            // A connection has its place when its first request was answered; they need not be accepted in their order.
            let held = try (0..<2).map { _ in
                let connection = try RawConnection(toPort: port)
                connection.write(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
                var answer: [UInt8] = []
                while !answer.reversed().starts(with: "hello".utf8.reversed()), case let bytes = connection.read(),
                    !bytes.isEmpty
                {
                    answer += bytes
                }
                return connection
            }
            #expect(try TestServer.exchange(port, TestServer.request(port)) == "")
            held[0].write(Array(TestServer.request(port).utf8))
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
