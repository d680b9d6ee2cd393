import ArgumentParser
import PeerCore
import RegionStore

/// The command `hikeshare peers`, which groups those about other machines.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List, trust, forget and rename other machines.",
        discussion: """
            A machine becomes trusted when people on both sides compare six digits, or when you add its id. After that \
            it is recognized by its key: another machine that uses its name is refused.

            Examples:
              hikeshare peers
              hikeshare peers trust 67cf1ffb8856d262... --name Anna
              hikeshare peers rename "Merry Dipper" Anna
              hikeshare peers forget Anna
            """,
        subcommands: [
            PeersListCommand.self, PeersTrustCommand.self, PeersForgetCommand.self, PeersRenameCommand.self,
        ],
        defaultSubcommand: PeersListCommand.self
    )
}

/// The command `hikeshare peers list`.
struct PeersListCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show this machine's id and the trusted machines."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.makeStore(console)
        let local = try store.localPeer(name: nil)
        let peers = try store.trustedPeers.all()
        console.emit(TrustedPeerListReport(id: local.id, name: local.displayName, peers: peers))
        if peers.isEmpty { console.note("There are no trusted machines yet.") }
    }
}
