import NetworkManager
package import PeerCore

/// Joins the Wi-Fi network of a sender for as long as a region is received.
package struct HotspotJoiner: Sendable {
    /// How long to look for networks of senders.
    private static let scanTime: Duration = .seconds(60)

    let application: PeerServiceType
    /// Whether a person is asked before the Wi-Fi card leaves its network.
    let consent: Consent
    let person: any Person

    /// Joins the network of a share link, calls `body` and leaves the network.
    ///
    /// If this program cannot join it, the person is asked to. If the task is cancelled, the former network comes back, too.
    package func with(_ credentials: ShareLinkNetwork, _ body: () async throws -> Void) async throws {
        let name = credentials.name(for: application)
        var hasJoined = false
        do {
            try await NetworkManagerClient.with { client in
                let state = try await client.state()
                guard !state.devices.contains(where: { $0.networkName == name }) else {
                    hasJoined = true
                    return try await body()
                }
                try await join(credentials, with: try state.deviceForJoining(), by: client) {
                    hasJoined = true
                    try await body()
                }
            }
        } catch let error as NetworkManagerError where !hasJoined && Self.isPersonAble(error) {
            let question = JoinByHandQuestion(name: name, password: credentials.password, reason: error)
            switch try await person.ask(question) {
            case .joined: try await body()
            case .declined: throw NetworkError.notJoined
            case .notAsked: throw error
            }
        }
    }

    /// Looks for networks of senders, asks for the password, joins the network, calls `body` and leaves the network.
    package func withFound(_ body: () async throws -> Void) async throws {
        try await NetworkManagerClient.with { client in
            let device = try await client.state().deviceForJoining()
            defer { tell(.working(nil)) }
            tell(.working(.looking))
            let found = try await client.accessPoints(
                namedWith: application.name + "-",
                on: device,
                within: Self.scanTime
            )
            tell(.working(nil))
            let name = try await choose(found.map(\.name).filter { ShareLinkNetwork.isName($0, for: application) })
            guard let credentials = try await person.ask(NetworkPasswordQuestion(of: name, for: application)) else {
                throw NetworkError.noPassword
            }
            // The laptop may have changed its network meanwhile.
            try await join(credentials, with: try await client.state().deviceForJoining(), by: client, body)
        }
    }

    private func tell(_ happening: NetworkHappening) { person.tell(.networks(happening)) }

    private func choose(_ names: [String]) async throws -> String {
        guard let first = names.first else { throw NetworkError.noneInReach }
        guard names.count > 1 else { return first }
        guard let name = try await person.ask(NetworkChoiceQuestion(names: names)) else {
            throw NetworkError.noneChosen
        }
        return name
    }

    private func join(
        _ credentials: ShareLinkNetwork,
        with device: WiFiDevice,
        by client: NetworkManagerClient,
        _ body: () async throws -> Void
    ) async throws {
        let name = credentials.name(for: application)
        var device = device
        if let current = device.connection {
            try await LeaveNetworkQuestion(current: current.name, name: name, purpose: .joining)
                .settle(consent, person)
            // The laptop may have changed its network meanwhile.
            if consent.asks { device = try await client.state().deviceForJoining() }
        }
        defer { tell(.working(nil)) }
        tell(.working(.joining(name)))
        try await client.withJoined(device, named: name, password: credentials.password) { former in
            tell(.returning(to: former))
        } _: { _ in
            tell(.working(nil))
            tell(.joined(JoinedNetwork(name: name, interface: device.interface)))
            try await body()
        }
    }

    /// Whether the person can do what the program cannot.
    private static func isPersonAble(_ error: NetworkManagerError) -> Bool {
        switch error.code {
        case .noNetworkManager, .networkingOff, .wifiOff, .noWiFi, .unmanaged, .unavailable, .noPermission: true
        default: false
        }
    }
}
