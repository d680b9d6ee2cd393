import ArgumentParser
import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// The command `hikeshare send`.
struct SendCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a region to the receivers that you accept.",
        discussion: """
            Waits for receivers and serves them, several at once if needed, until you press Ctrl-C. You see the name and \
            id of each receiver before you accept or decline. With a new machine, both of you compare six digits; after \
            that, the machines trust each other. Anyone with the link (or the QR code) is accepted without a question.

            Examples:
              hikeshare send "Coma Pedrosa"
              hikeshare send 3f9a12cd --only map,waypoints
              hikeshare send "Coma Pedrosa" --only planned --route "Pic de Coma Pedrosa"
              hikeshare send "Coma Pedrosa" --once --yes
            """
    )

    @Argument(help: "Name of the region, or the start of its id.")
    var region: String

    @Option(
        name: .long,
        help: ArgumentHelp("TCP port to listen on (default: any free port).", valueName: "port")
    )
    var port: Int?

    @Flag(name: .long, help: "Stop after the first complete transfer.")
    var once = false

    @Flag(name: .long, help: "Do not announce the region on the network; receivers need the link or --connect.")
    var noDiscovery = false

    @Flag(name: .customLong("private"), help: "Do not announce the name and size of the region.")
    var isPrivate = false

    @Flag(name: .long, help: "Include heart rates and calories of recorded hikes.")
    var includeHealth = false

    @OptionGroup var sharing: SharingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard port.map({ (1...65_535).contains($0) }) ?? true else {
            throw ValidationError("--port must be 1 to 65535.")
        }
    }

    func run() async throws {
        let console = global.makeConsole()
        // In plain text there are no links and no trusted peers.
        try sharing.requireSomebodyToAsk(console, unless: sharing.encryption != .none)
        let store = try global.openStore()
        let region = try store.region(matching: region)
        let source = try store.source(
            for: region.id,
            kinds: sharing.only?.kinds,
            routes: sharing.routes,
            includeHealth: includeHealth
        )
        warnOfMissingRouting(region, source, console)
        let sending = SendSession(
            store: store,
            region: region,
            source: source,
            local: try store.localPeer(name: sharing.name),
            configuration: sharing.configuration,
            port: port ?? 0,
            stopsAfterFirst: once,
            isAdvertised: !noDiscovery,
            isPrivate: isPrivate,
            acceptsAll: sharing.yes,
            console: console
        )
        try await sending.run()
    }

    /// Warns if the routing database is missing.
    ///
    /// The region is sent without it.
    private func warnOfMissingRouting(_ region: RegionSummary, _ source: RegionSource, _ console: Console) {
        let isWanted = sharing.only?.kinds.contains(.routing) != false
        guard isWanted, region.hasRoutingData, source.manifest.entry(of: .routing) == nil else { return }
        let warning = CommandError(
            .storage,
            "The routing file of “\(region.name)” is missing; the region is sent without it.",
            remedy: "Import the map again with --routing FILE."
        )
        console.warn(ProblemReport(warning, severity: .warning))
    }
}
