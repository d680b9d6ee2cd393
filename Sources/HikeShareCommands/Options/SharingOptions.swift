public import ArgumentParser
public import PeerCore
import RegionStore

extension EncryptionPreference: ExpressibleByArgument {}

extension PeerAddress: ExpressibleByArgument {
    /// Reads `HOST:PORT`.
    public init?(argument: String) {
        self.init(parsing: argument)
    }
}

/// The options that sending and receiving have in common.
struct SharingOptions: ParsableArguments {
    @Option(name: .long, help: KindSelection.help)
    var only: KindSelection?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Of the hikes and planned routes, only the one of this name; may be given several times.",
            valueName: "name"
        )
    )
    var route: [String] = []

    @Flag(name: .long, help: "Ask nothing: say yes, whoever it is. Nobody is trusted by that.")
    var yes = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            required: encrypted or not at all. optional: in plain text if the other side wants it. \
            none: in plain text, which anybody nearby can read and change.
            """,
            valueName: "how"
        )
    )
    var encryption: EncryptionPreference = .required

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What this machine is called on other screens (default: two random words).",
            valueName: "name"
        )
    )
    var name: String?

    /// The hikes and planned routes that are meant.
    var routes: RouteSelection { RouteSelection(named: route) }

    /// The settings of sessions that follow from the options.
    var configuration: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.encryption = encryption
        configuration.maximumConnections = OpenFileLimit.connectionCount(atMost: configuration.maximumConnections)
        return configuration
    }

    /// Refuses to begin what needs an answer when there is nobody to answer, and nobody who needs none.
    func requireSomebodyToAsk(_ console: Console, unless hasTrustedPeers: Bool) throws {
        guard yes || console.canAsk || hasTrustedPeers else {
            throw CommandError(
                .noTerminal,
                "There is no terminal to ask at, so nothing could ever be accepted.",
                remedy: "Run it in a terminal, use a link, trust the other machine with 'hikeshare peers trust', or "
                    + "accept everything with --yes."
            )
        }
    }

    func validate() throws {
        guard route.isEmpty || only.map({ !$0.kinds.isDisjoint(with: ResourceKind.routes) }) ?? true else {
            throw ValidationError("--route names a hike or a planned route: add hikes or planned to --only.")
        }
        guard let name else { return }
        guard name.contains(where: { !$0.isWhitespace }), name.utf8.count <= 63 else {
            throw ValidationError("--name must be 1 to 63 bytes long.")
        }
    }
}
