import Foundation
import PeerTestSupport
import Testing

/// What happens when a side is stopped or dies in the middle of a transfer of 65 MB.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct InterruptionTests {
    private static let region = "Great Traverse"
    private static let middle = 20_000_000

    /// A sender with a large region, and a line to it that is held in the middle of the transfer.
    private func withTransfer(
        _ body: (
            _ sender: RunningSender, _ receiver: ChildProcess, _ line: HeldLine, _ laptop: Laptop
        ) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, laptop) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.makeLarge(directory.path("large.mbtiles"))
            try await sender.must("import", directory.path("large.mbtiles"))
            try await sender.sendQuietly(Self.region) { running in
                try await HeldLine.with(to: running.port, holdingAfter: Self.middle) { line in
                    let arguments = [
                        "receive", "--yes", "--retries", "0", "--connect", "127.0.0.1:\(line.port)", "--format", "json",
                    ]
                    try await laptop.start(arguments) { receiver in
                        try await receiver.waitForOutput { $0.contains(#""type":"progress""#) }
                        await line.untilHeld()
                        try await body(running, receiver, line, laptop)
                    }
                }
            }
        }
    }

    /// Expects that nothing of the region is in a store, once the next command has cleared up.
    private func expectNothing(on laptop: Laptop) async throws {
        try await laptop.must("list")
        let contents = try StoreContents(of: laptop.store)
        #expect(contents.count("region") == 0)
        #expect(contents.files.isEmpty)
        #expect(contents.unfinished.isEmpty)
    }

    /// Expects that the next try goes on where this one ended.
    private func expectHonestReceiverIsServed(by sender: RunningSender, _ laptop: Laptop) async throws {
        let kept = try await laptop.must("list", "--incoming", "--format", "json").lines("incoming")
        let here = try #require(kept.first?["bytes"]?.int)
        #expect(here > 1_000_000)
        let name = try #require(kept.first?["regionName"]?.string)
        let shown = try await laptop.run("show", name)
        #expect(shown.words.contains("“\(name)” is not complete yet"), "\(shown)")
        let received = try await laptop.receive(from: sender.port)
        #expect(received.code == 0, "\(received)")
        let size = try #require(kept.first?["size"]?.int)
        let crossed = try #require(try received.lines("received").first?["bytes"]?.int)
        // Two pieces may be half written and hashed in vain.
        #expect(crossed <= size - here + 4 << 20, "\(crossed) of \(size) crossed, \(here) already here")
        #expect(try StoreContents(of: laptop.store).incoming.isEmpty)
        #expect(try StoreContents(of: laptop.store).files.count == 1)
    }

    @Test func aReceiverThatIsInterruptedSaysSoAndSoDoesTheSender() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            receiver.kill(SIGINT)
            let told = try await sender.ended(transfer: 1)
            line.release()
            #expect(told.type == "notSent")
            #expect(told["code"]?.string == "peerCancelled")
            // A person stopped it; that the program ended would be said in other words.
            #expect(told["message"]?.string?.contains("other side stopped") == true, "\(told)")
            #expect(told["message"]?.string?.contains("it was interrupted") == true, "\(told)")
            let received = await receiver.ending()
            #expect(received.code == 130, "\(received)")
            let problem = try received.problem()
            #expect(problem["code"]?.string == "interrupted")
            #expect(problem["message"]?.string == "Interrupted; the region is not complete.")
            let kept = try received.lines("kept")
            #expect(kept.count == 1)
            #expect(kept.first?["bytes"]?.int ?? 0 > 1_000_000)
            #expect(try received.lines("received").isEmpty)
            try await expectNothing(on: laptop)
            try await expectHonestReceiverIsServed(by: sender, laptop)
        }
    }

    @Test func aSenderThatIsInterruptedSaysSoAndSoDoesTheReceiver() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            sender.child.kill(SIGINT)
            // The sender waits for its last word to arrive, but not for ever.
            line.release()
            let told = try await sender.ended(transfer: 1)
            #expect(told.type == "notSent")
            #expect(told["code"]?.string == "cancelled", "\(told)")
            let received = await receiver.ending()
            #expect(received.code == 5, "\(received)")
            let problem = try received.problem()
            #expect(problem["code"]?.string == "peerCancelled")
            #expect(problem["message"]?.string?.contains("sender has stopped") == true)
            let sent = await sender.child.ending()
            #expect(sent.code == 130, "\(sent)")
            try await expectNothing(on: laptop)
        }
    }

    @Test func aReceiverThatDiesLeavesTheSenderServing() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            receiver.kill(SIGKILL)
            _ = await receiver.waitForExit()
            line.release()
            let told = try await sender.ended(transfer: 1)
            #expect(told.type == "notSent")
            #expect(told["code"]?.string == "connectionLost", "\(told)")
            try await expectNothing(on: laptop)
            try await expectHonestReceiverIsServed(by: sender, laptop)
        }
    }

    @Test func aReceiverWhoseSenderDiesSaysThatTheConnectionIsLost() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            sender.child.kill(SIGKILL)
            _ = await sender.child.waitForExit()
            line.release()
            let received = await receiver.ending()
            #expect(received.code == 4, "\(received)")
            let problem = try received.problem()
            #expect(problem["code"]?.string == "connectionLost")
            #expect(problem["message"]?.string?.contains("lost") == true)
            #expect(problem["remedy"] != nil)
            let kept = try received.lines("kept")
            #expect(kept.count == 1)
            #expect(kept.first?["bytes"]?.int ?? 0 > 1_000_000)
            try await expectNothing(on: laptop)
        }
    }

    @Test func aSenderThatFallsSilentIsGivenUp() async throws {
        try await withTransfer { _, receiver, line, laptop in
            // Nothing comes any more, not even a sign of life.
            line.fallSilent()
            let received = await receiver.ending()
            #expect(received.code == 4, "\(received)")
            #expect(try received.problem()["code"]?.string == "connectionLost")
            try await expectNothing(on: laptop)
        }
    }

    @Test func aPauseShorterThanTheSilenceThatIsAllowedDoesNoHarm() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            line.fallSilent()
            line.release()
            let received = await receiver.ending()
            #expect(received.code == 0, "\(received)")
            #expect(try received.lines.last?.type == "received")
            _ = try await sender.ended(transfer: 1)
            #expect(try StoreContents(of: laptop.store).files.count == 1)
        }
    }

    @Test func aSecondReceiverIntoTheSameStoreIsRefusedAndHarmsNothing() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            let second = try await laptop.receive(from: sender.port)
            #expect(second.code == 7, "\(second)")
            let problem = try second.problem()
            #expect(problem["code"]?.string == "conflict")
            #expect(problem["message"]?.string?.contains("already being received") == true)
            line.release()
            let received = await receiver.ending()
            #expect(received.code == 0, "\(received)")
            let contents = try StoreContents(of: laptop.store)
            #expect(contents.files.count == 1 && contents.unfinished.isEmpty)
        }
    }

    @Test func whatIsRemovedWhileItIsSentStillArrivesWhole() async throws {
        try await withTransfer { sender, receiver, line, laptop in
            let other = Laptop(store: String(laptop.store.dropLast()) + "a")
            let before = try StoreContents(of: other.store)
            try await other.must("remove", Self.region, "--yes")
            try await other.must("list")
            line.release()
            let received = await receiver.ending()
            #expect(received.code == 0, "\(received)")
            _ = try await sender.ended(transfer: 1)
            let contents = try StoreContents(of: laptop.store)
            #expect(contents.files == before.files)
            #expect(contents.count("region") == 1)
        }
    }

    @Test func aByteThatChangesOnTheWayIsNoticed() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, laptop) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            try await sender.sendQuietly(Example.name, ["--encryption", "none"]) { running in
                try await HeldLine.with(to: running.port, corrupting: 1_000_000) { line in
                    let received = try await laptop.receive(from: line.port, "--encryption", "none")
                    #expect(received.code == 6, "\(received)")
                    #expect(try received.problem()["code"]?.string == "verificationFailed")
                    #expect(try await running.ended(transfer: 1).type == "notSent")
                }
                try await expectNothing(on: laptop)
                // Encrypted, the same is a broken connection or a breach, and never a region.
                let honest = try await laptop.receive(from: running.port, "--encryption", "none")
                #expect(honest.code == 0, "\(honest)")
            }
        }
    }
}
