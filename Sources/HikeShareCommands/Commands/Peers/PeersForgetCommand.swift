import ArgumentParser
import RegionStore

/// The command `hikeshare peers forget`.
struct PeersForgetCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Stop trusting a machine.",
        discussion: """
            Regions received from it are kept. The next session asks to compare digits again.

            Example:
              hikeshare peers forget Anna
            """
    )

    @Argument(help: "Name of the machine, or the start of its id.")
    var peer: String

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let forgotten = try global.openStore().trustedPeers.forget(peer)
        console.emit(TrustedPeerChangeReport(change: .forgotten, peer: forgotten))
    }
}
