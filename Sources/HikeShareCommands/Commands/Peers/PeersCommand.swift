import ArgumentParser

/// The command `hikeshare peers`, which groups those about other machines.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Show, trust, forget and rename other machines.",
        discussion: """
            A machine is trusted once people on both sides have compared six digits, or by its id. From then on it is \
            known by its key: whoever else comes with its name is refused.

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
