import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting

extension World {
    /// Runs a session on each of several machines.
    func sessions(
        _ names: [String],
        _ settings: Settings = Settings { _ in },
        _ body: @escaping @Sendable ([PeerSession]) async throws -> Void
    ) async throws {
        try await run(names[...], settings, [], body)
    }

    private func run(
        _ names: ArraySlice<String>,
        _ settings: Settings,
        _ running: [PeerSession],
        _ body: @escaping @Sendable ([PeerSession]) async throws -> Void
    ) async throws {
        guard let name = names.first else { return try await body(running) }
        try await session(name, settings) { session in
            try await run(names.dropFirst(), settings, running + [session], body)
        }
    }

    /// Runs a group: the first machine has invited all others.
    func group(
        _ names: [String],
        _ settings: Settings = Settings { _ in },
        _ body: @escaping @Sendable ([PeerSession]) async throws -> Void
    ) async throws {
        try await sessions(names, settings) { sessions in
            for other in sessions.dropFirst() { try await sessions[0].invite(at: [address(of: other)]) }
            try await until { areLinked(sessions) }
            try await body(sessions)
        }
    }

    /// Whether everybody is connected with everybody, and with nobody else.
    func areLinked(_ sessions: [PeerSession]) -> Bool {
        let all = Set(sessions.map(\.local.id))
        return sessions.allSatisfy { session in
            Set(session.connectedPeers) == all.subtracting([session.local.id])
        }
    }
}
