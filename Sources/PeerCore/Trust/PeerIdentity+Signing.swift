import Crypto
import FoundationEssentials

extension PeerIdentity {
    /// Signs a message, which must begin with words that nothing else begins with that the key signs.
    package func sign(_ message: [UInt8]) throws(PeerError) -> PeerSignature {
        do {
            let key = try P256.Signing.PrivateKey(pemRepresentation: Self.keyBlock(in: pemRepresentation))
            let bytes = try key.signature(for: message).rawRepresentation
            if let signature = PeerSignature(key: Array(key.publicKey.rawRepresentation), bytes: Array(bytes)) {
                return signature
            }
        } catch {
            throw PeerError(.identity, "The key of this machine cannot sign.", cause: error)
        }
        throw PeerError(.identity, "The key of this machine cannot sign.")
    }

    /// Returns the block with the private key, without the certificate that follows.
    private static func keyBlock(in pem: String) -> String {
        guard let certificate = pem.firstRange(of: "-----BEGIN CERTIFICATE-----") else { return pem }
        return String(pem[..<certificate.lowerBound])
    }
}
