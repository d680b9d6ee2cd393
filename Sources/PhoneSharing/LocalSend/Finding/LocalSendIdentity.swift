package import LocalSend
import PeerCore
package import RegionStore

/// The key and the certificate by which devices with LocalSend recognise this machine.
///
/// The key is not that by which machines know this one, so what it proves to a device proves nothing to them.
package struct LocalSendIdentity: Sendable {
    /// The file of the key, in the folder of the store.
    package static let file = "/localsend.pem"

    /// The private key and the certificate in PEM format.
    package let pem: String
    /// The certificate in DER form, as devices see it.
    package let certificate: [UInt8]

    /// What devices recognise this machine by.
    package var fingerprint: LocalSendFingerprint { LocalSendFingerprint(certificate: certificate) }

    /// Reads the identity of a store, which is created on first use.
    ///
    /// LocalSend accepts a certificate that is valid now and that its own key has signed (`verify_cert_from_cert` in its
    /// `cert.rs`); keys of P-256 are among those that it can check. No name is looked at.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.identity` if the file cannot be read or created, or is damaged.
    package static func load(for store: RegionStore) throws -> LocalSendIdentity {
        // The certificate has this name, which does not even say which program it belongs to.
        let name = try PeerServiceType(validating: "localsend")
        let identity = try PeerIdentity.load(orCreateAt: store.path + file, for: name)
        return LocalSendIdentity(pem: identity.pemRepresentation, certificate: try identity.certificateBytes)
    }
}
