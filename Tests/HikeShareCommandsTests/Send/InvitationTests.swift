import Foundation
import PeerTestSupport
import RegionSharing
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Whom a sender lets in, with whose consent.
@Suite struct InvitationTests {
    private static func decider(
        on console: Console,
        _ store: RegionStore,
        acceptsAll: Bool
    ) throws -> InvitationDecider {
        let machine = SendingStateMachine([try Sample.region()], Consent(acceptsAll: acceptsAll, at: console))
        return InvitationDecider(machine, personal: PersonalContent(), store: store, person: TerminalPerson(console))
    }

    enum Answer: Equatable, Sendable {
        case accept, acceptAndPin
        case decline(Refusal.Code)

        init(_ answer: InvitationAnswer) {
            switch answer {
            case .accept: self = .accept
            case .acceptAndPin: self = .acceptAndPin
            case .decline(let refusal): self = .decline(refusal.code)
            }
        }
    }

    enum Guest: Sendable {
        case unknown, trusted, byLink, plainText
        /// Trusted here, but the other side has forgotten this one.
        case trustedAndPairing

        var peer: RemotePeer {
            switch self {
            case .unknown: OfferMaker.peer()
            case .trusted, .trustedAndPairing: OfferMaker.peer(isTrusted: true)
            case .byLink: OfferMaker.peer(byLink: true)
            case .plainText: OfferMaker.peer(isEncrypted: false)
            }
        }

        var hasDigits: Bool { self == .unknown || self == .trustedAndPairing }
    }

    struct Case: Sendable {
        var guest: Guest
        var acceptsAll = false
        /// What a person types; nil if there is no terminal.
        var typed: String?
        var answer: Answer
    }

    static let cases = [
        // Nobody can answer: only known peers and holders of the link.
        Case(guest: .unknown, answer: .decline(.notTrusted)),
        Case(guest: .plainText, answer: .decline(.notTrusted)),
        Case(guest: .trusted, answer: .accept),
        Case(guest: .trustedAndPairing, answer: .accept),
        Case(guest: .byLink, answer: .accept),
        // Everybody is welcome, and nobody is trusted by it.
        Case(guest: .unknown, acceptsAll: true, answer: .accept),
        Case(guest: .plainText, acceptsAll: true, answer: .accept),
        Case(guest: .trustedAndPairing, acceptsAll: true, typed: "n\n", answer: .accept),
        Case(guest: .unknown, acceptsAll: true, typed: "n\n", answer: .accept),
        // A person decides; the end of the input is a no.
        Case(guest: .unknown, typed: "y\n", answer: .acceptAndPin),
        Case(guest: .unknown, typed: "n\n", answer: .decline(.declined)),
        Case(guest: .unknown, typed: "\n", answer: .decline(.declined)),
        Case(guest: .unknown, typed: "", answer: .decline(.declined)),
        Case(guest: .plainText, typed: "y\n", answer: .acceptAndPin),
        Case(guest: .plainText, typed: "", answer: .decline(.declined)),
        Case(guest: .trustedAndPairing, typed: "y\n", answer: .acceptAndPin),
        Case(guest: .trustedAndPairing, typed: "n\n", answer: .decline(.declined)),
        // Who is known is not asked about.
        Case(guest: .trusted, typed: "n\n", answer: .accept),
        Case(guest: .byLink, typed: "n\n", answer: .accept),
    ]

    private static func finished(
        _ peer: RemotePeer?,
        _ result: Result<TransferReceipt, any Error>
    ) -> TransferSender.Finished {
        TransferSender.Finished(
            transfer: 1,
            peer: peer,
            result: result,
            bytesTransferred: 5,
            bytesSaved: 0,
            unknownKinds: []
        )
    }

