import ArgumentParser
import FoundationEssentials
import PeerCore
import RegionStore

/// The command `hikeshare receive`.
struct ReceiveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive a region from somebody nearby.",
        discussion: """
            Looks for somebody who sends, shows what is offered and asks before anything is written.

            Examples:
              hikeshare receive
              hikeshare receive "Brave Marmot"
              hikeshare receive --connect 192.168.1.7:4711
              hikeshare receive --connect '[fe80::1c2b%eth0]:4711'
            """
    )

    @Argument(help: "Whom to receive from: a name or the start of an id (default: whoever is found).")
    var peer: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Do not look around; connect to the address that the sender shows.", valueName: "host:port")
    )
    var connect: PeerAddress?

    @Option(name: .long, help: ArgumentHelp("How long to look for somebody.", valueName: "seconds"))
    var timeout = 10

    @OptionGroup var sharing: SharingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard connect == nil || peer == nil else {
            throw ValidationError("Give a name or --connect, not both: an address says already who is meant.")
        }
        guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout must be 1 to 86400 seconds.") }
    }

    func run() async throws {
        let console = global.makeConsole()
        try sharing.requireSomebodyToAsk(console)
        let store = try global.openStore()
        let local = try sharing.localPeer(in: store)
        let receiving = Receiving(
            store: store,
            local: local,
            configuration: sharing.configuration,
            kinds: sharing.only?.kinds,
            acceptsAll: sharing.yes,
            console: console
        )
        try await receiving.run {
            if let connect { return .address(connect) }
            let chooser = PeerChooser(
                browser: PeerBrowser(ownID: local.id),
                query: peer,
                timeout: .seconds(timeout),
                asks: !sharing.yes,
                console: console
            )
            return .peer(try await chooser.choose())
        }
    }
}
