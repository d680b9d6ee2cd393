import ArgumentParser
import PeerCore
import RegionStore

/// The command `hikeshare peers trust`.
struct PeersTrustCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust a machine by its id, without comparing digits.",
        discussion: """
            Read the id from the other screen, or get it from the owner in a way that nobody can tamper with. All 64 \
            digits are required: an attacker can create a key whose id begins with the same digits, but not one with \
            the same full id.

            Example:
              hikeshare peers trust 67cf1ffb8856d262... --name Anna
            """
    )

    @Argument(help: "Id of the machine: 64 hexadecimal digits, as 'hikeshare peers' shows there.")
    var id: String

    @Option(
        name: .long,
        help: ArgumentHelp("Name for the machine (default: the start of its id).", valueName: "name")
    )
    var name: String?

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let peerID = try Self.parse(id)
        let store = try global.makeStore(console)
        guard try store.localPeer(name: nil).id != peerID else {
            throw CommandError(
                .usage,
                "That is the id of this machine.",
                remedy: "Run 'hikeshare peers' on the other machine to see its id."
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
                ? "This is only the beginning of an id, which an attacker could imitate."
                : "“\(text.prefix(80))” is not an id: an id has 64 hexadecimal digits.",
            remedy: "Give all 64 digits: 'hikeshare peers' shows them on the other machine."
        )
    }
}
