import Foundation
import PeerTestSupport
import Testing

/// Commands that the program prints do what they say.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PrintedCommandTests {
    /// The words of a command, as a shell divides them.
    private static func words(_ line: some StringProtocol) -> [String] {
        var words: [String] = [""]
        var isQuoted = false
        for letter in line {
            switch letter {
            case "\"", "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(letter)
            }
        }
        return words.filter { !$0.isEmpty }
    }

    /// The examples in the help of a command, without the name of the program.
    private static func examples(of command: String, on laptop: Laptop) async throws -> [[String]] {
        let help = try await laptop.tell(command, "--help")
        return help.output.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("hikeshare \(command) ") }
            .map { Array(words($0).dropFirst()) }
    }

    @Test func theExamplesOfSendWorkWithTheExampleRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let others = ["Andorra", "--hotspot", "--stick", "3f9a12cd", "--phone"]
            let examples = try await Self.examples(of: "send", on: laptop).filter { words in
                !others.contains { words.contains($0) }
            }
            #expect(examples.contains { $0.contains("--along") } && examples.contains { $0.contains("--route") })
            for words in examples {
                let more = words.contains("--yes") ? [] : ["--yes"]
                try await laptop.start(words + more + ["--no-discovery", "--format", "json"]) { child in
                    try await child.waitForOutput { $0.contains(#""type":"listening""#) }
                    child.kill(SIGINT)
                    let ending = await child.ending()
                    #expect(ending.code == 130, "\(ending)")
                }
            }
        }
    }

    @Test func theRouteInTheReadmeAndInTheHelpOfReceiveIsInTheExample() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            let readme = try String(contentsOfFile: Place.repository + "/README.md", encoding: .utf8)
            let named = try #require(readme.firstMatch(of: /--along "([^"]+)"/)).1
            let exported = try await sender.run(
                "export",
                Example.name,
                "--to",
                directory.path("out"),
                "--mbtiles",
                "--along",
                String(named)
            )
            #expect(exported.code == 0, "\(exported)")
            let words = try #require(
                try await Self.examples(of: "receive", on: receiver).first { $0.contains("--along") }
            )
            try await sender.sendQuietly(Example.name) { running in
                let options = words.drop { $0 != "--along" }
                let ending = try await receiver.start(
                    ["receive", "--yes", "--format", "json", "--connect", "127.0.0.1:\(running.port)"] + options
                ) { await $0.ending() }
                #expect(ending.code == 0, "\(ending)")
                // The sender has said yes before it makes the part.
                let types = try ending.lines.compactMap(\.type)
                let yes = try #require(types.firstIndex(of: "accepted"))
                let offer = try #require(types.firstIndex(of: "offer"))
                #expect(yes < offer, "\(types)")
                #expect(
                    try ending.lines("offer").first?["part"]?["along"]?.array.first?.string
                        == "Arinsal - Pic de Comapedrosa"
                )
            }
        }
    }

    @Test func aMisspeltRouteIsGuessed() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let ending = try await laptop.run(
                "send",
                Example.name,
                "--no-discovery",
                "--yes",
                "--along",
                "Arinsal - Pic de Komapedrosa"
            )
            let remedy = try #require(try ending.problem()["remedy"]?.string)
            let guess = try #require(remedy.firstMatch(of: /Did you mean “([^”]+)”\?/), "\(ending)").1
            let exported = try await laptop.run(
                "export",
                Example.name,
                "--to",
                directory.path("out"),
                "--mbtiles",
                "--along",
                String(guess)
            )
            #expect(exported.code == 0, "\(exported)")
            // The other command that it names.
            let show = try #require(remedy.firstMatch(of: /'hikeshare ([^']+)'/)).1
            let shown = try await laptop.start(Self.words(show)) { await $0.ending() }
            #expect(shown.code == 0, "\(shown)")
        }
    }

    /// Of several items with one name, the sender has removed one; the command removes that one here.
    @Test func whatTheSenderHasRemovedIsRemovedByItsNumber() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            for position in ["42.59,1.44", "42.58,1.45", "42.57,1.46"] {
                try await sender.must("waypoint", "add", Example.name, position, "Parking")
            }
            try await sender.sendQuietly(Example.name) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            let parkings = try await sender.must("show", Example.name).lines("waypoint").filter {
                $0["label"]?.string == "Parking"
            }
            let removed = try #require(parkings.dropFirst().first?["id"]?.string)
            try await sender.must("remove", Example.name, "--waypoint", String(removed.prefix(8)), "--yes")
            let id = try await sender.id()
            try await receiver.must("peers", "trust", id, "--name", "Anna")
            try await sender.sendQuietly(Example.name) { running in
                let ending = try await receiver.start(
                    ["receive", "--yes", "--retries", "0", "--connect", "127.0.0.1:\(running.port)"]
                ) { await $0.ending() }
                #expect(ending.code == 0, "\(ending)")
                let line = try #require(
                    (ending.output + ending.errorOutput).first { $0.contains("hikeshare remove") },
                    "\(ending)"
                )
                #expect(line.contains("“Parking”"), "\(line)")
                let command = try #require(line.firstMatch(of: /hikeshare (remove .*)$/)).1
                let done = try await receiver.start(Self.words(command) + ["--yes"]) { await $0.ending() }
                #expect(done.code == 0, "\(done)")
            }
            let left = try await receiver.must("show", Example.name).lines("waypoint").compactMap { $0["id"]?.string }
            #expect(!left.contains(removed) && left.count == 48)
        }
    }
}
