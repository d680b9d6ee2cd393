import Foundation
import GRDB
import PeerTestSupport
import Testing

/// Transfers by address, over loopback.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ConnectTests {
    /// A laptop with the example region and one without anything.
    static func withTwo(_ body: (Laptop, Laptop, TemporaryDirectory) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try await Example.put(on: sender)
            try await body(sender, Laptop(store: directory.path("b")), directory)
        }
    }

    @Test(arguments: [[], ["--encryption", "none"], ["--encryption", "optional"]])
    func everythingCrossesAndBothSidesSaySo(options: [String]) async throws {
        try await Self.withTwo { sender, receiver, directory in
            let encryption = options.last ?? "required"
            let (received, sent) = try await sender.sendQuietly(Example.name, ["--once", "--encryption", encryption]) {
                running in
                #expect(running.listening["regionName"]?.string == Example.name)
                #expect(running.listening["encryption"]?.string == encryption)
                let received = try await receiver.receive(from: running.port, "--encryption", encryption)
                return (received, await running.child.ending())
            }
            #expect(received.code == 0, "\(received)")
            #expect(sent.code == 0, "\(sent)")
            let last = try #require(try received.lines.last)
            #expect(last.type == "received")
            #expect(last["imported"] == Example.counts)
            #expect(last["keptLocal"] == .object([:]))
            #expect(try last["peer"]?["id"] == sent.lines("listening").first?["peerID"])
            #expect(last["peer"]?["encrypted"]?.bool == (encryption != "none"))
            let told = try #require(try sent.lines.last)
            #expect(told.type == "sent")
            #expect(told["imported"] == Example.counts)
            #expect(told["bytes"] == last["bytes"])
            #expect(try sent.lines("invitation").count == 1)
            let offer = try #require(try received.lines("offer").first)
            #expect(offer["tiles"]?.int == 120)
            #expect(offer["resources"]?.array.count == 5)
            #expect(offer["size"] == last["bytes"])
            let progress = try received.lines("progress")
            #expect(!progress.isEmpty)
            #expect(progress.allSatisfy { $0["size"] == last["bytes"] && $0["transfer"]?.int == 1 })
            try await Example.expectWhole(on: receiver, as: sender, in: directory)
        }
    }

    @Test(arguments: ["required", "none"]) func noPrivilegesAreNeeded(encryption: String) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"), hasPrivileges: false)
            let receiver = Laptop(store: directory.path("b"), hasPrivileges: false)
            try await Example.put(on: sender)
            let (received, sent) = try await sender.sendQuietly(Example.name, ["--once", "--encryption", encryption]) {
                running in
                let received = try await receiver.receive(from: running.port, "--encryption", encryption)
                return (received, await running.child.ending())
            }
            #expect(received.code == 0, "\(received)")
            #expect(sent.code == 0, "\(sent)")
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aRegionThatIsThereAlreadyCrossesWithoutItsBytes() async throws {
        try await Self.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name) { running in
                #expect(try await receiver.receive(from: running.port).code == 0)
                let again = try await receiver.receive(from: running.port)
                #expect(again.code == 0, "\(again)")
                let last = try #require(try again.lines.last)
                #expect(last["imported"] == .object([:]), "\(again)")
                #expect(last["bytes"]?.int == 0, "\(again)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test(arguments: ["json", "text"])
    func bothSidesAreToldWhatWasKept(format: String) async throws {
        try await Self.withTwo { sender, receiver, _ in
            // Who is not known replaces nothing.
            try await receiver.must("peers", "trust", sender.id(), "--name", "Anna")
            try await sender.sendQuietly(Example.name) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            // Two are edited on one side, three on the other, one of these before; a hike on both at the same time.
            for (laptop, words, seconds, numbers) in [
                (receiver, "Mine", 60, 0...1), (sender, "Theirs", 30, 0...0), (sender, "Theirs", 30, 2...3),
            ] {
                let some = "SELECT id FROM waypoint ORDER BY id LIMIT \(numbers.count) OFFSET \(numbers.lowerBound)"
                let change = "label = '\(words)', note = '\(words)', modifiedAt = time + \(seconds)"
                try edit(laptop, "UPDATE waypoint SET \(change) WHERE id IN (\(some))")
            }
            try edit(receiver, "UPDATE hike SET comment = 'Mine', modifiedAt = startTime + 60")
            try edit(sender, "UPDATE hike SET comment = 'Theirs', modifiedAt = startTime + 60")
            try edit(receiver, "UPDATE region SET name = 'Home'")

            let options = ["send", Example.name, "--yes", "--once", "--no-discovery", "--format", format]
            let (received, sent) = try await sender.start(options) { child in
                let mark = format == "json" ? #""port":"# : "--connect "
                let line = try await child.waitForOutput { $0.contains(mark) }
                let end = line.split(separator: format == "json" ? mark : ":").last
                let port = end.flatMap { Int($0.prefix { $0.isNumber }) }
                let address = "127.0.0.1:\(try #require(port))"
                let arguments = ["receive", "--yes", "--connect", address, "--format", format]
                let received = try await receiver.start(arguments) { await $0.ending() }
                return (received, await child.ending())
            }
            #expect(received.code == 0 && sent.code == 0, "\(received)\n\(sent)")
            if format == "json" {
                let lines = [try received.lines("received").first, try sent.lines("sent").first]
                for line in lines {
                    #expect(line?["imported"] == .object(["waypoints": .number(2)]), "\(String(describing: line))")
                    // The second was edited at the receiver only: what comes is older.
                    let kept = JSONValue.object(["waypoints": .number(2), "savedroutes": .number(1)])
                    #expect(line?["keptLocal"] == kept, "\(String(describing: line))")
                }
                #expect(try received.lines("received").first?["regionName"]?.string == "Home")
                #expect(try received.lines("received").first?["nameThere"]?.string == Example.name)
            } else {
                #expect(
                    received.output.contains { $0.hasPrefix("Received Home from") && $0.hasSuffix(": 2 waypoints") },
                    "\(received)"
                )
                #expect(received.output.contains("  Kept yours: “Mine”, theirs “Theirs”"), "\(received)")
                #expect(
                    received.output.contains("Kept your name for the region; the sender calls it “\(Example.name)”"),
                    "\(received)"
                )
                #expect(sent.output.contains { $0.hasSuffix("has received: 2 waypoints") }, "\(sent)")
                #expect(sent.output.contains("  Kept theirs: “Mine”, yours “Theirs”"), "\(sent)")
            }
            let contents = try StoreContents(of: receiver.store)
            let notes = contents.rows["waypoint"]?.compactMap { $0["note"].flatMap(String.fromDatabaseValue) } ?? []
            #expect(notes.count { $0 == "Mine" } == 2 && notes.count { $0 == "Theirs" } == 2)
            #expect(contents.rows["hike"]?.first?["comment"] == "Mine".databaseValue)
        }
    }

    /// Changes a store's database, as another program does.
    private func edit(_ laptop: Laptop, _ sql: String) throws {
        let queue = try DatabaseQueue(path: laptop.store + "/hikeshare.sqlite")
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(arguments: [("none", "required"), ("required", "none")])
    func sidesThatDoNotAgreeOnEncryptionRefuseOneAnother(sending: String, receiving: String) async throws {
        try await Self.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name, ["--encryption", sending]) { running in
                let refused = try await receiver.receive(from: running.port, "--encryption", receiving)
                #expect(refused.code == 5, "\(refused)")
                let problem = try refused.problem()
                #expect(problem["code"]?.string == "encryptionMismatch")
                #expect(problem["exitCode"]?.int == 5)
                #expect(problem["message"]?.string?.contains("ncrypt") == true)
                #expect(problem["remedy"]?.string?.contains("--encryption") == true)
                let told = try await running.ended(transfer: 1)
                #expect(told.type == "notSent")
                #expect(told["code"]?.string == "encryptionMismatch", "\(told)")

                // The sender goes on for those who agree.
                let honest = try await receiver.receive(from: running.port, "--encryption", sending)
                #expect(honest.code == 0, "\(honest)")
                #expect(await running.interrupt().code == 130)
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aSenderThatDoesNotInsistGivesInToPlainText() async throws {
        try await Self.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name, ["--encryption", "optional"]) { running in
                let received = try await receiver.receive(from: running.port, "--encryption", "none")
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines.last?["peer"]?["encrypted"]?.bool == false)
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func severalReceiversAreServedAtOnceAndThenAnother() async throws {
        // No more than two at once: all come from one address, and only two strangers of an address may wait for an answer.
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try await Example.put(on: sender)
            try await sender.sendQuietly(Example.name) { running in
                let endings = try await withThrowingTaskGroup(of: Ending.self) { group in
                    for index in 1...2 {
                        group.addTask {
                            try await Laptop(store: directory.path("b\(index)")).receive(from: running.port)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(endings.map(\.code) == [0, 0], "\(endings)")
                let last = try await Laptop(store: directory.path("b3")).receive(from: running.port)
                #expect(last.code == 0, "\(last)")
                _ = try await running.ended(transfer: 3)
                let sent = await running.interrupt()
                #expect(sent.code == 130, "\(sent)")
                #expect(try sent.lines("sent").count == 3)
                #expect(try sent.problem()["message"]?.string?.contains("no longer sending") == true)
            }
            for index in 1...3 { try Example.expectSame(sender, Laptop(store: directory.path("b\(index)"))) }
        }
    }

    @Test func theHistoryOfBothSidesNamesTheOther() async throws {
        try await Self.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name, ["--once", "--name", "Anna’s laptop"]) { running in
                let received = try await receiver.receive(from: running.port, "--name", "Bert")
                #expect(received.code == 0, "\(received)")
                #expect(await running.child.ending().code == 0)
            }
            let there = try #require(try await receiver.must("show", Example.name).lines("transfer").first)
            #expect(there["direction"]?.string == "received")
            #expect(there["peerName"]?.string == "Anna’s laptop")
            #expect(there["outcome"]?.string == "completed")
            let here = try #require(try await sender.must("show", Example.name).lines("transfer").first)
            #expect(here["direction"]?.string == "sent")
            #expect(here["peerName"]?.string == "Bert")
        }
    }

    @Test func aDiskWithoutRoomIsSaidBeforeAnythingIsWritten() async throws {
        try await Self.withTwo { sender, _, directory in
            let small = directory.path("small")
            try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
            try await sender.sendQuietly(Example.name) { running in
                // A small disk in a mount namespace of its own; it goes away with the program.
                let script = #"mount -t tmpfs -o size=40m tmpfs "$0" && exec "$@""#
                let arguments = [
                    "-m", "sh", "-c", script, small, Place.program, "receive", "--yes", "--store", small + "/store",
                    "--connect", "127.0.0.1:\(running.port)", "--format", "json",
                ]
                let ending = try await ChildProcess.with("unshare", arguments) { child in
                    try await Laptop.impatiently(child) { await child.ending() }
                }
                #expect(ending.code == 7, "\(ending)")
                let problem = try ending.problem()
                #expect(problem["message"]?.string?.contains("Not enough disk space") == true, "\(ending)")
                #expect(problem["message"]?.string?.contains("MB") == true)
                let remedy = problem["remedy"]?.string ?? ""
                #expect(remedy.contains("Free") && remedy.contains("--along"), "\(ending)")
                let told = try await running.ended(transfer: 1)
                #expect(told.type == "notSent")
                #expect(told["message"]?.string?.contains("its disk is too full") == true, "\(told)")
                // How much is free there is nobody's business before anybody has agreed.
                #expect(told["message"]?.string?.contains("MB") == false, "\(told)")
            }
        }
    }
}
