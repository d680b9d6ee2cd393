import ArgumentParser
import PeerCore
import RegionStore

/// The command `hikeshare peers trust`.
struct PeersTrustCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust a machine by its id, without comparing digits.",
        discussion: """
            The id must come to you in a way that nobody can have changed: from the other screen, or from its owner. All \
            64 digits are needed: somebody with time and computers can make a key whose id begins like another's, but \
            nobody one whose whole id is the same.

            Example:
              hikeshare peers trust 67cf1ffb8856d262... --name Anna
            """
    )

    @Argument(help: "The id: 64 hexadecimal digits, as 'hikeshare peers' shows it on that machine.")
    var id: String

    @Option(
        name: .long,
        help: ArgumentHelp("What to call the machine (default: the beginning of its id).", valueName: "name")
    )
    var name: String?

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let peerID = try Self.parse(id)
        let store = try global.openStore()
        guard try store.localPeer(name: nil).id != peerID else {
            throw CommandError(
                .usage,
                "That is the id of this machine.",
                remedy: "Give the id of the other one: 'hikeshare peers' shows it there."
            )
        }
        let peer = try store.trustedPeers.trust(peerID, name: name ?? peerID.short)
        console.emit(TrustedPeerChangeReport(change: .trusted, peer: peer))
    }

    /// Reads an id, which must be whole.
    static func parse(_ text: String) throws -> PeerID {
        let digits = text.lowercased()
        if let id = PeerID(hex: digits) { return id }
        let isBeginning = digits.utf8.count < 64 && digits.allSatisfy { $0.isHexDigit || $0 == "-" }
        throw CommandError(
            .usage,
            isBeginning
                ? "That is only the beginning of an id, and keys whose ids begin like it can be made."
                : "An id has 64 hexadecimal digits; “\(text.prefix(80))” is none.",
            remedy: "Give all 64 digits: 'hikeshare peers' shows them on the other machine."
        )
    }
}
