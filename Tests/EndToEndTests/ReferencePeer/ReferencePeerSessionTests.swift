import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// Programs that use sessions against a peer that was written from the pages of the protocol alone.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ReferencePeerSessionTests {
    private static let peerName = "Reference peer"
    private static let outages = 3

    /// Runs a program, and the peer that has joined by the program's link.
    private func withPartner(_ body: (_ partner: ChildProcess, LinkedPeer) async throws -> Void) async throws {
        try await SessionHosts.with { hosts in
            try await hosts.run(.partner) { partner in
                let link = try await partner.link()
                let answer = ["--answer", "measure", #"{"length":42}"#]
                try await hosts.link(with: link, of: .partner, answer) { peer in
                    try await peer.event("linked")
                    try await partner.shows("\(Self.peerName): connected")
                    try await body(partner, peer)
                    try await peer.leaves()
                    try await partner.shows("\(Self.peerName): disconnected: has left")
                    await partner.leaves()
                }
            }
        }
    }

    @Test func thePeerJoinsByLinkAndMessagesGoBothWays() async throws {
        try await withPartner { partner, peer in
            for number in 1...20 { try peer.tell("say", ["name": "note", "body": ["text": "\(number)"]]) }
            try await partner.shows("note from \(Self.peerName): 20")
            let notes = partner.outputLines.filter { $0.hasPrefix("note from ") }
            #expect(notes == (1...20).map { "note from \(Self.peerName): \($0)" })
            try partner.write("note At the hut\n")
            let note = try await peer.event("message")
            #expect(note["name"]?.string == "note" && note["version"]?.int == 1, "\(note)")
            #expect(note["body"] == .object(["text": .string("At the hut")]), "\(note)")
            // The longest message has a part that the first window does not take.
            let text = String(repeating: "x", count: 1_000_000)
            try peer.tell("say", ["name": "note", "body": ["text": text]])
            try await partner.shows("note from \(Self.peerName): \(text)")
        }
    }

    @Test func requestsAreAnsweredBothWays() async throws {
        try await withPartner { partner, peer in
            for (number, length) in [5, 700_000].enumerated() {
                try peer.tell("ask", ["name": "measure", "body": ["text": String(repeating: "x", count: length)]])
                let answer = try await peer.event("answer", number: number + 1)
                #expect(answer["body"] == .object(["length": .number(Double(length))]), "\(answer)")
            }
            try peer.tell("ask", ["name": "nonsense", "body": ["text": "x"]])
            #expect(try await peer.event("requestRefused")["cause"]?.int == 3)

            try partner.write("measure 700000\n")
            try await partner.shows("\(Self.peerName) measures 42")
            let request = try await peer.event("request")
            #expect(request["body"]?["text"]?.string?.utf8.count == 700_000)
            #expect(try peer.events("request").count == 1)
        }
    }

    @Test func streamsGoBothWaysAndSurviveACut() async throws {
        try await withPartner { partner, peer in
            let length = 3_000_000
            try peer.tell("stream", ["name": "there", "length": length])
            try partner.write("stream \(length)\n")
            // The streams are under way: what has not arrived by now is sent again.
            try await peer.event("streamOpened")
            try peer.tell("lose")
            try peer.tell("cut")
            try peer.tell("resume")
            #expect(try await peer.event("linked", number: 2)["connectionCount"]?.int == 2)

            let digest = try await peer.event("streamSent")["digest"]?.string
            try await partner.shows("\(Self.peerName) sent \(length) bytes as there")
            try await partner.shows("\(Self.peerName) returns the same bytes")
            try await peer.event("streamEnded", number: 2)
            for stream in try peer.events("streamEnded") {
                #expect(stream["code"]?.int == 0 && stream["length"]?.int == length, "\(stream)")
                #expect(stream["digest"]?.string == digest, "\(stream)")
            }
        }
    }

    @Test func aWrongTokenOpensNoLink() async throws {
        try await SessionHosts.with { hosts in
            try await hosts.run(.partner) { partner in
                let application = try PeerServiceType(validating: "partner-test")
                let wrong = try ShareLink.withOtherToken(try await partner.link(), for: application)
                let refused = try await hosts.link(with: wrong, of: .partner) { await $0.child.ending() }
                #expect(refused.code == 1, "\(refused)")
                #expect(try refused.lines.last?["word"]?.string == "decline", "\(refused)")
                #expect(try refused.lines.last?["code"]?.string == "link", "\(refused)")
                await partner.leaves()
                #expect(!partner.outputLines.contains { $0.contains("connected") }, "\(partner.outputLines)")
            }
        }
    }

    @Test func theProgramJoinsThePeerAndReturnsToIt() async throws {
        try await SessionHosts.with { hosts in
            try await hosts.link(with: nil, of: .partner, isBeside: true) { peer in
                let link = try #require(try await peer.event("listening")["link"]?.string)
                try await hosts.run(.partner) { partner in
                    _ = try await partner.link()
                    try partner.write("join \(link)\n")
                    #expect(try await peer.event("linked")["dialed"]?.bool == false)
                    try await partner.shows("\(Self.peerName): connected")
                    try peer.tell("ask", ["name": "measure", "body": ["text": "hello"]])
                    #expect(try await peer.event("answer")["body"]?["length"]?.int == 5)
                    try partner.write("stream 200000\n")
                    try await partner.shows("\(Self.peerName) returns the same bytes")

                    try peer.tell("cut")
                    #expect(try await peer.event("linked", number: 2)["connectionCount"]?.int == 2)
                    try await partner.shows("\(Self.peerName): connected", number: 2)
                    try partner.write("note back\n")
                    #expect(try await peer.event("message")["body"]?["text"]?.string == "back")
                    try await peer.leaves()
                    await partner.leaves()
                }
            }
        }
    }
}

