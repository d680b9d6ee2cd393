import NetworkManager
import PeerCore

/// Joins the Wi-Fi network of a sender for as long as a region is received.
struct HotspotJoiner: Sendable {
    /// Whether nothing is asked.
    var acceptsAll: Bool
    var console: Console

    /// How long to look for networks of senders.
    private static let scanTime: Duration = .seconds(60)

    /// Joins the network of a share link, calls `body` and leaves the network.
    ///
    /// If this program cannot join it, the person is asked to. If a person stops the program meanwhile, the former network comes
    /// back, too.
    ///
    /// - Throws: ``CommandError`` if the person declines or stops it; `NetworkManagerError`; the error of `body`.
    func with(_ credentials: ShareLinkNetwork, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Self.watch { try await join(credentials, body) }
    }

    private static func watch(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Interruption.watch {
            false
        } isSaying: {
            // The program asks NetworkManager to end the network.
            true
        } _: {
            try await body()
        }
    }

    private func join(_ credentials: ShareLinkNetwork, _ body: () async throws -> Void) async throws {
        var hasJoined = false
        do {
            try await NetworkManagerClient.with { client in
                let state = try await client.state()
                let name = credentials.name(for: .hikeshare)
                guard !state.devices.contains(where: { $0.networkName == name }) else {
                    hasJoined = true
                    return try await body()
                }
                try await join(credentials, with: try state.deviceForJoining(), by: client) {
                    hasJoined = true
                    try await body()
                }
            }
        } catch let error as NetworkManagerError where !hasJoined && Self.isPersonAble(error) && console.canAsk {
            try await askToJoin(credentials, because: error)
            try await body()
        }
    }

    /// Looks for networks of senders, asks for the password, joins the network, calls `body` and leaves the network.
    ///
    /// - Throws: ``CommandError`` if there is no network or no password; `NetworkManagerError`; the error of `body`.
    func withFound(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Self.watch { try await findAndJoin(body) }
    }

    private func findAndJoin(_ body: () async throws -> Void) async throws {
        try await NetworkManagerClient.with { client in
            let device = try await client.state().deviceForJoining()
            defer { console.show(nil) }
            console.show("Looking for Wi-Fi networks of senders …")
            let found = try await client.accessPoints(
                namedWith: PeerServiceType.hikeshare.name + "-",
                on: device,
                within: Self.scanTime
            )
            console.show(nil)
            let names = found.map(\.name).filter { ShareLinkNetwork.isName($0, for: .hikeshare) }
            let credentials = try await askForPassword(of: try await choose(names))
            // The laptop may have changed its network meanwhile.
            try await join(credentials, with: try await client.state().deviceForJoining(), by: client, body)
        }
    }

    private func join(
        _ credentials: ShareLinkNetwork,
        with device: WiFiDevice,
        by client: NetworkManagerClient,
        _ body: () async throws -> Void
    ) async throws {
        let name = credentials.name(for: .hikeshare)
        var device = device
        if let current = device.connection {
            let (consequence, question) = Self.question(leaving: current.name, for: name)
            if acceptsAll {
                console.note(consequence)
            } else {
                guard console.canAsk else {
                    throw CommandError(
                        .noTerminal,
                        "This laptop would leave the Wi-Fi network “\(current.name)”, and there is no terminal to ask you first.",
                        remedy: "Add --yes to leave it."
                    )
                }
                guard try await console.confirm(introduction: consequence, question, byDefault: true) else {
                    throw CommandError(.declined, "The Wi-Fi network was not joined; nothing was received.")
                }
                device = try await client.state().deviceForJoining()
            }
        }
        defer { console.show(nil) }
        console.show("Joining the Wi-Fi network \(name) …")
        if console.showsPlainProgress { console.note("Joining the Wi-Fi network \(name) …") }
        try await client.withJoined(device, named: name, password: credentials.password) { former in
            console.note("This laptop returns to “\(former)”.")
        } _: { _ in
            console.show(nil)
            console.emitForPrograms(JoinedReport(network: name, interface: device.interface))
            console.note("Joined the Wi-Fi network \(name).")
            try await body()
        }
    }

    /// The question before the card leaves its network.
    static func question(
        leaving current: String,
        for name: String
    ) -> (introduction: DisplayText, question: DisplayText) {
        ("This laptop leaves “\(current)” now, and returns to it at the end.", "Join the Wi-Fi network \(name)?")
    }

    private func choose(_ names: [String]) async throws -> String {
        guard let first = names.first else {
            throw CommandError(
                .noPeerFound,
                "No Wi-Fi network of a sender is within reach.",
                remedy: "Run 'hikeshare send REGION --hotspot' on the other laptop, go nearer, and try again."
            )
        }
        guard names.count > 1 else { return first }
        let rows = names.enumerated().map { index, name -> [DisplayText] in ["\(index + 1)", "\(name)"] }
        while true {
            let line = try await console.ask(introduction: Table.render(rows), "Which network? [1-\(names.count)] ")
            guard let line else { throw CommandError(.declined, "No network was chosen; nothing was received.") }
            if let name = Self.name(in: names, chosenBy: line) { return name }
        }
    }

    /// Returns the name whose number a person has typed, counted from 1; nil for none.
    static func name(in names: [String], chosenBy line: String) -> String? {
        guard let number = Int(line.filter { !$0.isWhitespace }), (1...names.count).contains(number) else { return nil }
        return names[number - 1]
    }

    private func askForPassword(of name: String) async throws -> ShareLinkNetwork {
        while true {
            let line = try await console.ask("Password of \(name): ")
            guard let line else { throw CommandError(.declined, "No password was given; nothing was received.") }
            if let credentials = ShareLinkNetwork(named: name, password: line, for: .hikeshare) { return credentials }
            console.tell("The password has twelve letters and digits; the other screen shows it. Please try again.")
        }
    }

    /// Whether the person can do what the program cannot.
    private static func isPersonAble(_ error: NetworkManagerError) -> Bool {
        switch error.code {
        case .noNetworkManager, .networkingOff, .wifiOff, .noWiFi, .unmanaged, .unavailable, .noPermission: true
        default: false
        }
    }

    private func askToJoin(_ credentials: ShareLinkNetwork, because error: NetworkManagerError) async throws {
        let introduction = Self.request(credentials, because: error)
        guard try await console.ask(introduction: introduction, "Press Enter when this laptop is in it: ") != nil else {
            throw CommandError(.declined, "The Wi-Fi network was not joined; nothing was received.")
        }
    }

    /// The instructions for a person who joins the network without the program.
    static func request(_ credentials: ShareLinkNetwork, because error: NetworkManagerError) -> DisplayText {
        let table = Table.render([
            ["Wi-Fi network:", "\(credentials.name(for: .hikeshare), .strong)"],
            ["Password:", "\(credentials.password, .strong)"],
        ])
        let lead: DisplayText = "\(error.message)\nJoin this network yourself, in the settings of the desktop:\n"
        return lead + table
    }
}
