import ArgumentParser
import PeerCore
import RegionStore

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
