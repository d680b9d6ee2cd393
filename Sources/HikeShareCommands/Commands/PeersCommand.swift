import ArgumentParser
import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

/// The command `hikeshare peers`, which groups those about other machines.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List, trust, forget and rename other machines, and name this one.",
        discussion: """
            A machine becomes trusted when people on both sides compare six digits, or when you add its id. After that \
            it is recognized by its key: another machine that uses its name is refused.

            Examples:
              hikeshare peers
              hikeshare peers trust 67cf1ffb8856d262... --name Anna
              hikeshare peers name Ben
              hikeshare peers rename "Anna (2)" Annette
              hikeshare peers forget Anna
            """,
        subcommands: [
            PeersListCommand.self, PeersNameCommand.self, PeersTrustCommand.self, PeersForgetCommand.self,
            PeersRenameCommand.self,
        ],
        defaultSubcommand: PeersListCommand.self
    )
}

struct PeersListCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show your name and id, and the trusted machines."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.makeStore(console)
        let local = try store.localPeer()
        let peers = try store.trustedPeers.all()
        let phones = try store.confirmedPhones.all()
        console.emit(.machines(local.id, called: local.displayName, trusting: peers, phones: phones))
        if peers.isEmpty { console.note("There are no trusted machines yet.") }
    }
}

struct PeersNameCommand: GlobalCommand {
    static let configuration = CommandConfiguration(commandName: "name", abstract: "Set your name on other screens.")

    @Argument(help: ArgumentHelp("Your name.", valueName: "name"))
    var words: [String]

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        guard let name = OwnName(argument: words.joined(separator: " ")) else {
            throw CommandError(.usage, "The name is empty or too long.", remedy: "Give a shorter name.")
        }
        let local = try global.makeStore(console).localPeer(name: name)
        console.emit(.machines(local.id, called: local.displayName, trusting: []))
    }
}

struct PeersTrustCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust a machine by its id, without comparing digits.",
        discussion: """
            Read the id from the other screen, or get it from the owner in a way that you trust. All 64 \
            digits are required: an attacker can create a key whose id begins with the same digits, but not one with \
            the same full id.
            """
    )

    @Argument(help: "Id of the machine: 64 hexadecimal digits, as 'hikeshare peers' shows there.")
    var id: String

    @Option(help: ArgumentHelp("Name for the machine (default: the start of its id).", valueName: "name"))
    var name: String?

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let peerID = try Self.parse(id)
        let store = try global.makeStore(console)
        guard try store.localPeer().id != peerID else {
            throw CommandError(
                .usage,
                "That is the id of this machine.",
                remedy: "Run 'hikeshare peers' on the other machine to see its id."
            )
        }
        let peer = try store.trustedPeers.trust(peerID, name: name ?? peerID.short)
        console.emit(.trusted(peer))
        guard name == nil, console.canAsk else { return }
        try await PeerRecorder(store: store, person: TerminalPerson(console)).askForName(of: peer)
    }

    /// Reads an id, which must be whole.
    static func parse(_ text: String) throws -> PeerID {
        let digits = text.lowercased()
        if let id = PeerID(hex: digits) { return id }
        let isBeginning = digits.utf8.count < 64 && digits.allSatisfy { $0.isHexDigit || $0 == "-" }
        throw CommandError(
            .usage,
            isBeginning
                ? "This is only the beginning of an id, which an attacker could imitate."
                : "“\(String(text.prefix(80)))” is not an id: an id has 64 hexadecimal digits.",
            remedy: "Give all 64 digits: 'hikeshare peers' shows them on the other machine."
        )
    }
}

struct PeersRenameCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a trusted machine on this one."
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
        let store = try global.openStore(.writing, orElse: .noPeers)
        let example: DisplayText = #"hikeshare peers rename "Anna (2)" "New name""#
        let names = try NewName([firstWord] + otherWords, example: example) { text, _ in
            (try? store.trustedPeers.peer(matching: text)) != nil
        }
        let (before, after) = try store.withTrustedPeers { try $0.rename(names.current, to: names.new) }
        console.emit(.renamed(after, from: before.name))
    }
}

struct PeersForgetCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Stop trusting a machine.",
        discussion: "Regions received from it are kept. The next transfer asks to compare digits again."
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
        let store = try global.openStore(.writing, orElse: .noPeers)
        do {
            console.emit(.forgotten(try store.withTrustedPeers { try $0.forget(peer) }))
        } catch let noMachine as RegionStoreError where noMachine.code == .notFound {
            do {
                console.emit(.forgotten(try store.confirmedPhones.forget(peer)))
            } catch let noPhone as RegionStoreError where noPhone.code == .notFound {
                throw noMachine
            }
        }
    }
}
