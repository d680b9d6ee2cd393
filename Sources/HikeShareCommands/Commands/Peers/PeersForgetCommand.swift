import ArgumentParser
import RegionStore

/// The command `hikeshare peers forget`.
struct PeersForgetCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Stop trusting a machine.",
        discussion: """
            Regions received from it are kept. The next transfer asks to compare digits again.

            Example:
              hikeshare peers forget Anna
            """
    )

    @Argument(
        help: ArgumentHelp("Name of the machine, or the start of its id.", valueName: "peer"),
        completion: .trustedPeer
    )
    var words: [String]

    /// The name or id; a name needs no quotation marks.
    var peer: String { words.joined(separator: " ") }

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let forgotten = try global.openStore(.writing).withTrustedPeers { try $0.forget(peer) }
        console.emit(TrustedPeerChangeReport(change: .forgotten, peer: forgotten))
    }
}
