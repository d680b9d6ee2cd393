import Glibc
import NIOCore

/// The cause of an error: addresses did not answer, as behind a firewall that drops or rejects connections.
package struct UnansweredConnection: Error {
    /// The ports of these addresses, each once, in the order of the addresses.
    package let ports: [Int]

    /// Creates a cause.
    package init(ports: [Int]) {
        self.ports = ports
    }

    /// Creates a cause; nil unless an attempt failed in the way of a firewall.
    init?(_ attempts: [ConnectFailure.Attempt]) {
        var ports: [Int] = []
        for attempt in attempts where Self.looksLikeFirewall(attempt.error) {
            guard let port = attempt.address.port, !ports.contains(port) else { continue }
            ports.append(port)
        }
        guard !ports.isEmpty else { return nil }
        self.ports = ports
    }

    /// Returns whether packets were dropped, or rejected with an ICMP message (RFC 792, RFC 4443).
    private static func looksLikeFirewall(_ error: PeerError) -> Bool {
        switch error.cause {
        case is ChannelError: true
        case let error as IOError: [EHOSTUNREACH, EACCES, ETIMEDOUT].contains(error.errnoCode)
        default: false
        }
    }
}
