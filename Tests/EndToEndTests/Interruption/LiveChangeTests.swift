import Foundation
import GRDB
import PeerTestSupport
import Testing

/// What other processes do with a store in the middle of a transfer of 65 MB.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct LiveChangeTests {
    private static let name = "Great Traverse"
    private static let middle = 20_000_000

    /// A sender with a large region and two waypoints, and a laptop.
    private func withTwo(
        _ body: (_ sender: Laptop, _ laptop: Laptop, _ directory: TemporaryDirectory) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try MapMaker.makeLarge(directory.path("large.mbtiles"))
            let waypoints = waypoint("Hut", 47.01) + waypoint("Spring", 47.02)
            let gpx = #"<gpx version="1.1" creator="t">\#(waypoints)</gpx>"#
            try Data(gpx.utf8).write(to: URL(fileURLWithPath: directory.path("w.gpx")))
            try await sender.must("import", directory.path("large.mbtiles"))
            try await sender.must("import", directory.path("w.gpx"), "--region", Self.name)
            try await body(sender, Laptop(store: directory.path("b")), directory)
        }
    }

    private func waypoint(_ name: String, _ latitude: Double) -> String {
        #"<wpt lat="\#(latitude)" lon="11.3"><time>2026-05-01T08:00:00Z</time><name>\#(name)</name></wpt>"#
    }

    /// Receives by a line that is held in the middle; then `body`, and the line is released; returns the receiver's end.
    private func receiving(
        from running: RunningSender,
        on laptop: Laptop,
        _ arguments: [String] = [],
        _ body: () async throws -> Void
    ) async throws -> Ending {
        try await HeldLine.with(to: running.port, holdingAfter: Self.middle) { line in
            let options = ["--yes", "--retries", "0", "--connect", "127.0.0.1:\(line.port)", "--format", "json"]
            return try await laptop.start(["receive"] + options + arguments) { receiver in
                await line.untilHeld()
                try await body()
                line.release()
                return await receiver.ending()
            }
        }
    }

    /// Changes a store's database, as another program does.
    private func edit(_ laptop: Laptop, _ sql: String) throws {
        let queue = try DatabaseQueue(path: laptop.store + "/hikeshare.sqlite")
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func labels(_ laptop: Laptop) async throws -> [String] {
        try await laptop.must("show", Self.name).lines("waypoint").compactMap { $0["label"]?.string }.sorted()
    }

    @Test func whatChangesAtTheSenderIsNotOfThisTransfer() async throws {
        try await withTwo { sender, laptop, directory in
            let before = try StoreContents(of: sender.store)
            try await sender.sendQuietly(Self.name) { running in
                let received = try await receiving(from: running, on: laptop) {
                    try edit(sender, "UPDATE waypoint SET label = 'Ruin', modifiedAt = 1790000000 WHERE label = 'Hut'")
                    try edit(sender, "DELETE FROM waypoint WHERE label = 'Spring'")
                    try edit(sender, "UPDATE region SET name = 'Renamed'")
                    try MapMaker.make(directory.path("other.mbtiles"), name: "Other")
                    try await sender.must("import", directory.path("other.mbtiles"))
                    try await sender.must("list")
                }
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines("received").first?["regionName"]?.string == Self.name)
                #expect(try await running.ended(transfer: 1).type == "sent")
            }
            let after = try StoreContents(of: laptop.store)
            #expect(after.differences(from: before).isEmpty, "\(after.differences(from: before))")
            #expect(after.files == before.files)
            // What is sent from now on is as it is now.
            try await sender.sendQuietly("Renamed") { running in
                let received = try await laptop.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
        }
    }

    @Test func aRunningSenderSaysThatItHasTheOldVersion() async throws {
        try await withTwo { sender, _, _ in
            try await sender.inTerminal(["send", Self.name, "--no-discovery", "--name", "Anna"]) { screen in
                _ = try await screen.senderPort()
                try await sender.must("rename", Self.name, "Renamed")
                try await screen.wait(for: "“\(Self.name)” was changed here.")
                try await sender.must("remove", "Renamed", "--yes", "--with-routes")
                try await screen.wait(for: "“\(Self.name)” was removed here.")
            }
        }
    }

    @Test func ctrlCAtAQuestionIsOnlyANoWhileATransferRuns() async throws {
        try await withTwo { sender, laptop, directory in
            try await sender.inTerminal(["send", Self.name, "--no-discovery", "--name", "Anna"]) { screen in
                let port = try await screen.senderPort()
                let first = try await HeldLine.with(to: port, holdingAfter: Self.middle) { line in
                    let address = ["--connect", "127.0.0.1:\(line.port)", "--retries", "0"]
                    let arguments = ["receive", "--yes", "--name", "Ben", "--format", "json"] + address
                    return try await laptop.start(arguments) { receiver in
                        try await screen.wait { $0.contains("Send it to “Ben”") && $0.hasSuffix("? [y/N] ") }
                        try screen.type("y\n")
                        await line.untilHeld()
                        let other = Laptop(store: directory.path("c"))
                        async let refused = other.receive(from: port, "--name", "Cleo")
                        try await screen.wait { $0.contains("Send it to “Cleo”") && $0.hasSuffix("? [y/N] ") }
                        try screen.type("\u{03}")
                        let second = try await refused
                        #expect(second.code == 5, "\(second)")
                        try await screen.wait(for: "That was a no to this question.")
                        line.release()
                        return await receiver.ending()
                    }
                }
                #expect(first.code == 0, "\(first)")
                try await screen.wait { $0.contains("“Ben” (new) has received: map") }
                try screen.type("\u{03}")
                let (status, text) = try await screen.complete()
                #expect(status == .exited(130), "\(text)")
            }
        }
    }

    @Test func whatIsRemovedAtTheSenderArrivesWithItsRoutes() async throws {
        try await withTwo { sender, laptop, _ in
            let before = try StoreContents(of: sender.store)
            try await sender.sendQuietly(Self.name) { running in
                let received = try await receiving(from: running, on: laptop) {
                    try await sender.must("remove", Self.name, "--yes", "--with-routes")
                    #expect(try await sender.must("list").lines.isEmpty)
                }
                #expect(received.code == 0, "\(received)")
            }
            let after = try StoreContents(of: laptop.store)
            #expect(after.differences(from: before).isEmpty)
            #expect(after.files == before.files)
            try await sender.must("list")
            #expect(try StoreContents(of: sender.store).files.isEmpty)
            #expect(try StoreContents(of: sender.store).unfinished.isEmpty)
        }
    }

    @Test func whatIsDoneAtTheReceiverMeanwhileDoesNotDisturb() async throws {
        try await withTwo { sender, laptop, directory in
            try await sender.sendQuietly(Self.name) { running in
                let received = try await receiving(from: running, on: laptop) {
                    #expect(try await laptop.must("list").lines.isEmpty)
                    let arriving = try await laptop.must("list", "--incoming").lines("incoming")
                    #expect(arriving.map { $0["isArriving"]?.bool } == [true])
                    for arguments in [["discard", "--all"], ["discard", Self.name]] {
                        let discarded = try await laptop.start(arguments + ["--format", "json"]) { await $0.ending() }
                        #expect(discarded.code == 7, "\(discarded)")
                        #expect(try discarded.problem()["code"]?.string == "conflict")
                        #expect(discarded.words.contains("already being received"), "\(discarded)")
                    }
                    try MapMaker.make(directory.path("other.mbtiles"), name: "Other")
                    try await laptop.must("import", directory.path("other.mbtiles"))
                    try await laptop.must("remove", "Other", "--yes")
                }
                #expect(received.code == 0, "\(received)")
            }
            try Example.expectSame(sender, laptop)
        }
    }

    @Test func aRegionThatIsRemovedWhileItIsReceivedIsNotBroughtBackUnasked() async throws {
        try await withTwo { sender, laptop, _ in
            // The laptop has another map of the region, so that there is something to receive.
            try await sender.sendQuietly(Self.name) { running in
                let received = try await laptop.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            let file = try #require(try StoreContents(of: laptop.store).files.keys.first)
            try FileManager.default.removeItem(atPath: laptop.store + "/" + file)
            try await sender.sendQuietly(Self.name) { running in
                let received = try await receiving(from: running, on: laptop) {
                    try await laptop.must("remove", Self.name, "--yes", "--with-routes")
                }
                #expect(received.code == 7, "\(received)")
                #expect(try received.problem()["code"]?.string == "conflict")
                #expect(received.words.contains("was removed from this machine during the transfer"), "\(received)")
                let told = try await running.ended(transfer: 1)
                #expect(told.type == "notSent", "\(told)")
                #expect(told["message"]?.string?.contains("was removed from this machine") == true, "\(told)")
                #expect(try StoreContents(of: laptop.store).count("region") == 0)
                // All of it has arrived; the next one has only to say yes.
                let again = try await laptop.receive(from: running.port)
                #expect(again.code == 0, "\(again)")
                #expect(try #require(try again.lines("received").first?["bytes"]?.int) < 1000)
            }
            try Example.expectSame(sender, laptop)
        }
    }

    @Test func twoSendersOfOneRegionToOneStoreAtOnce() async throws {
        try await withTwo { sender, laptop, directory in
            let friend = Laptop(store: directory.path("friend"))
            try await sender.sendQuietly(Self.name) { running in
                let received = try await friend.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            try edit(friend, "UPDATE waypoint SET label = 'Ruin', modifiedAt = 1790000000 WHERE label = 'Hut'")
            // Neither would replace anything of the other's if they were strangers.
            for (other, name) in [(sender, "Anna"), (friend, "Bert")] {
                try await laptop.must("peers", "trust", other.id(), "--name", name)
            }
            try await sender.sendQuietly(Self.name) { first in
                try await friend.sendQuietly(Self.name) { second in
                    let received = try await receiving(from: first, on: laptop) {
                        let other = try await receiving(from: second, on: laptop) {}
                        #expect(other.code == 0, "\(other)")
                        #expect(try await labels(laptop) == ["Ruin", "Spring"])
                    }
                    #expect(received.code == 0, "\(received)")
                    let last = try #require(try received.lines("received").first)
                    #expect(last["imported"] == .object([:]), "\(last)")
                    #expect(last["keptLocal"] == .object(["waypoints": .number(1)]), "\(last)")
                    #expect(try await first.ended(transfer: 1)["keptLocal"] == last["keptLocal"])
                }
            }
            #expect(try await labels(laptop) == ["Ruin", "Spring"])
            try Example.expectSame(friend, laptop)
        }
    }

    @Test func twoSendersOnOneStoreServeSideBySide() async throws {
        try await withTwo { sender, laptop, directory in
            try MapMaker.make(directory.path("other.mbtiles"), name: "Other")
            try await sender.must("import", directory.path("other.mbtiles"))
            try await sender.sendQuietly(Self.name) { first in
                try await sender.sendQuietly("Other") { second in
                    #expect(first.listening["peerID"] == second.listening["peerID"])
                    let received = try await receiving(from: first, on: laptop) {
                        let other = try await laptop.receive(from: second.port)
                        #expect(other.code == 0, "\(other)")
                        #expect(await second.interrupt().code == 130)
                    }
                    #expect(received.code == 0, "\(received)")
                }
            }
            #expect(try StoreContents(of: laptop.store).files == StoreContents(of: sender.store).files)
        }
    }

    @Test func aFileThatWasRemovedByHandIsSaidAtOnce() async throws {
        try await withTwo { sender, _, _ in
            let file = try #require(try StoreContents(of: sender.store).files.keys.first)
            try FileManager.default.removeItem(atPath: sender.store + "/" + file)
            let sent = try await sender.run("send", Self.name, "--yes", "--no-discovery")
            #expect(sent.code == 7, "\(sent)")
            let problem = try sent.problem()
            #expect(problem["code"]?.string == "storage")
            #expect(problem["message"]?.string?.contains(file) == true, "\(problem)")
            #expect(problem["message"]?.string?.contains("does not exist") == true, "\(problem)")
            #expect(problem["remedy"]?.string?.isEmpty == false, "\(problem)")
        }
    }

    @Test func aStoreThatWasRemovedByHandIsSaidToBothSides() async throws {
        try await withTwo { sender, laptop, directory in
            try await sender.sendQuietly(Self.name) { running in
                // Who is at it has the file open and gets it whole.
                let received = try await receiving(from: running, on: laptop) {
                    try FileManager.default.removeItem(atPath: sender.store)
                }
                #expect(received.code == 0, "\(received)")
                let other = Laptop(store: directory.path("c"))
                let refused = try await other.receive(from: running.port)
                #expect(refused.code == 1, "\(refused)")
                #expect(refused.words.contains("removed"), "\(refused)")
                // Where it was is nobody else's business.
                #expect(!refused.words.contains(sender.store), "\(refused)")
                let told = try await running.ended(transfer: 2)
                #expect(told["code"]?.string == "localStorage", "\(told)")
                #expect(told["message"]?.string?.contains("removed") == true, "\(told)")
                #expect(try StoreContents(of: other.store).count("region") == 0)
            }
        }
    }
}
