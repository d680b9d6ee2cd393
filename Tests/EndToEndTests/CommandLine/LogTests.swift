import Foundation
import PeerCore
import PeerTestSupport
import RegionStore
import Testing

/// What two running programs log of a transfer.
@Suite(.takingTurns) struct LogTests {
    /// One line of a log.
    private struct Line {
        var text: String
        var message: String

        /// Reads a line; nil if it does not begin with a time, a level and a part of the program.
        init?(_ text: String) {
            let pattern = #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|trace) [a-z]+: (.*)$/#
            guard let match = text.wholeMatch(of: pattern) else { return nil }
            self.text = text
            message = String(match.2)
        }

        func has(_ detail: String) -> Bool { message.contains(" " + detail) }
    }

    /// Transfers the example region; returns what both sides have logged.
    private func transfer(_ verbosity: String) async throws -> (sender: [Line], receiver: [Line]) {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let id = try await Example.put(on: sender)
            let send = ["send", Example.name, "--yes", "--no-discovery", "--once", "-q", verbosity]
            return try await sender.start(send) { child in
                let line = try await child.waitForOutput { $0.split(separator: ":").last.flatMap { Int($0) } != nil }
                let port = try #require(line.split(separator: ":").last)
                let received = try await receiver.tell(
                    "receive",
                    "--yes",
                    "--connect",
                    "127.0.0.1:\(port)",
                    "-q",
                    verbosity
                )
                #expect(received.code == 0, "\(received)")
                let sent = await child.ending()
                #expect(sent.code == 0, "\(sent)")
                let logged = (sender: try lines(of: sent), receiver: try lines(of: received))
                expectNoNames(in: logged.sender + logged.receiver, id)
                return logged
            }
        }
    }

    private func lines(of ending: Ending) throws -> [Line] {
        try ending.errorOutput.map { try #require(Line($0), "\($0)") }
    }

    /// Expects messages in this order, with anything between.
    private func expectOrder(
        _ expected: [String],
        in lines: [Line],
        location: SourceLocation = #_sourceLocation
    ) {
        var rest = lines[...]
        for words in expected {
            let parts = words.split(separator: "|").map(String.init)
            let index = rest.firstIndex { $0.message.hasPrefix(parts[0]) && parts.dropFirst().allSatisfy($0.has) }
            guard let index else {
                Issue.record("“\(words)” is not logged, or too early:\n\(lines.map(\.text))", sourceLocation: location)
                return
            }
            rest = rest[(index + 1)...]
        }
    }

    private func expectNoNames(in lines: [Line], _ id: String) {
        // The region, its hike, its route and some waypoints, and what its manifest is made of.
        for name in ["Coma", "Pedrosa", "Estany", "Arinsal", "Refugi", "Pic de", "boundingBox", "digest\"", id] {
            #expect(!lines.contains { $0.text.localizedCaseInsensitiveContains(name) }, "\(name) is logged")
        }
    }

    @Test func oneVShowsEveryStepOfBothSides() async throws {
        let (sender, receiver) = try await transfer("-v")
        expectOrder(
            [
                "connection admitted|connection=1", "connection is open|security=TLS", "hello received",
                "conversation changed|to=waiting", "conversation changed|to=inviting", "pairing started",
                "transfer admitted", "conversation changed|to=transfer", "state changed|to=offering",
                "state changed|to=transferring",
                "state changed|to=awaitingAcknowledgement",
                "state changed|to=ended", "transfer ended|end=completed",
            ],
            in: sender
        )
        expectOrder(
            [
                "connection is open|security=TLS", "hello received", "conversation changed|to=inviting",
                "pairing started", "conversation changed|to=transfer", "state changed|to=deciding",
                "state changed|to=transferring",
                "state changed|to=committing", "state changed|to=ended", "transfer ended|end=completed",
            ],
            in: receiver
        )
        #expect(!(sender + receiver).contains { $0.message.hasPrefix("frame ") || $0.message.hasPrefix("timer set") })
    }

    @Test func twoVShowFramesAndTimersToo() async throws {
        let (sender, receiver) = try await transfer("-vv")
        expectOrder(
            [
                "frame sent|type=hello", "frame received|type=invite", "frame sent|type=manifest",
                "frame received|type=selection", "frame sent|type=data", "frame sent|type=done",
                "frame received|type=acknowledgement",
            ],
            in: sender
        )
        expectOrder(["frame received|type=manifest", "frame received|type=data"], in: receiver)
        // Frames are logged where they are read and written, timers where decisions are made: neither waits for the other.
        expectOrder(["timer set|timer=offer"], in: sender)
        expectOrder(["timer set|timer=manifest"], in: receiver)
    }

    @Test func aHostileNameStaysInItsLine() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("b"))
            let region = try Self.emptyOffer()
            let name = "M\u{1B}[31m”\n2026-01-01T00:00:00.000Z debug x: y"
            try await HostileSender.serve(region, as: name) { port, _ in
                let received = try await laptop.tell(
                    "receive",
                    "--yes",
                    "--retries",
                    "0",
                    "--connect",
                    "127.0.0.1:\(port)",
                    "-q",
                    "-vv"
                )
                let logged = received.errorOutput.filter { $0.contains(" debug ") || $0.contains(" trace ") }
                #expect(logged.contains { $0.contains(#"name=“M\u{1b}[31m' 2026-01-01"#) }, "\(received)")
                #expect(logged.allSatisfy { Line($0) != nil && !$0.contains("debug x: y\n") }, "\(received)")
                #expect(!received.words.unicodeScalars.contains("\u{1B}"))
            }
        }
    }

    @Test func logLinesStandAboveTheProgress() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            try await sender.sendQuietly(Example.name, ["--once"]) { running in
                let arguments = ["receive", "--yes", "--connect", "127.0.0.1:\(running.port)", "-v"]
                try await receiver.inTerminal(arguments, columns: 300) { screen in
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(0), "\(text)")
                    let logged = text.split(whereSeparator: \.isNewline).filter { $0.contains(" debug ") }
                    #expect(logged.count > 5)
                    for line in logged {
                        // What was in the line before has been wiped away.
                        let shown = String(line.split(separator: "\u{1B}[K").last ?? "")
                        #expect(Line(shown) != nil, "\(line)")
                    }
                }
            }
        }
    }

    /// An offer that contradicts itself, so that it is refused at once.
    private static func emptyOffer() throws -> LyingSource {
        let region = Region(
            id: UUID(),
            name: "Nordkette",
            boundingBox: try #require(BoundingBox(north: 47.16, south: 47.04, east: 11.96, west: 11.25)),
            zoomLevels: 12...12,
            createdAt: Date(timeIntervalSince1970: 1_790_000_000),
            tileCount: 16,
            fileSizeBytes: 0,
            hasRoutingData: false
        )
        return try LyingSource(region, [(.mbtiles, try HostileSenderTests.map())]) { $0.tileCount = 0 }
    }
}
