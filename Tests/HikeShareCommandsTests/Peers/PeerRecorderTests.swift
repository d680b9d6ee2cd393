import PeerTestSupport
import RegionSharing
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

@Suite struct PeerRecorderTests {
    @Test(
        arguments: [
            ("\n", "Ben", nil), ("", "Ben", nil), ("Ben\n", "Ben", nil), ("Benny\ny\n", "Benny", nil),
            ("clear\n\n", "Ben", "Call this person “clear”? [y/N]"),
            ("cara\ny\nBen from the hut\ny\n", "Ben from the hut", "Another trusted peer is called “Cara”"),
        ] as [(String, String, String?)]
    )
    func aPersonNamesAPeerOnce(typed: String, name: String, words: String?) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            try store.trustedPeers.pin(Sample.peerID(2), name: "Cara")
            let peer = OfferMaker.peer()
            try store.trustedPeers.pin(peer.id, name: "Ben")
            let (input, terminal) = (try Pipe(), TerminalModel(columns: 200))
            input.write(typed)
            input.closeWriter()
            let recorder = PeerRecorder(store: store, person: TerminalPerson(terminal.console(input: input.reader)))

            try await recorder.note(peer, isNew: true)

            #expect(try store.trustedPeers.all().map(\.name).contains(name))
            #expect(try store.trustedPeers.all().count == 2)
            #expect(
                terminal.text.hasPrefix("What do you call this person? [Ben]"),
                "\(terminal.text)"
            )
            if let words { #expect(terminal.text.contains(words), "\(terminal.text)") }
        }
    }

    @Test func whoIsNotNewIsNotAskedAbout() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let peer = OfferMaker.peer(isTrusted: true)
            try store.trustedPeers.pin(peer.id, name: "Ana")
            let terminal = TerminalModel(columns: 200)
            // A question would find no input, and throw.
            let recorder = PeerRecorder(store: store, person: TerminalPerson(terminal.console(input: -1)))
            try await recorder.note(peer, isNew: false)
            #expect(terminal.text.isEmpty, "\(terminal.text)")
        }
    }
}
