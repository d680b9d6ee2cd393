import Logging
import NIOCore
import PeerProtocol
import Testing

@testable import PeerCore

@Suite struct AdmissionTests {
    /// A lane that its receiver has closed before it was accepted is no session that failed.
    @Test func whoHasGoneBeforeItWasAcceptedMayHaveBeenAnAwaitedLane() throws {
        let admission = Admission(SessionConfiguration(), linkToken: nil, logger: Logger(label: "test"))
        let peer = AddressKey(try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let isAdmitted = admission.connected(1, from: peer) {}
        #expect(isAdmitted)
        #expect(admission.accepted(1, byPerson: true) {})
        var random = SystemRandomNumberGenerator()
        admission.expectLanes(1, for: 1, secret: LaneSecret(using: &random), peer: nil) { _, _ in false }
        for (session, isReported) in [(2, false), (3, true)] {
            _ = admission.connected(session, from: AddressKey(nil)) {}
            #expect(admission.ended(session, .unasked, at: .now) == isReported)
        }
    }
}
