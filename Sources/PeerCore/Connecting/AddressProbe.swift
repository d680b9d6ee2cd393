package import NIOCore

/// Finds out whether a peer answers at an address.
package enum AddressProbe {
    /// Connects, waits until the other side has proved a key of its own, and disconnects.
    ///
    /// This machine uses a new key, so that the other side cannot recognise it. No message is sent after the handshake, so the
    /// other side asks nobody and shows nothing.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - application: The application that should answer.
    /// - Throws: ``PeerError`` that says who or what answers instead; `CancellationError`.
    package static func probe(at address: SocketAddress, application: PeerServiceType) async throws {
        let identity = try PeerIdentity.generate(for: application)
        let connector = PeerConnector(application: application, configuration: ConnectionConfiguration())
        do {
            let connection = try await connector.connect(
                to: [address],
                security: try TransportSecurity(identity: identity, application: application),
                expecting: nil
            )
            connection.abort()
        } catch let failure as ConnectFailure {
            throw failure.error
        }
    }
}
