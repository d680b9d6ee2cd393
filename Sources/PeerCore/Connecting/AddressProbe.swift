import Logging
package import NIOCore

/// Finds out whether a peer answers at an address.
package enum AddressProbe {
    /// How a peer answers.
    package struct Answer: Hashable, Sendable {
        /// Whether packets of the usual length got lost, and only small ones arrive.
        package var usesSmallSegments: Bool
    }

    /// Connects, waits until the other side has proved a key of its own, and disconnects.
    ///
    /// This machine uses a new key, so that the other side cannot recognise it. No message is sent after the handshake, so the
    /// other side asks no person and shows nothing.
    @discardableResult
    package static func probe(at address: SocketAddress, application: PeerServiceType) async throws -> Answer {
        let identity = try PeerIdentity.generate(for: application)
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = ConnectionConfiguration.patientConnectTimeout
        let connector = PeerConnector(application: application, configuration: configuration)
        do {
            let connection = try await connector.connect(
                to: [address],
                security: try TransportSecurity(identity: identity, application: application),
                expecting: nil
            )
            connection.abort()
            return Answer(usesSmallSegments: connection.usesSmallSegments)
        } catch let failure as ConnectFailure {
            throw failure.error
        }
    }
}
