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
