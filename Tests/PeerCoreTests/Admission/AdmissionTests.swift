import Logging
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@testable import PeerCore

@Suite struct AdmissionTests {
    /// A lane that its receiver has closed before it was accepted is no connection that failed.
    @Test func whoHasGoneBeforeItWasAcceptedMayHaveBeenAnAwaitedLane() throws {
        let admission = Admission(ConnectionConfiguration(), shareToken: nil, logger: Logger(label: "test"))
        let peer = AddressKey(try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let isAdmitted = admission.connected(1, from: peer) {}
        #expect(isAdmitted)
        #expect(admission.accepted(1, byPerson: true) {})
        var random = SystemRandomNumberGenerator()
        admission.expectLanes(1, for: 1, secret: ConnectionSecret(using: &random), peer: nil) { _, _ in false }
        for (number, isReported) in [(2, false), (3, true)] {
            _ = admission.connected(number, from: AddressKey(nil)) {}
            #expect(admission.ended(number, .unasked, at: .now) == isReported)
        }
    }

    /// A lane can be slower than the whole rest.
    ///
    /// Those that never come hide for some time, and no longer, who fails.
    @Test func aConnectionThatHasEndedAwaitsItsLanesForSomeTime() throws {
        let now = ContinuousClock.now
        let later = now + ExpectedLanes.memory
        let admission = Admission(ConnectionConfiguration(), shareToken: nil, logger: Logger(label: "test"))
        let peer = AddressKey(try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        for number in [1, 2] {
            _ = admission.connected(number, from: peer) {}
            #expect(admission.accepted(number, byPerson: true) {})
            var random = SystemRandomNumberGenerator()
            admission.expectLanes(2, for: number, secret: ConnectionSecret(using: &random), peer: nil) { _, _ in false }
        }
        _ = admission.ended(1, .unasked, at: now)
        // Two lanes of each may still come, no more.
        for (number, isReported) in [(3, false), (4, false), (5, false), (6, false), (7, true)] {
            _ = admission.connected(number, from: peer) {}
            #expect(admission.ended(number, .unasked, at: now) == isReported)
        }
        var random = SystemRandomNumberGenerator()
        admission.expectLanes(2, for: 2, secret: ConnectionSecret(using: &random), peer: nil) { _, _ in false }
        _ = admission.ended(2, .unasked, at: now)
        for (number, time, isReported) in [(8, now, false), (9, later, true)] {
            _ = admission.connected(number, from: peer) {}
            #expect(admission.ended(number, .unasked, at: time) == isReported)
        }
    }

    @Test func aLinkIsNotEndedForOthers() throws {
        var configuration = ConnectionConfiguration()
        configuration.maximumConnectionsPerAddress = 1
        let admission = Admission(configuration, shareToken: nil, logger: Logger(label: "test"))
        let ended = Locked<[Int]>([])
        for connection in 1...4 {
            #expect(admission.connected(connection, from: .unknown) { ended.withLock { $0.append(connection) } })
            if connection == 2 { #expect(admission.linked(connection)) }
        }
        #expect(ended.value == [1, 3])
        #expect(!admission.linked(3))
        #expect(admission.ended(2, .unasked, at: .now))
    }
}
