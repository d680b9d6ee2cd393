import HostNetwork
package import NIOCore

/// The cause of an error: no address led to the peer.
package struct UnansweredConnection: Error {
    /// What happened at an address.
    package enum Outcome: Hashable, Sendable {
        /// No answer in time.
        case silent
        /// The connection opened, and nothing more came in time.
        case speechless
        /// connect(2) failed with this number.
        case failed(CInt)
        /// Another program answered.
        case otherProgram
        /// The connection was reset or closed right after the first packets of TLS were sent, before a byte came.
        case reset
        /// The answer is one of HTTP, such as the sign-in page of a network.
        case webPage
        /// TLS answered with another key than the share link or the announcement says.
        case otherKey
    }

    /// What happened at each address, in the order of the addresses.
    package let outcomes: [(address: SocketAddress, outcome: Outcome)]

    /// Whether an address leads to this machine, which needs no network for it.
    package var isAtHome: Bool { outcomes.contains { $0.address.host?.isLoopback == true } }

    package init(_ outcomes: [(address: SocketAddress, outcome: Outcome)]) { self.outcomes = outcomes }

    init(_ attempts: [ConnectFailure.Attempt]) {
        outcomes = attempts.map { ($0.address, Self.outcome(of: $0.error)) }
    }

    private static func outcome(of error: PeerError) -> Outcome {
        switch (error.code, error.cause) {
        case (.timedOut, _): .speechless
        case (.cannotConnect, let error as IOError): .failed(error.errnoCode)
        case (.cannotConnect, _): .silent
        case (_, let answer as UnexpectedAnswer):
            switch answer.kind {
            case .reset: .reset
            case .webPage: .webPage
            case .otherKey: .otherKey
            }
        default: .otherProgram
        }
    }
}
