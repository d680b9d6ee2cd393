import Crypto
import Foundation
import NIOSSL
import PeerTestSupport
import SwiftASN1
import Testing
import X509

@testable import PeerCore

@Suite struct PeerIdentityTests {
    @Test func anIdentityIsMadeOnceAndOnlyForItsOwner() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            let made = try PeerIdentity.load(orCreateAt: path, for: .hikeshare)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try PeerIdentity.load(orCreateAt: path, for: .hikeshare).id == made.id)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["identity.pem"])
        }
    }

    @Test func aMissingFolderIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("nowhere/identity.pem")
            let error = peerError(await outcome { try PeerIdentity.load(orCreateAt: path, for: .hikeshare) })
            #expect(error?.code == .identity)
            #expect(error?.message == "The file \(path) cannot be created: its folder does not exist.")
        }
    }

    @Test func theIdIsTheDigestOfThePublicKey() throws {
        let identity = try PeerIdentity.generate(for: .hikeshare)
        let pem = identity.pemRepresentation.components(separatedBy: "-----BEGIN CERTIFICATE-----")[0]
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(identity.id.digest == ContentDigest(hashing: Array(key.publicKey.derRepresentation)))
        #expect(try PeerIdentity.generate(for: .hikeshare).id != identity.id)
    }

    @Test func whatItSignsIsProvedByItsKey() throws {
        let identity = try PeerIdentity.generate(for: .hikeshare)
        let signature = try identity.sign(Array("Words".utf8))
        #expect(signature.signer == identity.id)
        #expect(signature.isValid(for: Array("Words".utf8)))
        #expect(!signature.isValid(for: Array("words".utf8)))
        // Also after it was read from a file.
        let again = try PeerIdentity(pemRepresentation: identity.pemRepresentation)
        #expect(try again.sign([]).signer == identity.id)
    }

    @Test(arguments: ["", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func aDamagedFileIsSaidAndLeftAlone(text: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            let error = peerError(await outcome { try PeerIdentity.load(orCreateAt: path, for: .hikeshare) })
            #expect(error?.code == .identity)
            #expect(error?.message.contains(path) == true)
            #expect(error?.remedy != nil)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    /// A certificate with a key of 2048 bits; whose, nobody knows any more.
    static let certificateWithRSA = """
        -----BEGIN CERTIFICATE-----
        MIIC/zCCAeegAwIBAgIUN9DkO0+956PlsCio3X3lAm4Pfd8wDQYJKoZIhvcNAQEL
        BQAwDjEMMAoGA1UEAwwDcnNhMCAXDTI2MTEyMzAwNDAzM1oYDzIxMjYxMDMwMDA0
        MDMzWjAOMQwwCgYDVQQDDANyc2EwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEK
        AoIBAQCdQrEX4ZZdc5xwmW3w7q8rP2nHdvPQkZ+iQo5XKfoobSRYBYod3RrlLs0X
        xCdrjgL5j2KAxa8f9g4Zgw6PN5mKX4eVjUmfGHN9UW8iNOkQUOR1ydW9cXbbwjw1
        MJNvSBGr7+We7nabuXn2ia6I/rQyFVqxfYsxqJh32pz1ppNgFbKR8EwNfca3/yMA
        AJ4lrqDUEfeCToTGniPEuL2BSvIwyyoX3V/anVejz58MBmCKURc2wyetslEn0QgQ
        s70K7mzgmmm8tpRu32SU81zWjqH1FOGotyeO4Jriyqs1ZsItQLGIjVDZ3z2AOu6g
        f3L8LL/IHhV27Y3MbPhFK7c/sN8vAgMBAAGjUzBRMB0GA1UdDgQWBBRFrr/EQvF0
        1Ji3p7zMyQVzpMsZGzAfBgNVHSMEGDAWgBRFrr/EQvF01Ji3p7zMyQVzpMsZGzAP
        BgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAPWnmCNrNRjXNI67O5
        4lMzahZsbaneHn71Tgefs8Jnvwvr+IcGJdOKzyHJzfKiv3fAd1XGgu/0goAryAoK
        RA0cc1/QlzXME/ogO1cM5Negrf8fBJdxhPpE0JxH1NX01sC8MdDJ/KK3qt+zi6Nt
        KoNtfAyLlP6wfTmi2Af4wqMhP+bBzmQ6H7JnXysxR/pCIa0Z3zQH+1mnnSAnS8za
        QEARFoQU0qMcr+WfNr1BCAwQTEF7mQryNzxmk9sc5h1UbNHsEDywNuqdZfOh6qc8
        Tl2v4uPppinhiTf0lYp+lAiNr1JiF8wJ2yt4m0PbwfZFKUjRzPUowNSzh/6yXVs2
        GL6Z
        -----END CERTIFICATE-----
        """

    @Test func otherKeysThanP256AreRefused() throws {
        let larger = try Self.certificate(P384.Signing.PrivateKey())
        let rsa = try NIOSSLCertificate.fromPEMBytes(Array(Self.certificateWithRSA.utf8))[0]
        for certificate in [larger.certificate, rsa] {
            let error = #expect(throws: PeerError.self) { try PeerID(of: certificate) }
            #expect(error?.code == .notTrusted)
            #expect(error?.message.contains("P-256") == true)
        }
        let error = #expect(throws: PeerError.self) { try PeerIdentity(pemRepresentation: larger.pem) }
        #expect(error?.code == .identity)
    }

    @Test func aPeerWithAnotherKeyThanP256IsRefusedWithWords() async throws {
        let pair = try Pair()
        let larger = try Self.certificate(P384.Signing.PrivateKey())
        let source = try TransferTests.source(sizes: [10])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address, security: .encryptedAs(larger.certificate, larger.key)) { peer in
                await peer.send(Preface.hikeshare.bytes)
                let answer = try await peer.nextFrame()
                #expect(answer == nil)
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.code == .notTrusted)
            #expect(error?.message.contains("P-256") == true)
        }
    }

    private static func certificate(
        _ key: P384.Signing.PrivateKey
    ) throws -> (certificate: NIOSSLCertificate, key: NIOSSLPrivateKey, pem: String) {
        let name = try DistinguishedName { CommonName("larger") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date() - 86_400,
            notValidAfter: Date() + 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA384,
            extensions: Certificate.Extensions {},
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        let pem = key.pemRepresentation + "\n" + (try certificate.serializeAsPEM().pemString) + "\n"
        let bytes = Array(pem.utf8)
        return (
            try NIOSSLCertificate.fromPEMBytes(bytes)[0], try NIOSSLPrivateKey(bytes: bytes, format: .pem), pem
        )
    }

    /// Clocks of laptops and phones may be wrong by decades, and some programs look at the dates.
    @Test func aCertificateIsValidWhateverTheClocksSay() throws {
        let bytes = try PeerIdentity.generate(for: .hikeshare).certificateBytes
        let certificate = try Certificate(derEncoded: bytes)
        #expect(certificate.notValidBefore <= Date(timeIntervalSince1970: 0))
        #expect(certificate.notValidAfter > Date(timeIntervalSince1970: 7_000_000_000))
        #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    }

    @Test func aKeyWithoutItsCertificateIsRefused() throws {
        let pem = try PeerIdentity.generate(for: .hikeshare).pemRepresentation
        let key = pem.components(separatedBy: "-----BEGIN CERTIFICATE-----")[0]
        #expect(throws: PeerError.self) { try PeerIdentity(pemRepresentation: key) }
    }

    @Test(arguments: ["a link", "a folder", "a pipe"]) func whatIsNoFileIsRefused(other: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            switch other {
            case "a link":
                _ = try PeerIdentity.load(orCreateAt: directory.path("real.pem"), for: .hikeshare)
                symlink(directory.path("real.pem"), path)
            case "a folder": mkdir(path, 0o700)
            default: mkfifo(path, 0o600)
            }
            let result = await outcome { try PeerIdentity.load(orCreateAt: path, for: .hikeshare) }
            #expect(peerError(result)?.code == .identity)
        }
    }

    @Test func aFolderThatIsNotThereIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let result = await outcome {
                try PeerIdentity.load(orCreateAt: directory.path("no/identity.pem"), for: .hikeshare)
            }
            #expect(peerError(result)?.code == .identity)
        }
    }

    @Test func whoComesAtTheSameTimeGetsTheSameIdentity() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            let ids = try await withThrowingTaskGroup(of: PeerID.self) { group in
                for _ in 0..<16 { group.addTask { try PeerIdentity.load(orCreateAt: path, for: .hikeshare).id } }
                return try await group.reduce(into: Set<PeerID>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["identity.pem"])
        }
    }
}
