internal import NIOCore
internal import NIOSSL

/// How a server encrypts (TLS 1.2 or 1.3), and whom it lets in.
package struct WebServerSecurity: Hashable, Sendable {
    /// What the server shows.
    package var identity: WebIdentity
    /// Whether clients are asked for a certificate.
    ///
    /// A client may show one, which nobody has to have signed, or none. The handshake proves that the client has its key.
    package var asksForCertificate: Bool
    /// The time for a handshake.
    package var handshakeTime: Duration = .seconds(10)
    /// The maximum number of handshakes at once; for a further one, the connection that has tried longest is closed.
    package var maximumHandshakes = 32

    package init(_ identity: WebIdentity, asksForCertificate: Bool) {
        (self.identity, self.asksForCertificate) = (identity, asksForCertificate)
    }

    /// Makes what all connections share.
    func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(identity.certificate)],
            privateKey: .privateKey(identity.privateKey)
        )
        configuration.setWebDefaults()
        // It makes the server ask; `handler` replaces the verification.
        configuration.certificateVerification = asksForCertificate ? .optionalVerification : .none
        return try NIOSSLContext(configuration: configuration)
    }

    /// Makes the handler of a connection.
    static func handler(_ context: NIOSSLContext) -> NIOSSLServerHandler {
        NIOSSLServerHandler(context: context) { certificates, promise in
            promise.succeed(certificates.count == 1 ? .certificateVerified : .failed)
        }
    }
}

extension TLSConfiguration {
    /// Sets what is the same for both sides.
    mutating func setWebDefaults() {
        minimumTLSVersion = .tlsv12
        // Otherwise the system's certificate authorities are loaded, about 140 unused certificates.
        trustRoots = .certificates([])
        // A peer that is gone never answers the closure alert.
        shutdownTimeout = .seconds(1)
    }
}
