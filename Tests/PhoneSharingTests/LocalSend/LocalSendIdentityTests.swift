import Foundation
import LocalSend
import PeerCore
import PeerProtocol
import PeerTestSupport
import RegionStore
import Testing

@testable import PhoneSharing

@Suite(.timeLimit(.minutes(10))) struct LocalSendIdentityTests {
    @Test func isMadeOnceAndIsNotThatOfMachines() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let made = try LocalSendIdentity.load(for: store)
            #expect(try LocalSendIdentity.load(for: store).pem == made.pem)
            #expect(made.fingerprint.text == ContentDigest(hashing: made.certificate).hex.uppercased())
            let application = try #require(PeerServiceType("hikeshare"))
            let machine = try PeerIdentity.load(orCreateAt: store.path + "/identity.pem", for: application)
            #expect(try machine.certificateBytes != made.certificate)
            #expect(try PeerIdentity(pemRepresentation: made.pem).id != machine.id)
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path + LocalSendIdentity.file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}
