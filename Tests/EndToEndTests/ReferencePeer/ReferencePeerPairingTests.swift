import Foundation
import PeerTestSupport
import Testing

/// Six digits between the program in a terminal and the reference peer.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ReferencePeerPairingTests {
    private static let name = "Reference peer"

    /// A laptop with a small region, one without anything, and the reference peer.
    private func withAll(_ body: (Laptop, Laptop, ReferencePeer) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            try await body(sender, Laptop(store: directory.path("b")), ReferencePeer("peer", in: directory))
        }
    }

    private func digits(of peer: ChildProcess) async throws -> String {
        let digits = try #require(try JSONValue(parsing: try await peer.event("digits"))["digits"]?.string)
        return digits.prefix(3) + " " + digits.suffix(3)
    }

    private func trusted(by peer: ReferencePeer) throws -> [String] {
        try String(contentsOfFile: peer.home + "/trusted", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func thePeerReceivesAfterPairingAndIsKnownThen() async throws {
        try await withAll { sender, _, peer in
            try await sender.inTerminal(["send", "Nordkette", "--no-discovery"]) { screen in
                let address = "127.0.0.1:\(try await screen.senderPort())"
                try await peer.start("receive", [address]) { child in
                    let shown = try await digits(of: child)
                    #expect(try await screen.digits() == shown)
                    try await screen.answer("y\n")
                    try await child.event("offer")
                    try child.write("yes\n")
                    let received = await child.ending()
                    #expect(received.code == 0, "\(received)")
                }
                try await screen.wait(for: "Now trusted: \(Self.name)")
                #expect(try trusted(by: peer) == [try await sender.id()])

                let again = try await peer.receive(from: address)
                #expect(again.code == 0, "\(again)")
                #expect(try again.lines("digits").isEmpty && again.lines("received").count == 1, "\(again)")
            }
        }
    }

    @Test func thePeerSendsAfterPairingAndIsKnownThen() async throws {
        try await withAll { sender, receiver, peer in
            try await fill(peer, from: sender)
            let sent = try await peer.send { child, _, port in
                try await receiver.inTerminal(["receive", "--connect", "127.0.0.1:\(port)"]) { screen in
                    let shown = try await digits(of: child)
                    #expect(try await screen.digits() == shown)
                    try child.write("yes\n")
                    try await screen.wait { $0.hasOffer }
                    try screen.type("y\n")
                    try await screen.wait { $0.hasSuffix("What do you call this person? [\(Self.name)] ") }
                    try screen.type("\n")
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(0), "\(text)")
                    #expect(text.contains("Now trusted: \(Self.name)"), "\(text)")
                }
            }
            #expect(sent.code == 0, "\(sent)")
            let id = try await receiver.id()
            #expect(try trusted(by: peer).contains(id))
            try Example.expectSame(sender, receiver)

            let again = try await peer.send { _, _, port in
                let received = try await receiver.receive(from: port)
                #expect(received.code == 0, "\(received)")
            }
            #expect(try again.code == 0 && again.lines("digits").isEmpty, "\(again)")
        }
    }

    @Test func aNoOfThePeerEndsTheTransfer() async throws {
        try await withAll { sender, receiver, peer in
            try await fill(peer, from: sender)
            let refused = try await peer.send { child, _, port in
                try await receiver.inTerminal(["receive", "--connect", "127.0.0.1:\(port)"]) { screen in
                    try await child.event("digits")
                    try child.write("no\n")
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(5), "\(text)")
                }
            }
            #expect(try refused.lines.last?["code"]?.string == "declined", "\(refused)")
            #expect(try await receiver.trusted().isEmpty)
            #expect(try StoreContents(of: receiver.store).count("region") == 0)
        }
    }

    private func fill(_ peer: ReferencePeer, from laptop: Laptop) async throws {
        try await laptop.sendQuietly("Nordkette") { running in
            let link = try #require(running.listening["link"]?.string)
            let received = try await peer.receive(from: link)
            try #require(received.code == 0, "\(received)")
        }
    }
}
