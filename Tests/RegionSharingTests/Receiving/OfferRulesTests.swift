import PeerTestSupport
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

/// Whose files and items may take the place of those that are here.
@Suite struct OfferRulesTests {
    private static func peer(isTrusted: Bool, hasLink: Bool) -> RemotePeer {
        var peer = Sample.remotePeer()
        if isTrusted { peer.trust = .trusted(name: "Ana") }
        peer.isAdmittedByShareLink = hasLink
        return peer
    }

    /// A person who is asked sees what would go; `--yes` says that no person looks, at a terminal or not.
    @Test(arguments: [
        (terminal: true, yes: false, stranger: true), (true, true, false), (false, false, false), (false, true, false),
    ])
    func aStrangerReplacesOnlyWhatAPersonLooksAt(terminal: Bool, yes: Bool, stranger: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let prompt = OfferPrompt(
                store: try RegionStore(path: directory.path("store")),
                kinds: nil,
                routes: .all,
                acceptsAll: yes,
                console: Console(format: .json, screen: Screen(canAsk: terminal, isLive: false))
            )
            #expect(prompt.mayReplace(Self.peer(isTrusted: false, hasLink: false)) == stranger)
            #expect(prompt.mayReplace(Self.peer(isTrusted: true, hasLink: false)))
            #expect(prompt.mayReplace(Self.peer(isTrusted: false, hasLink: true)))
        }
    }

    /// Trust is for machines whose digits somebody has compared.
    @Test func yesToEverythingTrustsNobody() async throws {
        try await TemporaryDirectory.with { directory in
            let prompt = OfferPrompt(
                store: try RegionStore(path: directory.path("store")),
                kinds: nil,
                routes: .all,
                acceptsAll: true,
                console: Console(format: .text, isQuiet: true, screen: Screen(canAsk: true, isLive: false))
            )
            var offer = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer())
            offer.pairing = PairingDigits(digits: "012345")
            guard case .accept = try await prompt.decide(offer) else {
                Issue.record("the sender is pinned, or not accepted")
                return
            }
            #expect(!prompt.hasCompared(offer.peer.security.certifiedID))
        }
    }

    @Test(arguments: [true, false]) func digitsWereComparedIfThereWereSome(hasDigits: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let terminal = try Pipe()
            terminal.write("y\n")
            terminal.closeWriter()
            let prompt = OfferPrompt(
                store: try RegionStore(path: directory.path("store")),
                kinds: nil,
                routes: .all,
                acceptsAll: false,
                console: Console(
                    format: .text,
                    isQuiet: true,
                    screen: Screen(canAsk: true, isLive: false),
                    input: terminal.reader
                )
            )
            var offer = try OfferMaker.offer(try Sample.uuid(), from: OfferMaker.peer())
            offer.pairing = hasDigits ? PairingDigits(digits: "012345") : nil
            #expect(try await prompt.decide(offer).kinds != nil)
            #expect(prompt.hasCompared(offer.peer.security.certifiedID) == hasDigits)
            #expect(!prompt.hasCompared(Sample.peerID(99)) && !prompt.hasCompared(nil))
            // After a break, the sender is trusted, and has no digits.
            var again = offer
            again.pairing = nil
            #expect(try await prompt.decide(again).kinds != nil)
            #expect(prompt.hasCompared(offer.peer.security.certifiedID) == hasDigits)
        }
    }
}
