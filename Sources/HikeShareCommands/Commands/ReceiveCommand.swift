import ArgumentParser
import Diagnosis
import FoundationEssentials
import PeerCore
import RegionSharing
import RegionStore
import SharingReports

struct ReceiveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive regions from a machine nearby.",
        discussion: """
            Searches for senders, shows the offer and asks before anything is written. In a terminal, it searches until a \
            sender is found or you press Ctrl-C.

            With --link, prompts for the share link that 'send' shows; without a terminal, it reads the first line of standard \
            input. You can also paste a share link at the prompt for a number. A share link works as an argument, too, but every user of this machine can see arguments, and anyone with the share link can receive the region.

            While it searches in a terminal, phones that have LocalSend see this machine. What they send is asked about and imported.

            Examples:
              hikeshare receive
              hikeshare receive Anna
              hikeshare receive --link
              hikeshare receive --region Andorra --region Pirineus
              hikeshare receive --keep
              hikeshare receive --join
              hikeshare receive Anna --along "Pic de Comapedrosa" --within 1km
              hikeshare receive --connect 192.168.1.7:4711
              hikeshare receive --stick /media/stick
              hikeshare receive --connect '[fe80::1c2b%eth0]:4711'
            """
    )

    @Argument(
        help: ArgumentHelp(
            """
            Sender to receive from: a name, the start of an id, or a share link (default: the sender that is found).
            """,
            valueName: "peer"
        ),
        completion: .trustedPeer
    )
    var words: [String] = []

    @Flag(help: "Ask for the share link that the sender shows, and receive from there.")
    var link = false

    @Option(
        help: ArgumentHelp("Skip discovery and connect to an address that the sender shows.", valueName: "host:port"),
        transform: PeerAddress.read
    )
    var connect: PeerAddress?

    @Flag(help: "Join the Wi-Fi network that a sender has made with --hotspot, and leave it at the end.")
    var join = false

    @Option(
        help: ArgumentHelp(
            "How long to search for a sender (default: until Ctrl-C in a terminal, else 10).",
            valueName: "seconds"
        )
    )
    var timeout: Int?

    @Option(
        help: ArgumentHelp(
            "Of the hikes and planned routes, only the one with this name; may be repeated.",
            valueName: "name"
        )
    )
    var route: [String] = []

    @Option(
        help: ArgumentHelp(
            "Of a sender with several regions, only the one with this name; may be repeated.",
            valueName: "name"
        )
    )
    var region: [String] = []

    @Flag(help: "Of a sender with several regions, all; with --keep, also regions that you do not have.")
    var all = false

    @Flag(help: "Stay, and take what trusted machines offer that updates your regions, until Ctrl-C.")
    var keep = false

    @Option(
        help: ArgumentHelp(
            "How many times to reconnect when the connection is lost (default: until Ctrl-C in a terminal, else 10).",
            valueName: "times"
        )
    )
    var retries: Int?

    @Option(
        help: ArgumentHelp(
            "Receive what is on a stick; if nothing is there for this machine, write what it has, so that the difference can be sent.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var stick: String?

    @OptionGroup var cut: CutOptions
    @OptionGroup var localSend: LocalSendOptions
    @OptionGroup var sharing: SharingOptions
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await run(on: global.makeConsole()) }

    /// Receives, with questions and results on a console.
    func run(on first: Console) async throws {
        var console = first
        let store = try global.makeStore(console)
        if let stick { return try await receive(fromStick: stick, into: store, console) }
        let request = try cut.request(in: store)
        try requireSomebody(knownTo: store, console)
        var shareLink = try peer.flatMap { ShareLinkInput.isLink($0) ? try ShareLinkInput.parse($0) : nil }
        if link, !console.canAsk {
            shareLink = try await ShareLinkInput.readStandardInput()
            // Now there may be a terminal to ask.
            console = global.makeConsole()
        }
        let local = try await sharing.localPeer(of: store, console)
        console.note("You are \(local.displayName).")
        if link, shareLink == nil {
            shareLink = try await Interruption.watch { [console] in try await ShareLinkInput.ask(console) }
        }
        let receiver = receiver(into: store, as: local, asking: request, console)
        try await whilePhonesSend(to: receiver, shareLink, console) { [shareLink, console] in
            guard !keep else { return try await RegionKeeper(receiver: receiver).runUntilStopped() }
            let source: PeerFacts.Source = shareLink != nil ? .linked : connect != nil ? .named : .announced
            try await LocalHints.adding(on: console, source) {
                try await receive(by: receiver, shareLink, console)
            }
        }
    }
}
