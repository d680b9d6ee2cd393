import ExampleSupport
import Foundation
import NearbyPeers

/// A host that shows pictures on the light boxes of clients: `LightBox NAME KEY-FILE --host|--client [--everyone]`.
///
/// The host finds and invites clients. On both sides, `test` tests the connections. At the host, `show NAME` asks each client
/// to show a picture, and any other line is sent as a note. Ctrl-D ends the program.
///
/// The session tests each connection before it is `connected`, sends a keep-alive every 2 s, notices after 6 s of silence that
/// the other side is gone, and reconnects. None of that is in this program.
@main
struct LightBox {
    static func main() async throws {
        guard let arguments = Arguments.read(options: ["--host", "--client"]) else { exit(2) }
        let isHost = arguments.options.contains("--host")
        let person = Person()
        var configuration = try arguments.configuration(
            service: "lightbox-app",
            software: "LightBox 1.0",
            asking: person
        )
        configuration.messages = isHost ? [] : [Note.self]
        configuration.requests = isHost ? [] : [Handshake.self, ShowPicture.self]
        // A host and its clients: the host does not introduce the clients to one another.
        configuration.topology = .star
        try await withPeerSession(configuration) { session in
            if isHost {
                try await Host(session: session, person: person).run()
            } else {
                try await Client(session: session, person: person).run()
            }
        }
    }
}

/// Tests the connection with each peer.
func testConnections(_ session: PeerSession) async {
    for peer in session.connectedPeers {
        do {
            let time = try await session.roundTrip(to: peer)
            log(session.name(of: peer), "test: the answer took \(time.formatted(.units(allowed: [.milliseconds])))")
        } catch {
            log(session.name(of: peer), "test: \(error.message)")
        }
    }
}

/// Prints what happened, with the time and the peer.
func log(_ peer: String, _ text: String) {
    show("\(Date().formatted(.iso8601.time(includingFractionalSeconds: true))) \(peer): \(text)")
}
