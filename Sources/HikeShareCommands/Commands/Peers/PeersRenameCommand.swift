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

    @Argument(
        help: ArgumentHelp("Name of the machine, or the start of its id.", valueName: "peer"),
        completion: .trustedPeer
    )
    var firstWord: String

    @Argument(help: ArgumentHelp("New name of the machine.", valueName: "new"))
    var otherWords: [String]

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let example: DisplayText = #"hikeshare peers rename "Merry Dipper" "New name""#
        let names = try NewName([firstWord] + otherWords, example: example) { text, _ in
            (try? store.trustedPeers.peer(matching: text)) != nil
        }
        let (before, after) = try store.withTrustedPeers { try $0.rename(names.current, to: names.new) }
        console.emit(TrustedPeerChangeReport(change: .renamed(from: before.name), peer: after))
    }
}
