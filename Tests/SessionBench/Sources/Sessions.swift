import Foundation
import Logging
import NearbyPeers

/// A line of a chat: about 100 bytes of JSON.
struct ChatLine: PeerMessage {
    static let messageName = "chat.line"
    var number: Int
    var author = "Anna"
    var text = "We are at the hut already, the path is dry"
    var at = 1_764_000_000.25
}

/// A request of 64 bytes of JSON.
struct Question: PeerRequest {
    static let messageName = "question"
    typealias Response = Question
    var text = "Where is everybody? We wait at the hut above the lake"
}

/// Trusts everybody, so that nobody is asked.
private struct KnownPeers: TrustStore {
    func trust(of id: PeerID, callingItself name: String) -> PeerTrust { .trusted(name: name) }

    func pin(_ id: PeerID, name: String) {}
}

/// Both sides of the sessions that are measured.
enum Sessions {
    static func configuration(_ name: String) throws -> PeerSession.Configuration {
        let application = try PeerServiceType(validating: "session-bench")
        let local = LocalPeer(
            application: application,
            identity: try .generate(for: application),
            displayName: name,
            software: "bench 1"
        )
        var configuration = PeerSession.Configuration(
            local: local,
            messages: [ChatLine.self],
            requests: [Question.self]
        )
        configuration.trust = KnownPeers()
        configuration.admission = .trusted(comparing: nil)
        configuration.maximumPeers = 63
        configuration.logger.logLevel = .error
        return configuration
    }

    static func run(_ options: Options) async throws {
        if options.program == "group" {
            try await withPeerSession(try configuration("member")) { session in
                try await GroupMember(session: session, options: options).run()
            }
        } else if options.isListening {
            try await withPeerSession(try configuration("listener")) { session in
                try await Listener(session: session, options: options).run()
            }
        } else if options.program == "meet" {
            try await Meeting(options: options).run()
        } else if options.program == "idle" {
            try await stayIdle(options)
        } else {
            try await withPeerSession(try configuration("connector")) { session in
                let peer = try await session.invite(at: [try options.address])
                try await Connector(session: session, peer: peer, options: options).run()
            }
        }
    }

    /// Several peers that are connected and do nothing.
    private static func stayIdle(_ options: Options) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<options.count("peers", 1) {
                group.addTask {
                    try await withPeerSession(try configuration("idle \(index)")) { session in
                        try await session.invite(at: [try options.address])
                        emit("connected", [:])
                        try await Task.sleep(for: .seconds(3600))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Meets the listener again and again, each time with a new session.
struct Meeting: Sendable {
    let options: Options

    func run() async throws {
        var times: [UInt64] = []
        let configuration = try Sessions.configuration("connector")
        // The first one loads what the others find loaded.
        for number in 0...options.count("times", 10) {
            let time = try await withPeerSession(configuration) { session in
                options.isOn("discovery") ? try await find(session) : try await invite(session)
            }
            if number > 0 { times.append(time) }
        }
        emit("result", percentiles(times))
    }

    private func invite(_ session: PeerSession) async throws -> UInt64 {
        let address = try options.address
        let begin = nanoseconds()
        try await session.invite(at: [address])
        return nanoseconds() - begin
    }

    private func find(_ session: PeerSession) async throws -> UInt64 {
        let begin = nanoseconds()
        for try await peers in session.browse() {
            guard let peer = peers.first else { continue }
            try await session.invite(peer)
            return nanoseconds() - begin
        }
        throw Problem("discovery has ended")
    }
}
