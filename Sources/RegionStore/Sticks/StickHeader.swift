import Crypto
import PeerProtocol
import PeerStorage
import RegionModel

/// What stands in the clear at the beginning of a sealed region.
struct StickHeader {
    static let length = 105

    private static let beginning = Array("Stick 1\n".utf8)

    /// Who can open it.
    enum Recipient: UInt8 {
        /// The machine that has written a request.
        case machine = 1
        /// Anyone who has the secret.
        case anyone = 2
    }

    let recipient: Recipient
    /// The digest of the request; zeros without one.
    let request: [UInt8]
    /// The public key of this file, or random bytes without a request.
    ///
    /// No two files have the same.
    let salt: [UInt8]

    var bytes: [UInt8] { Self.beginning + [recipient.rawValue] + request + salt }

    /// Reads a header; nil if it is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.beginning),
            let recipient = Recipient(rawValue: bytes[8])
        else { return nil }
        let request = Array(bytes[9..<41])
        guard recipient == .machine || request.allSatisfy({ $0 == 0 }) else { return nil }
        self.recipient = recipient
        self.request = request
        salt = Array(bytes[41...])
    }

    private init(_ recipient: Recipient, request: [UInt8], salt: [UInt8]) {
        (self.recipient, self.request, self.salt) = (recipient, request, salt)
    }

    /// Makes the header and the key of a file for the machine that has written a request.
    ///
    /// The private key of the file is forgotten, so only that machine can compute the key again.
    static func sealing(for request: StickRequest) throws -> (StickHeader, SymmetricKey) {
        let own = P256.KeyAgreement.PrivateKey()
        let salt = Array(own.publicKey.rawRepresentation)
        let header = StickHeader(.machine, request: request.digest.bytes, salt: salt)
        do {
            let theirs = try P256.KeyAgreement.PublicKey(rawRepresentation: request.agreementKey)
            return (header, header.key(try own.sharedSecretFromKeyAgreement(with: theirs), request.agreementKey))
        } catch {
            throw StickFile.damaged("its key is not valid", cause: error)
        }
    }

    /// Makes the header and the key of a file for anyone who has a secret.
    static func sealing(by secret: StickSecret) -> (StickHeader, SymmetricKey) {
        let salt = (0..<StickFile.publicKeyLength).map { _ in UInt8.random(in: .min ... .max) }
        let header = StickHeader(.anyone, request: [UInt8](repeating: 0, count: 32), salt: salt)
        return (header, header.key(secret))
    }

    /// Returns the key, by the private key of the request.
    func key(_ own: P256.KeyAgreement.PrivateKey) throws -> SymmetricKey {
        do {
            let theirs = try P256.KeyAgreement.PublicKey(rawRepresentation: salt)
            return key(try own.sharedSecretFromKeyAgreement(with: theirs), Array(own.publicKey.rawRepresentation))
        } catch {
            throw StickFile.damaged("its key is not valid", cause: error)
        }
    }

    /// Returns the key, by a secret.
    func key(_ secret: StickSecret) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.bytes),
            salt: salt,
            info: bytes,
            outputByteCount: SealedStream.keyLength
        )
    }

    private func key(_ shared: SharedSecret, _ agreementKey: [UInt8]) -> SymmetricKey {
        shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: request,
            sharedInfo: bytes + agreementKey,
            outputByteCount: SealedStream.keyLength
        )
    }
}
