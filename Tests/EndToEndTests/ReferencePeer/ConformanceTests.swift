import PeerCore
import PeerTestSupport
import Testing

/// The conformance kit of the reference peer, which another implementation would be tested with.
@Suite(.takingTurns, .timeLimit(.minutes(15))) struct ConformanceTests {
    /// The outcome of the kit: how many cases there were, and those that failed.
    private func outcome(of ending: Ending, skipping expectedSkips: Int = 0) throws -> (count: Int, failed: [String]) {
        let result = try #require(try ending.lines("result").first, "\(ending)")
        let failed = try ending.lines("failed").map { "\($0["case"]?.string ?? ""): \($0["message"]?.string ?? "")" }
        #expect(result["failed"]?.int == failed.count)
        #expect(ending.code == (failed.isEmpty ? 0 : 1))
        let skipped = try ending.lines("skipped").count
        #expect(result["skipped"]?.int == skipped && skipped == expectedSkips)
        return (try #require(result["cases"]?.int), failed)
    }

    @Test func theSenderPassesEveryCase() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendQuietly(Example.name) { running in
                let link = try #require(running.listening["link"]?.string)
                let kit = ReferencePeer("kit", in: directory)
                let (count, failed) = try outcome(of: try await kit.test("test-sender", [link]))
                #expect(count > 75 && failed.isEmpty, "\(failed)")
            }
        }
    }

    @Test func theReceiverPassesEveryCase() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let kit = ReferencePeer("kit", in: directory)
            try await laptop.sendQuietly(Example.name) { running in
                let received = try await kit.receive(from: try #require(running.listening["link"]?.string))
                try #require(received.code == 0, "\(received)")
            }
            // Each case has a store of its own.
            let script = #"exec "$0" receive "$1" --yes --retries 0 --store "$(mktemp -d "$2/XXXXXX")/store""#
            let command = ["/bin/sh", "-c", script, Place.program, "{link}", directory.path]
            let (count, failed) = try outcome(
                of: try await kit.test("test-receiver", ["--folder", kit.folder, "--"] + command)
            )
            #expect(count > 40 && failed.isEmpty, "\(failed)")
        }
    }

    @Test func aProgramWithSessionsPassesEveryCase() async throws {
        try await SessionHosts.with { hosts in
            try await hosts.run(.partner) { partner in
                let ending = try await hosts.test(.partner, at: try await partner.link())
                let (count, failed) = try outcome(of: ending)
                #expect(count > 80 && failed.isEmpty, "\(failed)")
                await partner.leaves()
            }
        }
    }

    /// The reference peer has no lanes, so its sender is not asked about them.
    @Test func aCaseOfAFeatureThatIsNotNamedIsSkipped() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let (peer, kit) = (ReferencePeer("peer", in: directory), ReferencePeer("kit", in: directory))
            try await laptop.sendQuietly(Example.name) { running in
                let received = try await peer.receive(from: try #require(running.listening["link"]?.string))
                try #require(received.code == 0, "\(received)")
            }
            _ = try await peer.send { _, link, _ in
                let ending = try await kit.test("test-sender", [link, "--only", "a lane of no transfer"])
                let (count, failed) = try outcome(of: ending, skipping: 1)
                #expect(count == 1 && failed.isEmpty && ending.code == 0, "\(failed)")
            }
        }
    }

    /// What answers with something else fails in every case.
    @Test func anotherServerPassesNoCase() async throws {
        try await TemporaryDirectory.with { directory in
            try await RawServer.with { connection in
                connection.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
            } _: { server in
                let link = try ShareLink(
                    for: .hikeshare,
                    addresses: [PeerAddress(host: "127.0.0.1", port: server.port)],
                    id: try PeerIdentity.generate(for: .hikeshare).id,
                    token: .random()
                )
                let kit = ReferencePeer("kit", in: directory)
                let (count, failed) = try outcome(of: try await kit.test("test-sender", [link.text]))
                #expect(count == failed.count, "\(failed)")
            }
        }
    }

    @Test func theVectorsAreFramesOfEveryType() async throws {
        let ending = try await ReferencePeer.run(script: "__main__.py", "vectors")
        let frames = try ending.lines("vector").compactMap { $0["frame"]?.string }
        #expect(ending.code == 0 && frames.allSatisfy { $0.utf8.count >= 16 })
        #expect(Set(frames.map { $0.prefix(2) }).count > 30, "\(frames)")
    }
}
