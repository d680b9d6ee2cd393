internal import NIOSSL

/// A private key and a self-signed certificate, which one side of a connection shows to the other.
package struct WebIdentity: Hashable, Sendable {
    /// The text has no private key or no certificate.
    package struct Invalid: Error {}

    let certificate: NIOSSLCertificate
    let privateKey: NIOSSLPrivateKey
    /// The certificate in DER form, as the other side sees it.
    package let certificateBytes: [UInt8]

    /// Reads a private key and a certificate in PEM format.
    package init(pem: String) throws(Invalid) {
        do {
            let bytes = Array(pem.utf8)
            guard let certificate = try NIOSSLCertificate.fromPEMBytes(bytes).first else { throw Invalid() }
            self.certificate = certificate
            privateKey = try NIOSSLPrivateKey(bytes: bytes, format: .pem)
            certificateBytes = try certificate.toDERBytes()
        } catch {
            throw Invalid()
        }
    }
}
