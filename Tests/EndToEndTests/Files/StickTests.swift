import Foundation
import PeerTestSupport
import Testing

/// Regions on sticks, between two programs that have no network.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct StickTests {
    @Test func anUpdateGoesByStick() async throws {
        try await ConnectTests.withTwo { sender, receiver, directory in
            let stick = directory.path("stick")
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: stick).sorted() }
            func request() async throws {
                let ending = try await receiver.must("receive", "--stick", stick)
                #expect(try ending.lines("stickRequest").count == 1)
            }
            // Nobody has asked yet.
            let none = try await sender.run("send", Example.name, "--stick", stick, "--yes")
            #expect(none.code != 0 && none.words.contains("receive --stick"), "\(none)")
            try await request()
            // A stranger is not asked for without a terminal.
            let stranger = try await sender.run("send", Example.name, "--stick", stick)
            #expect(try stranger.code == 64 && files().count == 1, "\(stranger)")
            try await sender.must("send", Example.name, "--stick", stick, "--yes")
            // Another machine writes nothing of its own to this stick unasked.
            let other = try await Laptop(store: directory.path("c")).run("receive", "--stick", stick)
            #expect(try other.code == 64 && other.words.contains("--yes") && files().count == 2, "\(other)")
            let first = try await receiver.must("receive", "--stick", stick, "--yes")
            #expect(try first.lines("received").first?["imported"] == Example.counts)
            try Example.expectSame(sender, receiver)
            // What was sealed for this machine is used up.
            #expect(try files().allSatisfy { $0.hasSuffix(".stick-request") })

            // The map gets another part, and an item a new name: only the difference is on the stick.
            try await request()
            try await sender.must("rename", Example.name, "A new name", "--waypoint", "1")
            let written = try #require(
                try await sender.must("send", Example.name, "--stick", stick, "--yes").lines("stickWritten").first
            )
            #expect(written["size"]?.int ?? .max < 200_000, "\(written)")
            let offer = try await receiver.tell("receive", "--stick", stick, "--yes")
            #expect(offer.code == 0 && offer.words.contains("offers “\(Example.name)”"), "\(offer)")
            // A stranger replaces nothing without a question.
            #expect(offer.description.contains("theirs “A new name”"), "\(offer)")
            // So its file stays, for a decision, and its key, too.
            #expect(offer.words.contains("stays on the stick, for what differs from yours"), "\(offer)")
            let kept = try #require(try files().first { $0.hasSuffix(".stick") })
            let later = try await receiver.run("receive", "--stick", stick, "--yes")
            #expect(try later.code == 0 && later.lines("offer").count == 1 && files().contains(kept), "\(later)")
            // What a friend sends replaces what is older here, so nothing is left in the file.
            let peer = try #require(try later.lines("offer").first?["peer"]?["id"]?.string)
            try await receiver.must("peers", "trust", peer, "--name", "Anna")
            let friendly = try await receiver.must("receive", "--stick", stick, "--yes")
            #expect(try friendly.lines("received").count == 1 && files().isEmpty, "\(friendly)")

            // Damaged and cut-off files change nothing.
            try await request()
            try await sender.must("send", Example.name, "--stick", stick, "--yes")
            let path = try #require(try files().first { $0.hasSuffix(".stick") }.map { stick + "/" + $0 })
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            try whole.prefix(whole.count - 1).write(to: URL(fileURLWithPath: path))
            let damaged = try await receiver.run("receive", "--stick", stick, "--yes")
            #expect(damaged.code != 0 && damaged.words.contains("only a part"), "\(damaged)")
            #expect(try damaged.lines("offer").isEmpty, "\(damaged)")
            try whole.write(to: URL(fileURLWithPath: path))
            // For the same request there is a file already.
            let twice = try await sender.tell("send", Example.name, "--stick", stick, "--yes")
            #expect(twice.code == 0 && twice.words.contains("was written before for this request"), "\(twice)")
            try await receiver.must("receive", "--stick", stick, "--yes")

            // A file for a request that is used up is said to be old, and the next request is written.
            try whole.write(to: URL(fileURLWithPath: path))
            let old = try await receiver.tell("receive", "--stick", stick, "--yes")
            #expect(old.code == 0 && old.words.contains("used up"), "\(old)")
            #expect(old.description.contains("Wrote a request"), "\(old)")
        }
    }

    /// Each region has a file, and one link opens all.
    @Test func severalRegionsGoToOneStick() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let stick = directory.path("stick")
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            for (name, seed) in [("Nordkette", 1), ("Karwendel", 2)] as [(String, UInt64)] {
                let path = directory.path("\(name).mbtiles")
                try MapMaker.make(path, name: name, seed: seed)
                try await sender.must("import", path)
            }
            // Its own request is none of another machine.
            try await sender.must("receive", "--stick", stick)
            let own = try await sender.run("send", "--all", "--stick", stick, "--yes")
            #expect(own.code != 0 && own.words.contains("no request of another machine"), "\(own)")
            let written = try await sender.must("send", "--all", "--stick", stick, "--anyone").lines("stickWritten")
            let links = Set(written.compactMap { $0["link"]?.string })
            #expect(written.count == 2 && links.count == 1, "\(written)")
            let link = try #require(links.first)
            let arguments = ["receive", "--stick", stick, "--link", "--yes", "--format", "json"]
            let ending = try await receiver.start(arguments) { child in
                try child.write(link + "\n")
                return await child.ending()
            }
            #expect(ending.code == 0, "\(ending)")
            #expect(try ending.lines("received").count == 2, "\(ending)")
        }
    }

    @Test func whoHasTheLinkCanReadIt() async throws {
        try await ConnectTests.withTwo { sender, receiver, directory in
            let stick = directory.path("stick")
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            let written = try await sender.must("send", Example.name, "--stick", stick, "--anyone")
            let link = try #require(try written.lines("stickWritten").first?["link"]?.string)
            func receive(_ link: String, _ options: String...) async throws -> Ending {
                let arguments = ["receive", "--stick", stick, "--link", "--format", "json"] + options
                return try await receiver.start(arguments) { child in
                    try child.write(link + "\n")
                    return await child.ending()
                }
            }
            let wrong = try await receive(String(link.dropLast(2)) + (link.hasSuffix("0G") ? "10" : "0G"), "--yes")
            #expect(wrong.code != 0, "\(wrong)")
            // Its sender is not trusted, which nobody can be asked about; this is said once, with what helps.
            let unasked = try await receive(link)
            #expect(unasked.code == 64 && unasked.words.contains("or use --yes"), "\(unasked)")
            #expect(unasked.words.components(separatedBy: "is not trusted").count == 2, "\(unasked)")
            let right = try await receive(link, "--yes")
            #expect(right.code == 0, "\(right)")
            try Example.expectSame(sender, receiver)
            // A second file has a name and a link of its own.
            let second = try await sender.must("send", Example.name, "--stick", stick, "--anyone")
            let other = try #require(try second.lines("stickWritten").first)
            let path = try #require(other["file"]?.string)
            #expect(path.hasSuffix("-2.stick") && other["link"]?.string != link, "\(other)")
            // When all names are taken, nothing is overwritten.
            for number in 3...99 {
                let file = path.replacingOccurrences(of: "-2.stick", with: "-\(number).stick")
                #expect(FileManager.default.createFile(atPath: file, contents: nil))
            }
            let full = try await sender.run("send", Example.name, "--stick", stick, "--anyone")
            #expect(full.code != 0 && full.words.contains("There are 99 files of “\(Example.name)”"), "\(full)")
        }
    }

    /// A link opens nothing where nothing is.
    @Test func aLinkForAnotherStickSaysSo() async throws {
        try await ConnectTests.withTwo { sender, receiver, directory in
            let sticks = ["full", "empty"].map(directory.path)
            for stick in sticks {
                try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            }
            let written = try await sender.must("send", Example.name, "--stick", sticks[0], "--anyone")
            let link = try #require(try written.lines("stickWritten").first?["link"]?.string)
            let arguments = ["receive", "--stick", sticks[1], "--link", "--yes", "--format", "json"]
            let ending = try await receiver.start(arguments) { child in
                try child.write(link + "\n")
                return await child.ending()
            }
            #expect(ending.code != 0 && ending.words.contains("The link opens no file"), "\(ending)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: sticks[1]).isEmpty)
        }
    }

    /// Neither trust nor `--yes` puts an older map in the place of a newer one.
    @Test func anOlderMapReplacesNothingUnasked() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let stick = directory.path("stick")
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            for (name, seed, date) in [("old", 1, "2020-01-01"), ("new", 2, "2026-06-01")] as [(String, UInt64, String)]
            {
                let more = "INSERT INTO metadata VALUES ('date', '\(date)')"
                try MapMaker.make(directory.path(name + ".mbtiles"), seed: seed, more: more)
            }
            try await sender.must("import", directory.path("old.mbtiles"))
            try await receiver.must("receive", "--stick", stick)
            try await sender.must("send", "Nordkette", "--stick", stick, "--yes")
            let first = try await receiver.must("receive", "--stick", stick, "--yes")
            let peer = try #require(try first.lines("offer").first?["peer"]?["id"]?.string)
            try await receiver.must("peers", "trust", peer, "--name", "Anna")
            try await receiver.must("import", directory.path("new.mbtiles"), "--update", "Nordkette", "--yes")
            let before = try StoreContents(of: receiver.store).files

            try await receiver.must("receive", "--stick", stick)
            try await sender.must("send", "Nordkette", "--stick", stick, "--yes")
            for options in [["--yes"], []] {
                let arguments = ["receive", "--stick", stick, "--format", "json"] + options
                let refused = try await receiver.start(arguments) { await $0.ending() }
                #expect(refused.code == 5 && refused.words.contains("not replaced by an older map"), "\(refused)")
                #expect(try StoreContents(of: receiver.store).files == before)
            }
        }
    }
}
