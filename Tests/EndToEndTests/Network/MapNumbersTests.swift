import Foundation
import PeerTestSupport
import Testing

/// Every number that is told of the tiles of two maps is that which Python counts in their files.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapNumbersTests {
    private static let keys = ["newTiles", "addedTiles", "goneTiles", "goneZooms"]

    /// Runs `Tests/ReferenceMaps/maps.py`.
    private static func count(_ arguments: String...) async throws -> JSONValue {
        let script = ["-B", Place.repository + "/Tests/ReferenceMaps/maps.py"]
        let ending = try await ChildProcess.with("/usr/bin/python3", script + arguments) { await $0.ending() }
        try #require(ending.code == 0, "\(ending)")
        return try JSONValue(parsing: try #require(ending.output.first))
    }

    private static func expect(
        _ told: JSONValue,
        _ counted: JSONValue,
        _ what: String,
        location: SourceLocation = #_sourceLocation
    ) {
        for key in keys { #expect(told[key] == counted[key], "\(what): \(key)", sourceLocation: location) }
    }

    /// The words about the tiles that a person must read.
    private static func words(_ counted: JSONValue) throws -> [String] {
        func number(_ key: String) throws -> Int { try #require(counted[key]?.int, "\(key)") }
        func are(_ count: Int) -> String { count == 1 ? "is" : "are" }
        let (tiles, added, gone) = (try number("tiles"), try number("addedTiles"), try number("goneTiles"))
        let changed = try number("newTiles") - added
        var words: [String] = []
        if changed == 0, added > 0 {
            words.append(" \(added) of \(tiles) tiles \(are(added)) new")
        } else {
            words.append(" \(changed) of \(tiles) tiles \(changed == 1 ? "differs" : "differ")")
            if added > 0 { words.append(", \(added) more \(are(added)) new") }
        }
        if gone > 0 { words.append("; \(gone) of \(try number("oldTiles")) tiles \(are(gone)) gone (zoom") }
        return words
    }

    private static func send(_ sender: Laptop, _ body: (_ link: String) async throws -> Void) async throws {
        try await sender.start(["send", "Pair", "--no-discovery", "--format", "json"]) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
            try await body(try #require(try JSONValue(parsing: line)["link"]?.string))
            child.kill(SIGINT)
            _ = await child.waitForExit()
        }
    }

    /// The line of a type in what a terminal has shown.
    private static func line(_ type: String, in text: String) throws -> JSONValue {
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains("\"type\":\"\(type)\"") }
        let line = try #require(lines.last, "\(type): \(text)")
        return try JSONValue(parsing: String(line[(line.firstIndex(of: "{") ?? line.startIndex)...]))
    }

    @Test(arguments: 1...8) func everyNumberIsThatOfThePlaces(seed: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let counted = try await Self.count("make", "\(seed)", directory.path("maps"))
            let (old, new) = (directory.path("maps/old.mbtiles"), directory.path("maps/new.mbtiles"))
            let (anna, ben) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await anna.must("import", old, "--name", "Pair")
            try await Self.send(anna) { link in
                let ending = try await ben.run("receive", link, "--yes")
                #expect(ending.code == 0, "\(ending)")
            }
            if seed % 3 != 0 { try await ben.must("import", directory.path("maps/other.mbtiles"), "--name", "Other") }
            if seed % 4 == 0 { try await ben.must("import", new, "--name", "Same") }

            let updated = try await anna.must("import", new, "--update", "Pair")
            Self.expect(try #require(try updated.lines("importedMap").first), counted, "import, seed \(seed)")
            let region = try #require(try await anna.must("show", "Pair").lines("region").first)
            #expect(region["tiles"] == counted["tiles"], "show, seed \(seed)")

            // A part that comes as a file: the newer tiles win.
            let exported = try await anna.must("export", "Pair", "--max-zoom", "9", "--to", directory.path("parts"))
            let file = try #require(try exported.lines("exported").first)
            let part = try #require(file["file"]?.string)
            let carl = Laptop(store: directory.path("c"))
            try await carl.must("import", old, "--name", "Pair")
            let joined = try await carl.must("import", part, "--update", "Pair")
            let ofPart = try await Self.count("compare", old, part)
            let line = try #require(try joined.lines("importedMap").first)
            if ofPart["newTiles"]?.int != 0 {
                for key in ["newTiles", "addedTiles"] {
                    #expect(line[key] == ofPart[key], "part, seed \(seed): \(key)")
                }
            }
            // A file with all tiles is no part.
            let tiles = file["part"] == nil ? "tiles" : "unionTiles"
            #expect(line["region"]?["tiles"] == ofPart[tiles], "part, seed \(seed)")

            // The same numbers on the screen, before the yes and after it.
            let dora = Laptop(store: directory.path("d"))
            try FileManager.default.copyItem(atPath: ben.store, toPath: dora.store)
            try await Self.send(anna) { link in
                let (status, offer, text) = try await dora.inTerminal(["receive", link], columns: 250) { screen in
                    try await screen.wait { $0.hasOffer }
                    let offer = screen.text
                    try screen.type("y\n")
                    let (status, text) = try await screen.complete()
                    return (status, offer, text)
                }
                #expect(status == .exited(0), "\(text)")
                let received = text[(text.range(of: "Received Pair")?.lowerBound ?? text.endIndex)...]
                for shown in [Substring(offer), received] {
                    let line = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    for words in try Self.words(counted) {
                        #expect(line.contains(words), "seed \(seed): \(words): \(text)")
                    }
                }
            }

            try await Self.send(anna) { link in
                let arguments = ["receive", link, "--format", "json"]
                let (status, text) = try await ben.inTerminal(arguments, columns: 4000) { screen in
                    try await screen.wait { $0.hasOffer }
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
                Self.expect(try Self.line("offer", in: text), counted, "offer, seed \(seed)")
                Self.expect(try Self.line("received", in: text), counted, "received, seed \(seed)")
                let now = try #require(try await ben.must("show", "Pair").lines("region").first)
                #expect(now["tiles"] == counted["tiles"], "show there, seed \(seed)")
            }
        }
    }
}
