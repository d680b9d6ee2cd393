import Logging
import NearbyPeers
import PeerTesting

/// A line of the chat that the guides build.
struct ChatLine: PeerMessage, Hashable {
    static let messageName = "chat.line"
    var text: String
}

/// Where a person points, many times a second.
struct PointerMoved: PeerMessage, Hashable {
    static let messageName = "pointer.moved"
    var x: Double
}

/// Asks a peer for the number of its lines.
struct CountLines: PeerRequest, Hashable {
    static let messageName = "count.lines"
    typealias Response = Int
    var author: String
}

/// The peers that people have compared digits with.
actor KnownPeers: TrustStore {
    private(set) var names: [PeerID: String] = [:]

    func trust(of id: PeerID, callingItself name: String) -> PeerTrust {
        if let known = names[id] { return .trusted(name: known) }
        let alike = names.values.first { PeerName.areAlike($0, name) }
        return alike.map { .impostor(name: $0) } ?? .unknown
    }

    func pin(_ id: PeerID, name: String) { names[id] = name }
}

/// The chat on two machines in memory.
struct Chat: Sendable {
    /// A change of the configuration.
    struct Setting: Sendable {
        let apply: @Sendable (inout PeerSession.Configuration) -> Void

        static func set<Value: Sendable>(
            _ property: any WritableKeyPath<PeerSession.Configuration, Value> & Sendable,
            _ value: Value
        ) -> Setting {
            Setting { $0[keyPath: property] = value }
        }
    }

    let network = InMemoryNetwork()

    func configuration(_ name: String) throws -> PeerSession.Configuration {
        let application = try PeerServiceType(validating: "chat-app")
        var configuration = PeerSession.Configuration(
            local: try network.local(name, application: application),
            messages: [ChatLine.self, PointerMoved.self],
            requests: [CountLines.self]
        )
        configuration.admission = .everyone
        configuration.logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        return configuration
    }

    /// Runs a session on a machine.
    func session<Result: Sendable>(
        _ name: String,
        _ settings: Setting...,
        body: @Sendable (PeerSession) async throws -> Result
    ) async throws -> Result {
        var configuration = try configuration(name)
        for setting in settings { setting.apply(&configuration) }
        return try await withPeerSession(configuration, environment: network.machine(name), body)
    }

    /// Runs two sessions that are connected: Ben has found and invited Anna.
    func connected(_ body: @Sendable (_ anna: PeerSession, _ ben: PeerSession) async throws -> Void) async throws {
        try await session("anna") { anna in
            try await session("ben") { ben in
                try await meet(ben, anna)
                try await body(anna, ben)
            }
        }
    }

    /// The first session finds and invites the second one.
    func meet(_ inviter: PeerSession, _ invited: PeerSession) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await invited.advertise() }
            let peer = try await Self.first(inviter.browse())
            try await inviter.invite(peer)
            try await network.clock.advance(until: { invited.connectedPeers.contains(inviter.local.id) })
            group.cancelAll()
        }
    }

    /// Waits for the first peer that is found.
    static func first(_ browsing: PeerBrowsing) async throws -> NearbyPeer {
        for try await peers in browsing {
            if let peer = peers.first { return peer }
        }
        throw CancellationError()
    }
}
