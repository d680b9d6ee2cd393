import Foundation
import GRDB
import PeerTestSupport
import Testing

/// The offer of a map of which an older version is here says how much will be transferred.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct SurveyTests {
    /// A sender with a map in which some tiles were drawn anew, and a receiver with the older one.
    private static func withVersions(
        _ body: (_ sender: Laptop, _ receiver: Laptop) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let path = directory.path("map.mbtiles")
            try MapMaker.make(path, tiles: 64, tileLength: 20_000)
            try await receiver.must("import", path, "--name", "Older")
            var generator = SeededGenerator(seed: 5)
            try MapMaker.database(path) { database in
                for row in [3, 30, 31] {
                    try database.execute(
                        sql: "UPDATE tiles SET tile_data = ? WHERE rowid = ?",
                        arguments: [Data(MapMaker.png + generator.bytes(19_992)), row]
                    )
                }
            }
            try await sender.must("import", path, "--name", "Newer")
            try await body(sender, receiver)
        }
    }

    private static func send(_ sender: Laptop, _ body: (_ link: String) async throws -> Void) async throws {
        try await sender.start(["send", "Newer", "--no-discovery", "--format", "json"]) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
            try await body(try #require(try JSONValue(parsing: line)["link"]?.string))
            child.kill(SIGINT)
            _ = await child.waitForExit()
        }
    }

    /// The number behind a key that was written last.
    private static func number(_ key: String, in text: String) -> Int? {
        text.components(separatedBy: "\"\(key)\":").last.flatMap { Int($0.prefix { $0.isNumber }) }
    }

    @Test func theOfferOfAnUpdatedMapSaysWhatIsTransferred() async throws {
        try await Self.withVersions { sender, receiver in
            try await Self.send(sender) { link in
                let (declined, words) = try await receiver.inTerminal(["receive", link]) { screen in
                    try await screen.wait { $0.hasOffer }
                    let words = screen.words
                    #expect(try StoreContents(of: receiver.store).unfinished.isEmpty, "written before the yes")
                    try screen.type("n\n")
                    return (try await screen.complete().0, words)
                }
                #expect(declined == .exited(5))
                #expect(words.contains(/km, 1\.[34] MB, about [6789]\d(\.\d)? kB to transfer/), "\(words)")

                let arguments = ["receive", link, "--format", "json"]
                let (status, text) = try await receiver.inTerminal(arguments, columns: 2000) { screen in
                    try await screen.wait { $0.hasOffer }
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
                let parts = text.components(separatedBy: #""type":"received""#)
                let promised = try #require(Self.number("toTransfer", in: text))
                #expect(parts.count == 2 && (60_000..<100_000).contains(promised), "\(text)")
                // What came in the list of pieces before the yes counts as transferred, too.
                let bytes = parts[0].components(separatedBy: #""bytes":"#).last.flatMap {
                    Int($0.prefix { $0.isNumber })
                }
                let transferred = try #require(bytes)
                #expect((promised..<promised + 30_000).contains(transferred), "\(promised): \(text)")
            }
        }
    }

    /// Nobody sees the number, so nothing is asked.
    @Test func withoutAQuestionNothingIsSaid() async throws {
        try await Self.withVersions { sender, receiver in
            try await Self.send(sender) { link in
                let received = try await receiver.run("receive", link, "--yes")
                #expect(received.code == 0, "\(received)")
                let offer = try #require(try received.lines("offer").first)
                #expect(offer["size"]?.int != nil && offer["toTransfer"] == nil)
            }
        }
    }
}
