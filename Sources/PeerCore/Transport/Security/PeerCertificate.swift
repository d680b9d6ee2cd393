import NIOConcurrencyHelpers
import NIOSSL

/// Whom the peer's certificate proves it to be.
///
/// Any certificate with a P-256 key is good enough to be recognised by; whether its owner is welcome is decided later, from the id.
/// The TLS handshake itself proves that the peer holds the private key.
final class PeerCertificate: Sendable {
    private let expected: PeerID?
    private let proved = NIOLockedValueBox<PeerID?>(nil)
    private let refused = NIOLockedValueBox<PeerError?>(nil)

    /// Creates a place for the peer's id.
    ///
    /// - Parameter expected: The only id that is accepted; nil for any.
    init(expected: PeerID? = nil) {
        self.expected = expected
    }

    /// The id; nil until the handshake has got so far.
    var id: PeerID? {
        proved.withLockedValue { $0 }
    }

    /// Why the certificate was not even looked at; nil if it was, or none came.
    var refusal: PeerError? {
        refused.withLockedValue { $0 }
    }

    func verify(_ certificates: [NIOSSLCertificate]) -> NIOSSLVerificationResult {
        guard let certificate = certificates.first else { return .failed }
        let id: PeerID
        do {
            id = try PeerID(of: certificate)
        } catch {
            refused.withLockedValue { $0 = error as? PeerError }
            return .failed
        }
        proved.withLockedValue { $0 = id }
        return expected == nil || expected == id ? .certificateVerified : .failed
    }
}