extension ReferencePeerSessionTests {
    private static let question = "Are these digits on the other screen? [y/n]"

    /// Runs a chat that asks no person, and the peer that has connected with it.
    private func withChat(
        peerListens: Bool = false,
        _ body: (_ chat: ChildProcess, LinkedPeer, SessionHosts) async throws -> Void
    ) async throws {
        try await SessionHosts.with { hosts in
            try await hosts.run(.chat, "--everyone") { chat in
                let options = ["--takes-anyone"] + (peerListens ? ["--listen"] : [])
                let address = try await hosts.address(of: .chat, onItself: peerListens)
                try await hosts.link(with: address, of: .chat, options, isBeside: peerListens) { peer in
                    try await peer.event("linked")
                    try await chat.shows("-- \(Self.peerName): connected, not verified")
                    try await body(chat, peer, hosts)
                    try await peer.leaves()
                    try await chat.shows("-- \(Self.peerName): disconnected: has left")
                    await chat.leaves()
                }
            }
        }
    }

    @Test(arguments: [false, true]) func whatACutLosesComesOnceAndInOrder(theProgramDials: Bool) async throws {
        try await withChat(peerListens: theProgramDials) { chat, peer, _ in
            var (ours, theirs): ([String], [String]) = ([], [])
            /// Both sides say something.
            func speak(_ words: String) throws {
                try chat.write("chat \(words)\n")
                try peer.say("peer \(words)")
                ours.append("chat \(words)")
                theirs.append("peer \(words)")
            }
            for number in 1...Self.outages {
                // The chat has these lines acknowledged, and the peer has not.
                try peer.tell("withhold")
                try await peer.event("withholding", number: number)
                try speak("\(number) arrives")
                try await chat.shows("peer \(number) arrives")
                try await peer.event("message", number: ours.count)
                // These are lost on the way in both directions.
                try peer.tell("lose")
                try await peer.event("losing", number: number)
                try speak("\(number) is lost")
                try speak("\(number) is lost, too")
                try peer.tell("cut")
                try await chat.shows("-- \(Self.peerName): reconnecting", number: number)
                if !theProgramDials {
                    try speak("\(number) waits for a connection")
                    try peer.tell("resume")
                }
                let linked = try await peer.event("linked", number: number + 1)
                #expect(linked["connectionCount"]?.int == number + 1, "\(linked)")
                #expect(linked["dialed"]?.bool == !theProgramDials, "\(linked)")
                #expect(try #require(linked["repeated"]?.int) >= 2, "\(linked)")
                try await peer.event("message", number: ours.count)
                try await chat.shows(try #require(theirs.last))
            }
            #expect(try peer.lines() == ours)
            let prefix = Self.peerName + ": "
            #expect(chat.outputLines.filter { $0.hasPrefix(prefix) } == theirs.map { prefix + $0 })
        }
    }

    @Test(arguments: [false, true]) func filesGoBothWaysOverConnectionsThatBreak(thePeerListens: Bool) async throws {
        try await withChat(peerListens: thePeerListens) { chat, peer, hosts in
            let half = 1_500_000
            let sent = try hosts.makeFile("hut.jpg", seed: 1)
            try peer.tell("stopAfter", ["bytes": half])
            try chat.write("/send \(sent.path)\n")
            let taken = try await peer.event("resourceTaken")
            let file = URL(fileURLWithPath: try #require(taken["file"]?.string))
            #expect(try Data(contentsOf: file) == Data(contentsOf: sent))
            try await chat.shows("-- \(Self.peerName) has hut.jpg")
            let bytes = try #require(try peer.events("received").first?["bytes"]?.int)
            #expect(bytes <= half + 16_384, "the chunks that had come were requested again")

            let given = try hosts.makeFile("lake.jpg", seed: 2)
            try peer.tell("stopAfter", ["bytes": half])
            try peer.tell("offer", ["file": given.path])
            try await peer.event("resourceGiven")
            try await chat.shows("-- \(Self.peerName) sent lake.jpg, 3000000 bytes")
            #expect(try Data(contentsOf: hosts.folder.appending(path: "lake.jpg")) == Data(contentsOf: given))
            #expect(try peer.events("stopped").count == 2)
        }
    }

    @Test func digitsAreComparedOnceAndBothSidesKnowEachOtherThen() async throws {
        try await SessionHosts.with { hosts in
            try await hosts.run(.chat) { chat in
                let address = try await hosts.address(of: .chat)
                try await hosts.link(with: address, of: .chat) { peer in
                    let digits = try #require(try await peer.event("digits")["digits"]?.string)
                    let question = try await chat.shows(Self.question)
                    #expect(question.contains("\(digits.prefix(3)) \(digits.suffix(3))"), "\(question)")
                    try chat.write("y\n")
                    try peer.child.write("yes\n")
                    try await peer.event("linked")
                    try await chat.shows("\(Self.peerName) is trusted from now on")
                    try await peer.leaves()
                }
                try await hosts.link(with: address, of: .chat) { peer in
                    try await peer.event("linked")
                    try peer.say("again")
                    try await chat.shows("\(Self.peerName): again")
                    try await peer.leaves()
                    #expect(try peer.events("digits").isEmpty)
                }
                await chat.leaves()
                #expect(chat.outputLines.count { $0.hasSuffix(Self.question) } == 1)
            }
        }
    }

    @Test func aNoOfThePersonAtThePeerOpensNoLink() async throws {
        try await SessionHosts.with { hosts in
            try await hosts.run(.chat) { chat in
                let address = try await hosts.address(of: .chat)
                try await hosts.link(with: address, of: .chat) { peer in
                    try await chat.shows(Self.question)
                    try await peer.event("digits")
                    try chat.write("y\n")
                    try peer.child.write("no\n")
                    let ending = await peer.child.ending()
                    #expect(ending.code == 1, "\(ending)")
                    #expect(try ending.lines.last?["code"]?.string == "declined", "\(ending)")
                }
                try await chat.waitForOutput { $0.hasPrefix("-- \(Self.peerName): disconnected") }
                await chat.leaves()
                #expect(!chat.outputLines.contains { $0.contains("trusted") }, "\(chat.outputLines)")
            }
        }
    }
}
