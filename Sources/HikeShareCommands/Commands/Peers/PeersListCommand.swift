import ArgumentParser
import PeerCore
import RegionStore

/// The command `hikeshare peers list`.
struct PeersListCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show this machine's id and the machines that are trusted."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore()
        let local = try store.localPeer(name: nil)
        let peers = try store.trustedPeers.all()
        console.emit(TrustedPeerListReport(id: local.id, name: local.displayName, peers: peers))
        if peers.isEmpty { console.note("No other machine is trusted yet.") }
    }
}
