import ArgumentParser
import RegionStore

/// The command `hikeshare peers forget`.
struct PeersForgetCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Trust a machine no longer.",
        discussion: """
            What was received from it stays. The next time, digits are compared again.

            Example:
              hikeshare peers forget Anna
            """
    )

    @Argument(help: "The machine: its name or the start of its id.")
    var peer: String

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let forgotten = try global.openStore().trustedPeers.forget(peer)
        console.emit(TrustedPeerChangeReport(change: .forgotten, peer: forgotten))
    }
}
