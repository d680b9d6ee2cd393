import ArgumentParser
import PeerCore
import RegionSharing
import RegionStore
import SharingReports

struct SendCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send regions to the receivers that you accept.",
        discussion: """
            Waits for receivers and serves them, several at once if needed, until you press Ctrl-C. You see the name \
            of each receiver before you accept or decline. With a new machine, both of you compare six digits; after \
            that, the machines trust each other. Anyone with the share link (or the QR code) is accepted without a question.

            Of several regions, each receiver picks what it wants. Phones that have LocalSend are listed; type the number of one \
            to send it the map.

            Examples:
              hikeshare send "Coma Pedrosa"
              hikeshare send 3f9a12cd --only map,waypoints
              hikeshare send Andorra "Coma Pedrosa" Pirineus
              hikeshare send --all
              hikeshare send "Coma Pedrosa" --only planned --route "Pic de Comapedrosa"
              hikeshare send "Coma Pedrosa" --along "Pic de Comapedrosa" --within 1km
              hikeshare send "Coma Pedrosa" --once --yes
              hikeshare send "Coma Pedrosa" --hotspot
              hikeshare send "Coma Pedrosa" --hotspot --web
              hikeshare send "Coma Pedrosa" --phone "Anna's phone" --once
              hikeshare send "Coma Pedrosa" --stick /media/stick
            """
    )

    @Argument(help: ArgumentHelp("Names of the regions, or parts of them.", valueName: "region"), completion: .region)
    var words: [String] = []

    @Flag(help: "Send all regions; receivers pick.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "TCP port to listen on; 0 for any free port (default: 64453, or any free port if that is in use).",
            valueName: "port"
        )
    )
    var port: Int?

    @Flag(help: ArgumentHelp("Also show loopback addresses, for tests.", visibility: .hidden))
    var showLoopback = false

    @Option(
        help: ArgumentHelp(
            "Of the hikes and planned routes, only the one with this name, or this number in 'show'; may be repeated.",
            valueName: "name"
        ),
        completion: .route
    )
    var route: [String] = []

    @Flag(help: "Stop after the first complete transfer.")
    var once = false

    @Option(
        help: ArgumentHelp("End after so many seconds without a transfer (default: at Ctrl-C).", valueName: "seconds")
    )
    var timeout: Int?

    @Flag(help: "Do not announce the region on the network; receivers need the share link or --connect.")
    var noDiscovery = false

    @Flag(name: .customLong("private"), help: "Do not announce the name and size of the region.")
    var isPrivate = false

    @Flag(help: "Include heart rates, calories and other sensor data of recorded hikes.")
    var includeHealth = false

    @Flag(help: "Take the camera, the place and the time out of the copies of photos that are sent.")
    var noPlaces = false

    @Flag(help: "With a part of the map, also send hikes, routes and waypoints that lie elsewhere.")
    var allItems = false

    @OptionGroup var stick: StickOptions
    @OptionGroup var cut: CutOptions
    @OptionGroup var hotspot: HotspotOptions
    @OptionGroup var web: WebOptions
    @OptionGroup var phones: PhoneOptions
    @OptionGroup var localSend: LocalSendOptions
    @OptionGroup var sharing: SharingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard port.map({ (0...65_535).contains($0) }) ?? true else {
            throw ValidationError("--port must be 0 to 65535.")
        }
        guard words.isEmpty || !all else { throw ValidationError("Name regions, or use --all, not both.") }
        try sharing.check(routes: route)
        guard cut.isEmpty || sharing.only?.kinds.contains(.mbtiles) != false else {
            throw ValidationError("--along, --area and --max-zoom select tiles of the map: add map to --only.")
        }
        guard timeout.map({ (1...86_400).contains($0) }) ?? true else {
            throw ValidationError("--timeout must be 1 to 86400 seconds.")
        }
        try checkWays()
    }

    func run() async throws { try await run(on: global.makeConsole()) }

    /// Sends, with questions and results on a console.
    func run(on console: Console) async throws {
        // In plain text there are no share links and no trusted peers.
        try sharing.requireSomebodyToAsk(console, unless: sharing.encryption != .none || stick.stick != nil)
        let store = try global.openStore(.writing)
        let regions = try all ? store.allRegions() : store.regions(named: words)
        for file in cut.along where CutRule.isTrackFile(file) {
            console.note(
                "The lines of \(file) are not sent, only the tiles along them. To send them, import the file first."
            )
        }
        let sent = try wish(store).offer(regions, of: store, for: TerminalPerson(console))
        guard let folder = stick.stick else { return try await send(sent, of: store, console) }
        guard !sent.isEmpty else { throw CommandError.noMaps }
        let sender = StickSender(
            sent.map(\.source),
            personal: sent.personal,
            of: store,
            local: try await sharing.localPeer(of: store, console),
            to: folder,
            isForAnyone: stick.anyone,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            person: TerminalPerson(console)
        )
        try await sender.run()
    }
}

/// What ways to others go together.
extension SendCommand {
    func checkWays() throws {
        let usesNetwork = once || web.web || hotspot.hotspot || timeout != nil || wantsPhones
        guard stick.stick == nil || !usesNetwork else {
            throw ValidationError(
                "--stick uses no network: leave out --once, --timeout, --web, --hotspot, --phone and --as."
            )
        }
        guard timeout == nil || !web.web else {
            throw ValidationError("--timeout knows nothing of phones: leave out --timeout or --web.")
        }
        guard !once || !web.web else {
            throw ValidationError("--once ends after one receiver, and --web is for several: leave one of them out.")
        }
        guard web.web || !web.webPersonal || !phones.phone.isEmpty else {
            throw ValidationError("--web-personal needs --web or --phone.")
        }
        guard !wantsPhones || !hasNoLocalSend else {
            throw ValidationError(
                "--phone and --as need LocalSend: leave out --no-localsend, --private and --no-discovery."
            )
        }
    }

    /// Whether something is wanted of phones that have LocalSend.
    private var wantsPhones: Bool { !phones.phone.isEmpty || phones.kind != nil }

    /// Whether phones are not looked for, and do not find this machine.
    ///
    /// A phone learns the name of this machine, and what is sent.
    var hasNoLocalSend: Bool { localSend.noLocalSend || isPrivate || noDiscovery }
}
