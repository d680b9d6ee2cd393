import ArgumentParser
import RegionStore

/// The command `hikeshare peers rename`.
struct PeersRenameCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Call a trusted machine something else on this one.",
        discussion: """
            Example:
              hikeshare peers rename "Merry Dipper" Anna
            """
    )

    @Argument(help: "The machine: its name or the start of its id.")
    var peer: String

    @Argument(help: "What to call it from now on.")
    var name: String

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let (before, after) = try global.openStore().trustedPeers.rename(peer, to: name)
        console.emit(TrustedPeerChangeReport(change: .renamed(from: before.name), peer: after))
    }
}
