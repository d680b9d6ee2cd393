import Foundation
import PeerTestSupport
import Testing

/// The program in a terminal, with a person who answers.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct TerminalTests {
    /// A sender with a small region, a laptop without any, and what starts the program there in a terminal.
    private func withTwo(_ body: (Laptop, Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            try await body(sender, Laptop(store: directory.path("b")))
        }
    }

    private func terminal<Result>(
        _ laptop: Laptop,
        _ arguments: [String],
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        try await laptop.inTerminal(arguments, body)
    }

    @Test func aNoAtTheOfferLeavesNothingAndTheSenderIsTold() async throws {
        try await withTwo { sender, receiver in
            try await sender.sendQuietly("Nordkette") { running in
                let address = "127.0.0.1:\(running.port)"
                let (status, text) = try await terminal(receiver, ["receive", "--connect", address]) { screen in
                    try await screen.wait { $0.hasOffer }
                    for word in ["Nordkette", "km", "map"] {
                        #expect(screen.text.contains(word), "\(word) is missing in \(screen.text)")
                    }
                    #expect(try StoreContents(of: receiver.store).unfinished.isEmpty, "written before the yes")
                    try screen.type("n\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(5), "\(text)")
                #expect(text.contains("You declined"))
                let told = try await running.ended(transfer: 1)
                #expect(told["code"]?.string == "declined", "\(told)")
                #expect(told["message"]?.string?.contains("said no") == true, "\(told)")
            }
            let contents = try StoreContents(of: receiver.store)
            #expect(contents.count("region") == 0 && contents.files.isEmpty && contents.unfinished.isEmpty)
        }
    }

    @Test(arguments: ["y", "YES", " yes "])
    func aYesAtTheOfferReceivesIt(answer: String) async throws {
        try await withTwo { sender, receiver in
            try await sender.sendQuietly("Nordkette", ["--once"]) { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await terminal(receiver, arguments) { screen in
                    try await screen.wait { $0.hasOffer }
                    try screen.type(answer + "\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
                #expect(text.contains("Received Nordkette from “Laptop a”: map"), "\(text)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aYesIsNotForWhatHasChangedMeanwhile() async throws {
        try await withTwo { sender, receiver in
            try await sender.sendQuietly("Nordkette") { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await terminal(receiver, arguments) { screen in
                    try await screen.wait { $0.hasOffer }
                    let other = try await receiver.receive(from: running.port)
                    #expect(other.code == 0, "\(other)")
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(5), "\(text)")
                #expect(text.contains("changed on this machine while you were asked"), "\(text)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func theSenderIsAskedToo() async throws {
        try await withTwo { sender, receiver in
            try await terminal(sender, ["send", "Nordkette", "--no-discovery", "--name", "Anna"]) { screen in
                let port = try await screen.senderPort()
                async let refused = receiver.receive(from: port, "--name", "Bert")
                try await screen.wait { $0.contains("Send it to “Bert”") && $0.hasSuffix("? [y/N] ") }
                try screen.type("n\n")
                let first = try await refused
                #expect(first.code == 5, "\(first)")
                #expect(try first.problem()["code"]?.string == "declined")

                async let received = receiver.receive(from: port, "--name", "Carla")
                try await screen.wait { $0.contains("Send it to “Carla”") && $0.hasSuffix("? [y/N] ") }
                try screen.type("y\n")
                let second = try await received
                #expect(second.code == 0, "\(second)")
                try await screen.wait { $0.contains("Carla") && $0.contains("has received: map") }

                // Ctrl-C, as a key.
                try screen.type("\u{03}")
                let (status, text) = try await screen.complete()
                #expect(status == .exited(130), "\(text)")
                #expect(text.contains("Interrupted"))
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aReceiverThatGoesAwayTakesTheQuestionWithIt() async throws {
        try await withTwo { sender, receiver in
            try await terminal(sender, ["send", "Nordkette", "--no-discovery"]) { screen in
                let port = try await screen.senderPort()
                let arguments = ["receive", "--yes", "--connect", "127.0.0.1:\(port)", "--format", "json"]
                let interrupted = try await receiver.start(arguments + ["--name", "Bert"]) { child in
                    try await screen.wait { $0.contains("Send it to “Bert”") && $0.hasSuffix("? [y/N] ") }
                    child.kill(SIGINT)
                    return await child.ending()
                }
                #expect(interrupted.code == 130, "\(interrupted)")
                try await screen.wait { $0.contains("Not sent to “Bert”") }

                // The question is gone: what is typed now is no answer to the next one.
                try screen.type("n\n")
                async let received = receiver.receive(from: port, "--name", "Carla")
                try await screen.wait(for: "The question before has expired")
                // Nor is what somebody types who has not seen it yet.
                try screen.type("n\n")
                try await screen.wait { $0.contains("Send it to “Carla”") && $0.hasSuffix("? [y/N] ") }
                try screen.type("y\n")
                let second = try await received
                #expect(second.code == 0, "\(second)")
            }
        }
    }

    @Test func theKeysForAnInterruptionEndAQuestionCleanly() async throws {
        try await withTwo { sender, receiver in
            try await sender.sendQuietly("Nordkette") { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await terminal(receiver, arguments) { screen in
                    try await screen.wait { $0.hasOffer }
                    try screen.type("\u{03}")
                    return try await screen.complete()
                }
                #expect(status == .exited(130), "\(text)")
                let told = try await running.ended(transfer: 1)
                #expect(told["code"]?.string == "peerCancelled", "\(told)")
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 0)
        }
    }

    @Test func whoIsAskedSeesNoEscapeSequencesOfTheOtherSide() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.make(directory.path("n.mbtiles"), name: "Evil\u{1B}]0;owned\u{07}\u{1B}[31mPeak")
            try await sender.must("import", directory.path("n.mbtiles"))
            let id = try #require(try await sender.must("list").lines.first?["id"]?.string)
            try await sender.sendQuietly(id) { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await terminal(receiver, arguments) { screen in
                    try await screen.wait { $0.hasOffer }
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
                #expect(text.contains("Peak"))
                #expect(
                    !text.contains("\u{1B}]") && !text.contains("\u{1B}[31m") && !text.contains("owned\u{07}"),
                    "\(text)"
                )
            }
        }
    }

    @Test func theListOfSeveralSendersIsAnsweredWithANumber() async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let laptops = ["Anna", "Bert"].map { name in
                    Laptop(network: .loopback(avahi), store: directory.path(name))
                }
                for (index, laptop) in laptops.enumerated() {
                    let path = directory.path("\(index).mbtiles")
                    try MapMaker.make(path, name: "Region \(index)", seed: UInt64(index + 1))
                    try await laptop.must("import", path)
                }
                let receiver = Laptop(network: .loopback(avahi), store: directory.path("r"))
                try await laptops[0].send("Region 0", ["--name", "Anna"]) { first in
                    try await laptops[1].send("Region 1", ["--name", "Bert"]) { second in
                        for sender in [first, second] {
                            try await sender.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                        }
                        let (status, text) = try await receiveInTerminal(receiver, avahi) { screen in
                            try await screen.wait(for: "Which one? Type its number or name: ")
                            let row = try #require(
                                screen.text.split(separator: "\r\n").last {
                                    $0.contains("Bert") && $0.contains("Region 1")
                                }
                            )
                            let number = row.drop { $0 == " " }.prefix { $0.isNumber }
                            try screen.type("\(number)\n")
                            try await screen.wait { $0.hasOffer }
                            try screen.type("y\n")
                            return try await screen.complete()
                        }
                        #expect(status == .exited(0), "\(text)")
                        #expect(text.contains("Received Region 1"), "\(text)")
                    }
                }
            }
        }
    }

    @Test func theSearchContinuesUntilASenderAppears() async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .loopback(avahi), store: directory.path("a"))
                try MapMaker.make(directory.path("n.mbtiles"))
                try await sender.must("import", directory.path("n.mbtiles"))
                let receiver = Laptop(network: .loopback(avahi), store: directory.path("b"))
                try await receiveInTerminal(receiver, avahi) { screen in
                    // That is after the time limit that the command has without a terminal.
                    try await screen.wait(for: "Found no sender yet")
                    #expect(screen.words.contains("until you press Ctrl-C"), "\(screen.words)")
                    try await sender.send("Nordkette", ["--name", "Anna"]) { _ in
                        // A single sender is not asked about, but its offer is.
                        try await screen.wait { $0.hasOffer }
                        try screen.type("n\n")
                        let (status, text) = try await screen.complete()
                        #expect(status == .exited(5), "\(text)")
                    }
                }
            }
        }
    }

    private func receiveInTerminal<Result>(
        _ laptop: Laptop,
        _ avahi: PrivateAvahi,
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        let (executable, arguments) = avahi.command(Place.program, ["receive", "--name", "Receiver"])
        return try await TestTerminal.with(
            executable,
            arguments,
            environment: [
                "HIKESHARE_STORE": laptop.store, "SWIFT_BACKTRACE": "enable=no",
                "DBUS_SYSTEM_BUS_ADDRESS": avahi.busAddress,
            ]
        ) { terminal in
            try await Laptop.impatiently(terminal.child) { try await body(terminal) }
        }
    }
}
