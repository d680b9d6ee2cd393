import Crypto
import FoundationEssentials
import PeerProtocol
import PeerStorage
package import RegionModel

/// What files on a stick have in common.
package enum StickFile {
    /// What the name of a request ends with.
    package static let requestSuffix = ".stick-request"
    /// What the name of a sealed region ends with.
    package static let suffix = ".stick"

    /// The number of bytes of a public key of P-256.
    static let publicKeyLength = 64

    /// The error of a file that is not what was written.
    static let damaged = RegionStoreError(
        .invalidFile,
        "The file on the stick is damaged, was cut off, or was changed. Nothing of it was taken.",
        remedy: "Remove the file, and have it written again."
    )

    /// The error of a file without its end.
    static let cutOff = RegionStoreError(
        .invalidFile,
        "The file on the stick is only a part of what was written, or its end was changed. Nothing of it was taken.",
        remedy: "Have it written again, and eject the stick before it is taken out."
    )

    /// The error of a file for anyone whose beginning the given secret does not open.
    static let unopened = RegionStoreError(
        .invalidFile,
        "This link does not open the file on the stick, or the file is damaged. Nothing of it was taken.",
        remedy: "Give the link that was shown when the file was written, or have it written again."
    )

    /// The error of a file that is sealed for a request which is not open any more, or for another machine.
    package static let old = RegionStoreError(
        .invalidFile,
        "The file on the stick is sealed for another machine, or for a request that this machine has replaced or used up.",
        remedy: "Write a new request to the stick, and have the map written for it."
    )

    /// The error of a file for anyone, if there is no link.
    package static let needsLink = RegionStoreError(
        .invalidFile,
        "The file on the stick is for anyone who has its link.",
        remedy: "Add --link, and give the link that was shown when the file was written."
    )

    /// The error of a file that takes tiles for granted which are not in the store any more.
    static let stale = RegionStoreError(
        .conflict,
        "The store has changed since the request was written, so the file on the stick lacks something now.",
        remedy: "Write a new request to the stick, and have the map written for it."
    )

    /// The paths of the files in a folder whose names end with a suffix, in the order of their names.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such folder,
    ///   `RegionStoreError.Code.storage` if it cannot be read.
    package static func paths(in folder: String, _ suffix: String) throws -> [String] {
        do throws(SystemError) {
            let folder = try Folder(folder)
            return try folder.names().filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
                .map { folder.path(of: $0) }
        } catch {
            var failure = RegionStoreError.storage("read", folder, error)
            if error.isOfMissingFile { failure.code = .notFound }
            throw failure
        }
    }
}

/// A secret that opens what is sealed for anyone who has it.
public struct StickSecret: Hashable, Sendable {
    private static let scheme = "STICK:"

    let bytes: [UInt8]

    /// Makes a new secret.
    package init() {
        bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    /// Reads a secret, ignoring case and white space; nil if it is none.
    package init?(text: String) {
        let text = text.split(whereSeparator: \.isWhitespace).joined().uppercased()
        let word = text.hasPrefix(Self.scheme) ? text.dropFirst(Self.scheme.count) : text[...]
        guard word.utf8.count == 52, let bytes = Base32.decode(word.utf8), bytes.count == SealedStream.keyLength else {
            return nil
        }
        self.bytes = bytes
    }

    /// The text form, which is secret.
    public var text: String { Self.scheme + Base32.encode(bytes) }
}

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
    ///
    /// - Throws: ``StickFile/damaged`` if the request has no possible key.
    static func sealing(for request: StickRequest) throws -> (StickHeader, SymmetricKey) {
        let own = P256.KeyAgreement.PrivateKey()
        let salt = Array(own.publicKey.rawRepresentation)
        let header = StickHeader(.machine, request: request.digest.bytes, salt: salt)
        do {
            let theirs = try P256.KeyAgreement.PublicKey(rawRepresentation: request.agreementKey)
            return (header, header.key(try own.sharedSecretFromKeyAgreement(with: theirs), request.agreementKey))
        } catch {
            throw StickFile.damaged
        }
    }

    /// Makes the header and the key of a file for anyone who has a secret.
    static func sealing(by secret: StickSecret) -> (StickHeader, SymmetricKey) {
        let salt = (0..<StickFile.publicKeyLength).map { _ in UInt8.random(in: .min ... .max) }
        let header = StickHeader(.anyone, request: [UInt8](repeating: 0, count: 32), salt: salt)
        return (header, header.key(secret))
    }

    /// Returns the key, by the private key of the request.
    ///
    /// - Throws: ``StickFile/damaged`` if the file has no possible key.
    func key(_ own: P256.KeyAgreement.PrivateKey) throws -> SymmetricKey {
        do {
            let theirs = try P256.KeyAgreement.PublicKey(rawRepresentation: salt)
            return key(try own.sharedSecretFromKeyAgreement(with: theirs), Array(own.publicKey.rawRepresentation))
        } catch {
            throw StickFile.damaged
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
