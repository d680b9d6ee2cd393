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
            // The answer has begun, so the client has its slot.
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
        let slots = Slots(3, perClient: 2)
        func take(for client: String) -> Int? {
            let slot = slots.take(for: client)
            if let slot { slots.set(slot, isIdle: false) }
            return slot
        }
        let first = take(for: "a")
        #expect(first != nil && take(for: "a") != nil && take(for: "a") == nil)
        #expect(take(for: "b") != nil && take(for: "c") == nil)
        if let first { slots.give(first) }
        #expect(take(for: "a") != nil && take(for: "a") == nil)
    }

    @Test func aConnectionThatWaitsGivesItsPlaceToANewOne() {
        let slots = Slots(3)
        let closed = Locked<[String]>([])
        func take(for client: String, _ name: String) -> Int? {
            slots.take(for: client) { closed.withLock { $0.append(name) } }
        }
        func answer(_ number: Int?) {
            guard let number else { return }
            slots.set(number, isIdle: false)
            slots.set(number, isIdle: true)
        }
        let (first, second) = (take(for: "a", "a1"), take(for: "a", "a2"))
        for number in [second, take(for: "b", "b1"), first] { answer(number) }
        // Of the client with most slots, the one that has waited longest.
        let third = take(for: "c", "c1")
        #expect(third != nil && closed.withLock { $0 } == ["a2"])
        answer(third)
        // A slot that was taken away cannot be given back again.
        if let second { slots.give(second) }
        if let first { slots.set(first, isIdle: false) }
        #expect(take(for: "c", "c2") != nil && take(for: "c", "c3") != nil)
        #expect(closed.withLock { $0 } == ["a2", "b1", "c1"])
    }

    /// Closing a connection before its first request is an error that people see; its browser has no other connection.
    @Test func aConnectionBeforeItsFirstRequestIsSpared() throws {
        var table = Slots.Table(maximum: 3, maximumPerClient: 3)
        func slot(_ taken: (number: Int, freed: Int?)?, freeing freed: Int? = nil) throws -> Int {
            let taken = try #require(taken)
            #expect(taken.freed == freed)
            return taken.number
        }
        let served = try slot(table.take(for: "a"))
        table.set(served, isIdle: true)
        let new = [try slot(table.take(for: "b")), try slot(table.take(for: "b"))]
        // The client with the most slots keeps them, because none of its connections has had an answer.
        let third = try slot(table.take(for: "c"), freeing: served)
        let fourth = try slot(table.take(for: "d"), freeing: new[0])
        for number in [new[1], third, fourth] { table.set(number, isIdle: false) }
        let none = table.take(for: "e")
        #expect(none == nil)
        table.set(third, isIdle: true)
        _ = try slot(table.take(for: "e"), freeing: third)
    }

    /// Thirty phones whose browsers keep six connections open, and one that takes all it can get.
    @Test func thirtyPhonesAndAGreedyOneLeaveRoomForAnother() throws {
        var table = Slots.Table(maximum: 100, maximumPerClient: 16)
        var clients: [Int: String] = [:]
        func open(_ client: String) throws -> String? {
            let taken = table.take(for: client)
            let (number, freed) = try #require(taken)
            defer { clients[number] = client }
            table.set(number, isIdle: false)
            table.set(number, isIdle: true)
            return freed.flatMap { clients.removeValue(forKey: $0) }
        }
        for _ in 0..<40 { _ = try open("greedy") }
        for _ in 0..<6 { for phone in 0..<30 { _ = try open("\(phone)") } }
        #expect(clients.values.count { $0 == "greedy" } < 16)
        for phone in 0..<30 { #expect(clients.values.contains("\(phone)")) }
        // The greedy one closes only connections of its own, or of others that have as many.
        let before = clients.values.count { $0 != "greedy" }
        for _ in 0..<40 { _ = try open("greedy") }
        #expect(clients.values.count { $0 != "greedy" } >= before - 16)
        #expect(try open("new") != nil)
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
            configuration.maximumUploadsPerClient = 2
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
