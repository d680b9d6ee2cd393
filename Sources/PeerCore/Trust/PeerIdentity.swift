import Crypto
import FoundationEssentials
import Glibc
import NIOSSL
import SwiftASN1
import X509

/// The key and the self-signed certificate that identify a machine.
///
/// The peer id is the SHA-256 digest of the public key. A completed TLS handshake proves that the machine has the private key.
public struct PeerIdentity: Sendable {
    /// The id that the key proves.
    public let id: PeerID

    /// The private key and the certificate in PEM format.
    ///
    /// Keep it secret: anyone who has it can pass for this machine.
    public let pemRepresentation: String

    let certificate: NIOSSLCertificate
    let privateKey: NIOSSLPrivateKey

    /// The certificate in DER form, as peers see it.
    package var certificateBytes: [UInt8] {
        get throws(PeerError) {
            do {
                return try certificate.toDERBytes()
            } catch {
                throw PeerError(.identity, "The certificate of this machine cannot be written.", cause: error)
            }
        }
    }

    /// Creates a new identity: a P-256 key and a certificate.
    ///
    /// The certificate names only the application, so it does not identify a person.
    ///
    /// - Parameter application: The application.
    /// - Returns: The identity.
    /// - Throws: ``PeerError`` with ``PeerError/Code/identity`` if the key cannot be created.
    public static func generate(for application: PeerServiceType) throws(PeerError) -> PeerIdentity {
        try make(for: application, key: P256.Signing.PrivateKey())
    }

    /// Creates the identity of a secret that everybody may know, for tests that have to be the same each time.
    package static func known(by secret: String, for application: PeerServiceType) throws(PeerError) -> PeerIdentity {
        let key: P256.Signing.PrivateKey
        do {
            key = try P256.Signing.PrivateKey(rawRepresentation: ContentDigest(hashing: Array(secret.utf8)).bytes)
        } catch {
            throw PeerError(.identity, "The text makes no key.", cause: error)
        }
        return try make(for: application, key: key)
    }

    private static func make(
        for application: PeerServiceType,
        key: P256.Signing.PrivateKey
    ) throws(PeerError) -> PeerIdentity {
        do {
            let name = try DistinguishedName { CommonName(application.name) }
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key.publicKey),
                // This machine's clock may be wrong, and devices with LocalSend look at the dates.
                notValidBefore: Date(timeIntervalSince1970: 0),
                notValidAfter: Date(timeIntervalSince1970: 8_000_000_000),
                issuer: name,
                subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {},
                issuerPrivateKey: Certificate.PrivateKey(key)
            )
            let certificatePEM = try certificate.serializeAsPEM().pemString
            return try PeerIdentity(pemRepresentation: key.pemRepresentation + "\n" + certificatePEM + "\n")
        } catch let error as PeerError {
            throw error
        } catch {
            throw PeerError(.identity, "A key for this machine could not be created.", cause: error)
        }
    }

    /// Reads an identity.
    ///
    /// - Parameter pem: A private key and a certificate in PEM format.
    /// - Throws: ``PeerError`` with ``PeerError/Code/identity`` if one of them is missing or invalid.
    public init(pemRepresentation pem: String) throws(PeerError) {
        do {
            let bytes = Array(pem.utf8)
            guard let certificate = try NIOSSLCertificate.fromPEMBytes(bytes).first else {
                throw PeerError(.identity, "The identity holds no certificate.")
            }
            self.certificate = certificate
            self.privateKey = try NIOSSLPrivateKey(bytes: bytes, format: .pem)
            do {
                self.id = try PeerID(of: certificate)
            } catch let error as PeerError {
                throw PeerError(.identity, error.message, cause: error)
            }
            self.pemRepresentation = pem
        } catch let error as PeerError {
            throw error
        } catch {
            throw PeerError(.identity, "The identity of this machine cannot be read.", cause: error)
        }
    }

    /// Reads the identity in a file.
    ///
    /// If the file does not exist, creates it with a new identity; only its owner can read it. The folder must exist.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - application: The application, for a new identity.
    /// - Returns: The identity.
    /// - Throws: ``PeerError`` with ``PeerError/Code/identity`` if the file cannot be read or created, if its folder does not exist,
    ///   or if it is damaged.
    public static func load(orCreateAt path: String, for application: PeerServiceType) throws(PeerError) -> PeerIdentity
    {
        if let pem = try PrivateFile.read(path) {
            do {
                return try PeerIdentity(pemRepresentation: pem)
            } catch {
                throw PeerError(
                    .identity,
                    "The identity file \(path) is damaged.",
                    remedy:
                        "Move the file away. A new identity is then created, and other machines must trust it again.",
                    cause: error
                )
            }
        }
        let identity = try generate(for: application)
        guard try PrivateFile.create(path, contents: identity.pemRepresentation) else {
            // Another process was faster; its identity is the machine's.
            return try load(orCreateAt: path, for: application)
        }
        return identity
    }
}

extension PeerID {
    /// Creates the id of the key in a certificate.
    init(of certificate: NIOSSLCertificate) throws {
        let key = try certificate.extractPublicKey().toSPKIBytes()
        guard key.count == Self.prefixOfP256.count + 64, key.starts(with: Self.prefixOfP256) else {
            throw PeerError(
                .notTrusted,
                "The certificate has an unsupported key. Only P-256 keys are accepted.",
                remedy: "Check the address and the program that runs there."
            )
        }
        self.init(digest: ContentDigest(hashing: key))
    }
}

/// A small file that only its owner can read.
private enum PrivateFile {
    private static let maximumLength = 64 * 1024

    /// Returns the file's text; nil if there is no such file.
    static func read(_ path: String) throws(PeerError) -> String? {
        do throws(SystemError) {
            let bytes = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).prefix(maximumLength)
            return String(decoding: bytes, as: UTF8.self)
        } catch  where error.number == ENOENT {
            return nil
        } catch {
            throw failure("The file \(path) cannot be read", error)
        }
    }

    /// Creates a file, completely or not at all; returns false if the file exists.
    static func create(_ path: String, contents: String) throws(PeerError) -> Bool {
        // Two threads of one process may do this at the same time.
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        do throws(SystemError) {
            let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            defer { unlink(temporary) }
            try file.write(Array(contents.utf8))
            // The contents are on the disk before the file gets its name, so a crash leaves no incomplete file.
            try file.synchronize()
            // Unlike a rename, a link does not replace a file that another process has created in the meantime.
            if link(temporary, path) == 0 { return true }
            throw SystemError(number: errno)
        } catch  where error.number == EEXIST {
            return false
        } catch  where error.number == ENOENT {
            throw PeerError(
                .identity,
                "The file \(path) cannot be created: its folder does not exist.",
                remedy: "Create the folder, and try again."
            )
        } catch {
            throw failure("The file \(path) cannot be created", error)
        }
    }

    private static func failure(_ what: String, _ error: SystemError) -> PeerError {
        PeerError(
            .identity,
            "\(what): \(error.reason).",
            remedy: "Check the permissions of the file and its folder, and the free space of the disk."
        )
    }
}
