import Crypto
import Foundation
import PeerTestSupport
import Testing

@testable import PeerCore

@Suite struct PeerIdentityTests {
    @Test func anIdentityIsMadeOnceAndOnlyForItsOwner() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            let made = try PeerIdentity.load(orCreateAt: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try PeerIdentity.load(orCreateAt: path).id == made.id)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["identity.pem"])
        }
    }

    @Test func theIdIsTheDigestOfThePublicKey() throws {
        let identity = try PeerIdentity.generate()
        let pem = identity.pemRepresentation.components(separatedBy: "-----BEGIN CERTIFICATE-----")[0]
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(identity.id.digest == ContentDigest(hashing: Array(key.publicKey.derRepresentation)))
        #expect(try PeerIdentity.generate().id != identity.id)
    }

    @Test(arguments: ["", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func aDamagedFileIsSaidAndLeftAlone(text: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            let error = peerError(await outcome { try PeerIdentity.load(orCreateAt: path) })
            #expect(error?.code == .identity)
            #expect(error?.message.contains(path) == true)
            #expect(error?.remedy != nil)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func aKeyWithoutItsCertificateIsRefused() throws {
        let pem = try PeerIdentity.generate().pemRepresentation
        let key = pem.components(separatedBy: "-----BEGIN CERTIFICATE-----")[0]
        #expect(throws: PeerError.self) { try PeerIdentity(pemRepresentation: key) }
    }

    @Test(arguments: ["a link", "a folder", "a pipe"]) func whatIsNoFileIsRefused(other: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            switch other {
            case "a link":
                _ = try PeerIdentity.load(orCreateAt: directory.path("real.pem"))
                symlink(directory.path("real.pem"), path)
            case "a folder": mkdir(path, 0o700)
            default: mkfifo(path, 0o600)
            }
            let result = await outcome { try PeerIdentity.load(orCreateAt: path) }
            #expect(peerError(result)?.code == .identity)
        }
    }

    @Test func aFolderThatIsNotThereIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let result = await outcome { try PeerIdentity.load(orCreateAt: directory.path("no/identity.pem")) }
            #expect(peerError(result)?.code == .identity)
        }
    }

    @Test func whoComesAtTheSameTimeGetsTheSameIdentity() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("identity.pem")
            let ids = try await withThrowingTaskGroup(of: PeerID.self) { group in
                for _ in 0..<16 { group.addTask { try PeerIdentity.load(orCreateAt: path).id } }
                return try await group.reduce(into: Set<PeerID>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["identity.pem"])
        }
    }
}
