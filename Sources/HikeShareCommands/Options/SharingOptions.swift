public import ArgumentParser
public import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

extension EncryptionPreference: ExpressibleByArgument {}
extension OwnName: ExpressibleByArgument {}

extension PeerAddress: ExpressibleByArgument {
    /// Reads `HOST:PORT`, or `HOST` for the usual port.
    public init?(argument: String) { self.init(typed: argument, for: .hikeshare) }

    /// Reads an address, or says what is wrong with it.
    static func read(_ argument: String) throws -> Self {
        if let address = Self(argument: argument) { return address }
        let isBare = argument.count { $0 == ":" } > 1 && !argument.hasPrefix("[")
        throw ValidationError(
            isBare ? "An IPv6 address needs brackets, as in '[fe80::1%eth0]:4711'." : "Give HOST:PORT."
        )
    }
}

/// The options that sending and receiving have in common.
struct SharingOptions: ParsableArguments {
    @Option(help: KindSelection.help, completion: .kinds)
    var only: KindSelection?

    @Flag(help: "Accept everything without asking. Accepted machines do not become trusted.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            """
            required: encrypted or not at all. optional: unencrypted if the other side asks for it. \
            none: unencrypted, so anyone nearby can read and change the data.
            """,
            valueName: "how"
        )
    )
    var encryption: EncryptionPreference = .required

    @Option(
        help: ArgumentHelp("Your name on other screens, from now on (default: you are asked once).", valueName: "name")
    )
    var name: OwnName?

    /// The configuration of transfers according to the options.
    var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.encryption = encryption
        configuration.connectTimeout = ConnectionConfiguration.patientConnectTimeout
        configuration.maximumConnections = OpenFileLimit.connectionCount(atMost: configuration.maximumConnections)
        return configuration
    }

    /// Returns the description of this machine, and asks for its name if none was chosen.
    func localPeer(of store: RegionStore, _ console: Console) async throws -> LocalPeer {
        try await store.localPeer(name: name, at: console, asks: !yes)
    }

    /// Checks that questions can be answered, or that no question is necessary.
    func requireSomebodyToAsk(_ console: Console, unless hasTrustedPeers: Bool) throws {
        guard yes || console.canAsk || hasTrustedPeers else {
            throw CommandError(
                .noTerminal,
                "Nobody can answer questions here, because there is no terminal.",
                remedy:
                    """
                    Run the command in a terminal, use a share link, trust the other machine with 'hikeshare peers trust', or \
                    accept everything with --yes.
                    """
            )
        }
    }

    /// Checks that the values of `--route` can select something.
    func check(routes: [String]) throws {
        guard routes.isEmpty || only.map({ !$0.kinds.isDisjoint(with: ResourceKind.routes) }) ?? true else {
            throw ValidationError("--route names a hike or a planned route: add hikes or planned to --only.")
        }
    }
}
