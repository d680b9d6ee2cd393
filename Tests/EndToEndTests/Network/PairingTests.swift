import Foundation
import PeerTestSupport
import Testing

/// Two people with a terminal each, who compare digits.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PairingTests {
    private static let question = "see the same digits?"

    /// A sender with a small region in a terminal, and a laptop without any.
    private func withTwo(
        _ body: (_ sender: Laptop, _ receiver: Laptop, _ screen: TestTerminal, _ port: Int) async throws -> Void
    ) async throws {
        try await withStores { sender, receiver in
            try await sender.inTerminal(["send", "Nordkette", "--no-discovery", "--name", "Anna"]) { screen in
                try await body(sender, receiver, screen, try await screen.senderPort())
            }
        }
    }

    private func withStores(_ body: (Laptop, Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            try await body(sender, Laptop(store: directory.path("b")))
        }
    }

    private func receive(from port: Int, as name: String = "Bert") -> [String] {
        ["receive", "--connect", "127.0.0.1:\(port)", "--name", name]
    }

    private func expectNothing(in laptop: Laptop) async throws {
        let contents = try StoreContents(of: laptop.store)
        #expect(contents.count("region") == 0 && contents.files.isEmpty && contents.unfinished.isEmpty)
        #expect(try await laptop.trusted().isEmpty)
    }

    @Test func digitsAreComparedOnceAndNeverAgain() async throws {
        try await withTwo { sender, receiver, senderScreen, port in
            try await receiver.inTerminal(receive(from: port)) { screen in
                let shown = try await screen.digits()
                #expect(try await senderScreen.digits() == shown)
                #expect(shown.filter(\.isNumber).count == 6 && shown.dropFirst(3).first == " ")
                try await senderScreen.wait { $0.hasSuffix("? [y/N] ") }
                #expect(senderScreen.words.contains(Self.question))
                #expect(senderScreen.text.count { $0 == "\u{07}" } == 1, "the bell does not ring once")
                #expect(senderScreen.text.contains("\u{1B}[1m"), "the digits are not bold")
                #expect(!screen.text.contains("Nordkette"), "the offer was shown before the sender's yes")
                try senderScreen.type("y\n")

                try await screen.wait { $0.hasOffer }
                #expect(try await screen.digits() == shown)
                #expect(screen.words.contains(Self.question))
                #expect(try StoreContents(of: receiver.store).unfinished.isEmpty, "written before the yes")
                try screen.type("y\n")
                try await screen.wait { $0.hasSuffix("What do you call this person? [Anna] ") }
                // Ctrl-C is no other name, and interrupts nothing.
                try screen.type("\u{03}")
                let (status, text) = try await screen.complete()
                #expect(status == .exited(0), "\(text)")
                #expect(text.contains("Now trusted: Anna"), "\(text)")
                try await senderScreen.wait(for: "Now trusted: Bert")
            }
            #expect(try await sender.trusted() == ["Bert": try await receiver.id()])
            #expect(try await receiver.trusted() == ["Anna": try await sender.id()])

            // There is nothing new, so nobody is asked.
            try await receiver.inTerminal(receive(from: port)) { screen in
                let (status, text) = try await screen.complete()
                #expect(screen.words.contains("Anna (trusted) offers"), "\(screen.text)")
                #expect(status == .exited(0), "\(text)")
                #expect(!text.contains(Self.question) && !text.contains("digits"), "\(text)")
            }
            try await senderScreen.wait(for: "already had everything")
            #expect(senderScreen.text.components(separatedBy: "[y/N]").count == 2, "the sender was asked again")
            #expect(try StoreContents(of: receiver.store).count("region") == 1)
            let seen = try await receiver.must("peers").lines("trustedPeer").first?["lastSeenAt"]?.string
            #expect(seen?.isEmpty == false)
        }
    }

    @Test func aNoOfTheSenderEndsItOnBothSides() async throws {
        try await withTwo { sender, receiver, senderScreen, port in
            try await receiver.inTerminal(receive(from: port)) { screen in
                _ = try await senderScreen.digits()
                try await senderScreen.wait { $0.hasSuffix("? [y/N] ") }
                try senderScreen.type("n\n")
                let (status, text) = try await screen.complete()
                #expect(status == .exited(5), "\(text)")
                #expect(text.contains("said no"), "\(text)")
                #expect(!text.contains("Nordkette"), "\(text)")
                try await senderScreen.wait(for: "you declined")
            }
            try await expectNothing(in: receiver)
            #expect(try await sender.trusted().isEmpty)
        }
    }

    @Test func aNoOfTheReceiverEndsItOnBothSides() async throws {
        try await withTwo { sender, receiver, senderScreen, port in
            try await receiver.inTerminal(receive(from: port)) { screen in
                _ = try await senderScreen.digits()
                try await senderScreen.wait { $0.hasSuffix("? [y/N] ") }
                try senderScreen.type("y\n")
                try await screen.wait { $0.hasOffer }
                try screen.type("n\n")
                let (status, text) = try await screen.complete()
                #expect(status == .exited(5), "\(text)")
                #expect(text.contains("You declined"), "\(text)")
                try await senderScreen.wait(for: "Not sent to “Bert”")
            }
            try await expectNothing(in: receiver)
            #expect(try await sender.trusted().isEmpty)
        }
    }

    @Test func whoSaysYesWithoutLookingTrustsNobody() async throws {
        try await withStores { sender, receiver in
            try await sender.sendQuietly("Nordkette", ["--once"]) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                let told = try received.lines("pairing").first?["digits"]?.string
                #expect(told?.count == 6)
                let sent = await running.child.ending()
                #expect(try sent.lines("invitation").first?["digits"]?.string == told)
            }
            #expect(try await sender.trusted().isEmpty)
            #expect(try await receiver.trusted().isEmpty)
        }
    }

    @Test func friendsByIDNeedNobodyAtTheirTerminals() async throws {
        try await withStores { sender, receiver in
            try await sender.must("peers", "trust", try await receiver.id(), "--name", "Bert")
            try await receiver.must("peers", "trust", try await sender.id(), "--name", "Anna")
            let arguments = ["send", "Nordkette", "--no-discovery", "--once", "--format", "json"]
            try await sender.start(arguments) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
                let port = try #require(try JSONValue(parsing: line)["port"]?.int)
                let received = try await receiver.run("receive", "--connect", "127.0.0.1:\(port)")
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines("offer").first?["peer"]?["trustedAs"]?.string == "Anna")
                #expect(try received.lines("pairing").isEmpty)
                let sent = await child.ending()
                #expect(sent.code == 0, "\(sent)")
                #expect(try sent.lines("invitation").first?["peer"]?["trustedAs"]?.string == "Bert")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func strangersAreSentAwayWhereNobodyIsAsked() async throws {
        try await withStores { sender, receiver in
            try await sender.start(["send", "Nordkette", "--no-discovery", "--format", "json"]) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
                let port = try #require(try JSONValue(parsing: line)["port"]?.int)
                let refused = try await receiver.receive(from: port)
                #expect(refused.code == 5, "\(refused)")
                #expect(try refused.problem()["message"]?.string?.contains("does not trust this machine") == true)
                try await expectNothing(in: receiver)
            }
            // The sender lets everybody in; the receiver knows somebody else.
            try await receiver.must("peers", "trust", String(repeating: "ab", count: 32))
            try await sender.sendQuietly("Nordkette") { running in
                let refused = try await receiver.run("receive", "--connect", "127.0.0.1:\(running.port)")
                #expect(refused.code == 5, "\(refused)")
                #expect(try refused.problem()["code"]?.string == "notTrusted")
                #expect(try await running.ended(transfer: 1).type == "notSent")
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 0)
        }
    }

    @Test func anotherKeyUnderAFriendsNameIsRefusedLoudly() async throws {
        try await withStores { sender, receiver in
            let other = String(repeating: "ab", count: 32)
            try await receiver.must("peers", "trust", other, "--name", "Anna")
            try await sender.sendQuietly("Nordkette", ["--name", "ANNA"]) { running in
                let refused = try await receiver.receive(from: running.port)
                #expect(refused.code == 5, "\(refused)")
                let problem = try refused.problem()
                #expect(problem["code"]?.string == "notTrusted")
                #expect(problem["message"]?.string?.contains("“Anna”") == true, "\(refused)")
                #expect(problem["remedy"]?.string?.contains("hikeshare peers") == true, "\(refused)")
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 0)

            // The same the other way round.
            try await receiver.must("peers", "forget", "Anna")
            try await sender.must("peers", "trust", other, "--name", "Bert")
            try await sender.sendQuietly("Nordkette") { running in
                let arguments = ["--name", "bert", "--timeout", "5"]
                let refused = try await receiver.start(
                    ["receive", "--yes", "--connect", "127.0.0.1:\(running.port)", "--format", "json"] + arguments
                ) { await $0.ending() }
                #expect(refused.code == 5, "\(refused)")
                let told = try await running.ended(transfer: 1)
                #expect(told["code"]?.string == "notTrusted", "\(told)")
                #expect(told["message"]?.string?.contains("“Bert”") == true, "\(told)")
            }
            try await expectNothing(in: receiver)
        }
    }

    @Test func plainTextIsAnnouncedOnBothScreens() async throws {
        try await withStores { sender, receiver in
            let arguments = ["send", "Nordkette", "--no-discovery", "--name", "Anna", "--encryption", "none"]
            try await sender.inTerminal(arguments) { senderScreen in
                let port = try await senderScreen.senderPort()
                #expect(!senderScreen.text.contains("HIKESHARE://"), "the secret of a link would cross in plain text")
                try await receiver.inTerminal(receive(from: port) + ["--encryption", "none"]) { screen in
                    try await senderScreen.wait { $0.contains("Send it to “Bert”") && $0.hasSuffix("? [y/N] ") }
                    #expect(senderScreen.text.components(separatedBy: "NOT ENCRYPTED").count == 3)
                    #expect(!senderScreen.text.contains(Self.question))
                    try senderScreen.type("y\n")
                    try await screen.wait { $0.hasOffer }
                    #expect(screen.text.contains("NOT ENCRYPTED") && !screen.text.contains(Self.question))
                    try screen.type("y\n")
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(0), "\(text)")
                }
            }
            #expect(try await sender.trusted().isEmpty)
            #expect(try await receiver.trusted().isEmpty)
        }
    }
}
