import NIOConcurrencyHelpers
import NIOSSL

/// Verifies the peer's certificate in the TLS handshake, and has the id that it proves.
///
/// Every certificate with a P-256 key is accepted, unless one peer is expected. The conversation decides later, by the
/// id, whether the peer is welcome. The TLS handshake proves that the peer has the private key.
final class PeerCertificate: Sendable {
    private let expected: ExpectedPeer?
    private let proved = NIOLockedValueBox<(id: PeerID, der: [UInt8])?>(nil)
    private let refused = NIOLockedValueBox<PeerError?>(nil)

    init(expected: ExpectedPeer? = nil) { self.expected = expected }

    /// The id; nil until the certificate has arrived.
    var id: PeerID? { proved.withLockedValue { $0?.id } }

    /// The certificate in DER form; nil until it has arrived.
    var der: [UInt8]? { proved.withLockedValue { $0?.der } }

    /// The reason why the certificate cannot be used; nil if it can, or none arrived.
    var refusal: PeerError? { refused.withLockedValue { $0 } }

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