    /// Whoever is trusted from now on is named when that begins, whatever becomes of the transfer, and once.
    @Test func trustIsToldWhenItBegins() async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = TerminalModel(columns: 200)
            let store = try RegionStore(path: directory.path("store"))
            let trust = ToldTrust(peers: store.trustedPeers, person: TerminalPerson(terminal.console(input: -1)))
            let peer = OfferMaker.peer()
            try await trust.pin(peer.id, name: "Ben")
            try await trust.pin(peer.id, name: "Ben")
            #expect(terminal.text.components(separatedBy: "Now trusted: Ben").count == 2, "\(terminal.text)")
            #expect(try await trust.trust(of: peer.id, callingItself: "Ben") == .trusted(name: "Ben"))
        }
    }

    @Test func aLostConnectionIsNoReasonToStop() async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = TerminalModel(columns: 200)
            let store = try RegionStore(path: directory.path("store"))
            let decider = try Self.decider(on: terminal.console(input: -1), store, acceptsAll: true)
            let peer = OfferMaker.peer()
            let manifest = try OfferMaker.offer(try Sample.uuid(), from: peer).manifest
            _ = await decider.decide(Invitation(peer: peer, manifest: manifest, context: nil, pairing: nil))
            decider.finish(Self.finished(peer, .failure(PeerError(.connectionLost, "Lost."))))
            #expect(terminal.text.contains("Leave this running"), "\(terminal.text)")
            #expect(!terminal.text.contains("Not sent"), "\(terminal.text)")
        }
    }

    /// A receiver waits a minute; the person reads how much of it is left.
    @Test func theTimeOfAQuestionIsTheTimeThatIsLeft() async throws {
        let input = try Pipe()
        let terminal = TerminalModel(columns: 200)
        let console = terminal.console(input: input.reader)
        let end = ContinuousClock.now + .seconds(3600)
        async let first = console.ask("First? ")
        while !terminal.text.contains("First?") { await Task.yield() }
        // There is too little time left for this one, and none for a question.
        let late = try await console.confirm("Late?", until: .now + .seconds(10)) { _ in "Never shown." }
        #expect(late == nil)
        async let second = console.confirm("Second?", until: end) {
            $0 <= .seconds(3600) && $0 > .seconds(60) ? "true true" : "wrong"
        }
        input.write("no\n")
        #expect(try await first == "no")
        while !terminal.text.contains("Second?") { await Task.yield() }
        input.write("y\n")
        #expect(try await second == true)
        #expect(terminal.text.contains("true true") && !terminal.text.contains("Never shown."), "\(terminal.text)")
        let report = InvitationQuestion(peer: OfferMaker.peer(), regionName: "Coma Pedrosa")
        #expect(report.introduction(in: .seconds(43.2)).string.hasSuffix("Answer within 43 seconds."))
    }

    /// The other side may write anything.
    @Test func noMoreIsToldThanWasSent() async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = TerminalModel(columns: 200)
            let store = try RegionStore(path: directory.path("store"))
            let decider = try Self.decider(on: terminal.console(input: -1), store, acceptsAll: true)
            var receipt = TransferReceipt(imported: ["waypoints": 1_000_000_000, "zzz": 4])
            receipt.changes = [ItemChange(.added, of: .waypoints, named: "Hut")]
            decider.finish(Self.finished(OfferMaker.peer(), .success(receipt)))
            let count = try Sample.region().waypointCount
            #expect(terminal.text.contains("has received: \(count) waypoints"), "\(terminal.text)")
        }
    }

    /// A connection whose peer never said who it is shows no line, also if this program's own end is what ends it.
    @Test(arguments: [PeerError.Code.connectionLost, .cancelled])
    func whoeverOnlyConnectedIsNotShown(code: PeerError.Code) async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = TerminalModel(columns: 200)
            let store = try RegionStore(path: directory.path("store"))
            let decider = try Self.decider(on: terminal.console(input: -1), store, acceptsAll: true)
            decider.finish(Self.finished(nil, .failure(PeerError(code, "Ended."))))
            #expect(terminal.text.isEmpty, "\(terminal.text)")
            decider.finish(Self.finished(nil, .failure(PeerError(.protocolViolation, "Noise."))))
            #expect(terminal.text.contains("Not sent"), "\(terminal.text)")
        }
    }

    @Test func whoWaitsDuringAQuestionIsNamed() async throws {
        try await TemporaryDirectory.with { directory in
            let input = try Pipe()
            let terminal = TerminalModel(columns: 200)
            let store = try RegionStore(path: directory.path("store"))
            let decider = try Self.decider(on: terminal.console(input: input.reader), store, acceptsAll: false)
            let manifest = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer()).manifest
            let peers = [Sample.remotePeer(name: "Ben"), Sample.remotePeer(name: "Cleo")]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (peer, words) in zip(peers, ["Send it to “Ben”?", "“Cleo” (new) waits until you have answered."]) {
                    let invitation = Invitation(peer: peer, manifest: manifest, context: nil, pairing: nil)
                    group.addTask { _ = await decider.decide(invitation) }
                    while !terminal.text.contains(words) { try await Task.sleep(for: .milliseconds(1)) }
                }
                // The question becomes the last line again.
                while !terminal.text.hasSuffix("Send it to “Ben”? [y/N]") {
                    try await Task.sleep(for: .milliseconds(1))
                }
                input.write("y\n")
                while !terminal.text.contains("Send it to “Cleo”?") { try await Task.sleep(for: .milliseconds(1)) }
                input.write("n\n")
                try await group.waitForAll()
            }
        }
    }

    @Test func aRequestThatCannotBeReadIsDeclined() async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = TerminalModel(columns: 200)
            let store = try RegionStore(path: directory.path("store"))
            let decider = try Self.decider(on: terminal.console(input: -1), store, acceptsAll: true)
            let manifest = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer()).manifest
            let cases = [
                ("hike?", Answer.decline(.other)), (#"{"part":{"maxZoom":14}}"#, .accept),
                (#"{"part":{"routes":["Pic\u001b[31m"],"within":300}}"#, .accept),
            ]
            for (context, expected) in cases {
                let invitation = Invitation(
                    peer: OfferMaker.peer(),
                    manifest: manifest,
                    context: Data(context.utf8),
                    pairing: nil
                )
                #expect(Answer(await decider.decide(invitation)) == expected)
            }
            let text = terminal.text
            #expect(text.contains("wants a part of “Coma Pedrosa”: up to zoom 14"), "\(text)")
            #expect(text.contains("300 m along “Pic") && !text.contains("\u{1b}"), "\(text)")
        }
    }

    @Test(arguments: cases) func onlyConsentLetsAnyoneIn(expected: Case) async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = try expected.typed.map { typed in
                let terminal = try Pipe()
                if !typed.isEmpty { terminal.write(typed) }
                terminal.closeWriter()
                return terminal
            }
            let console = Console(
                format: .text,
                isQuiet: true,
                screen: Screen(canAsk: terminal != nil, isLive: false),
                input: terminal?.reader ?? -1
            )
            let store = try RegionStore(path: directory.path("store"))
            let decider = try Self.decider(on: console, store, acceptsAll: expected.acceptsAll)
            let manifest = try OfferMaker.offer(try Sample.uuid(), from: expected.guest.peer).manifest
            let digits = expected.guest.hasDigits ? PairingDigits(digits: "012345") : nil
            let answer = await decider.decide(
                Invitation(peer: expected.guest.peer, manifest: manifest, context: nil, pairing: digits)
            )
            #expect(Answer(answer) == expected.answer)
        }
    }
}
