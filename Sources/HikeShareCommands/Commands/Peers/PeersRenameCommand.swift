import ArgumentParser
import RegionStore

/// The command `hikeshare peers rename`.
struct PeersRenameCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a trusted machine on this one.",
        discussion: """
            Example:
              hikeshare peers rename "Merry Dipper" Anna
            """
    )

    @Argument(help: "Name of the machine, or the start of its id.", completion: .trustedPeer)
    var peer: String

    @Argument(help: "New name of the machine.")
    var name: String

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let (before, after) = try global.openStore(.writing).trustedPeers.rename(peer, to: name)
        console.emit(TrustedPeerChangeReport(change: .renamed(from: before.name), peer: after))
    }
}
