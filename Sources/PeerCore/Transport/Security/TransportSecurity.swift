import NIOConcurrencyHelpers
import NIOCore
import NIOSSL

/// The TLS configuration: version 1.3, self-signed certificates on both sides, identity by public key.
struct TransportSecurity: Sendable {
    /// The protocol's name in the TLS handshake (ALPN, RFC 7301).
    let applicationProtocol: String

    private let listenerContext: NIOSSLContext
    private let connectorContext: NIOSSLContext

    init(identity: PeerIdentity, application: PeerServiceType) throws(PeerError) {
        self.applicationProtocol = "\(application.name)/1"
        do {
            let chain: [NIOSSLCertificateSource] = [.certificate(identity.certificate)]
            var listener = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain,
                privateKey: .privateKey(identity.privateKey)
            )
            var connector = TLSConfiguration.makeClientConfiguration()
            connector.certificateChain = chain
            connector.privateKey = .privateKey(identity.privateKey)
            self.listenerContext = try Self.context(&listener, applicationProtocol)
            self.connectorContext = try Self.context(&connector, applicationProtocol)
        } catch {
            throw PeerError(
                .identity,
                "The key and certificate of this machine cannot be used for encryption.",
                cause: error
            )
        }
    }

    private static func context(
        _ configuration: inout TLSConfiguration,
        _ applicationProtocol: String
    ) throws -> NIOSSLContext {
        configuration.minimumTLSVersion = .tlsv13
        // Certificates contain no host names. PeerCertificate replaces the verification.
        configuration.certificateVerification = .noHostnameVerification
        // Otherwise the system's certificate authorities are loaded, about 140 unused certificates.
        configuration.trustRoots = .certificates([])
        // A peer that is gone never answers the closure alert.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = [applicationProtocol]
        return try NIOSSLContext(configuration: configuration)
    }

    func makeListenerHandler(_ peer: PeerCertificate) -> NIOSSLServerHandler {
        NIOSSLServerHandler(context: listenerContext) { certificates, promise in
            promise.completeWith(.success(peer.verify(certificates)))
        }
    }

    func makeConnectorHandler(_ peer: PeerCertificate) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: connectorContext, serverHostname: nil) { certificates, promise in
            promise.completeWith(.success(peer.verify(certificates)))
        }
    }
}

/// Verifies the peer's certificate in the TLS handshake, and has the id that it proves.
///
/// Every certificate with a P-256 key is accepted, unless one peer is expected. The conversation decides later, by the
/// id, whether the peer is welcome. The TLS handshake proves that the peer has the private key.
final class PeerCertificate: Sendable {
    private let expected: ExpectedPeer?
    private let proved = NIOLockedValueBox<(id: PeerID, der: [UInt8])?>(nil)
    private let refused = NIOLockedValueBox<PeerError?>(nil)

    /// Creates a verifier.
    ///
    /// - Parameter expected: The only peer that is accepted; nil for any.
    init(expected: ExpectedPeer? = nil) {
        self.expected = expected
    }

    /// The id; nil until the certificate has arrived.
    var id: PeerID? {
        proved.withLockedValue { $0?.id }
    }

    /// The certificate in DER form; nil until it has arrived.
    var der: [UInt8]? {
        proved.withLockedValue { $0?.der }
    }

    /// The reason why the certificate cannot be used; nil if it can, or none arrived.
    var refusal: PeerError? {
        refused.withLockedValue { $0 }
    }

    func verify(_ certificates: [NIOSSLCertificate]) -> NIOSSLVerificationResult {
        guard let certificate = certificates.first else { return .failed }
        let (id, der): (PeerID, [UInt8])
        do {
            (id, der) = try (PeerID(of: certificate), certificate.toDERBytes())
        } catch {
            refused.withLockedValue { $0 = error as? PeerError }
            return .failed
        }
        proved.withLockedValue { $0 = (id, der) }
        return expected?.accepts(id) == false ? .failed : .certificateVerified
    }
}
