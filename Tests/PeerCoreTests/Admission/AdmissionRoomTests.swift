import Logging
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// How many connections a sender admits, and which of their ends it reports.
@Suite struct AdmissionRoomTests {
    private static func address(_ number: Int) throws -> AddressKey {
        AddressKey(try SocketAddress(ipAddress: "10.0.0.\(number)", port: 1))
    }

    private static func admission(_ change: (inout ConnectionConfiguration) -> Void = { _ in }) -> Admission {
        var configuration = ConnectionConfiguration()
        change(&configuration)
        return Admission(configuration, shareToken: nil, logger: Logger(label: "test"))
    }

    /// A link can be passed on: the bound per address is for peers with a link, too.
    @Test func oneAddressHasFewInvitationsByLink() throws {
        var configuration = ConnectionConfiguration()
        configuration.maximumConnectionsPerAddress = 3
        var slots = AdmissionStateMachine(configuration)
        for number in 1...3 {
            let arrival = slots.connected(number, from: try Self.address(1))
            #expect(arrival == .admit)
            let invited = slots.invited(number, isStranger: false)
            #expect(invited == .admit)
        }
        let fourth = slots.connected(4, from: try Self.address(1))
        #expect(fourth == .admit)
        let tooMany = slots.invited(4, isStranger: false)
        #expect(tooMany == .refuse)
        let other = slots.connected(5, from: try Self.address(2))
        #expect(other == .admit)
        let invited = slots.invited(5, isStranger: false)
        #expect(invited == .admit)
    }

    @Test func everyTransferThatEndsIsReported() throws {
        let admission = Self.admission()
        for number in 1...100 {
            let isAdmitted = admission.connected(number, from: try Self.address(1)) {}
            #expect(isAdmitted)
            #expect(admission.accepted(number, byPerson: true) {})
            #expect(admission.ended(number, .asked, at: .now))
        }
    }

    @Test func aFloodHidesNeitherAnImpostorNorAnAnswer() throws {
        let admission = Self.admission()
        let now = ContinuousClock.now
        var number = 0
        func isReported(_ visit: VisitReports.Visit, at time: ContinuousClock.Instant) throws -> Bool {
            number += 1
            let isAdmitted = admission.connected(number, from: try Self.address(1)) {}
            #expect(isAdmitted)
            return admission.ended(number, visit, at: time)
        }
        let reported = try (1...100).count { _ in try isReported(.unasked, at: now) }
        #expect(reported == 10)
        #expect(try isReported(.impostor, at: now))
        #expect(try isReported(.asked, at: now))
        #expect(try !isReported(.unasked, at: now + .seconds(59)))
        #expect(try isReported(.unasked, at: now + .seconds(60)))
    }

    @Test func aConnectionThatMakesRoomIsEnded() throws {
        let admission = Self.admission { $0.maximumConnectionsPerAddress = 2 }
        let ended = Locked<[Int]>([])
        for number in 1...4 {
            let isAdmitted = admission.connected(number, from: try Self.address(1)) {
                ended.withLock { $0.append(number) }
            }
            #expect(isAdmitted)
        }
        #expect(ended.value == [1, 2])
    }

    @Test func aConnectionThatMadeRoomIsNoLane() throws {
        let admission = Self.admission { $0.maximumConnectionsPerAddress = 1 }
        var random = SystemRandomNumberGenerator()
        let secret = ConnectionSecret(using: &random)
        let address = try Self.address(1)
        for number in 1...2 {
            let isAdmitted = admission.connected(number, from: address) {}
            #expect(isAdmitted)
            if number == 1 { #expect(admission.accepted(1, byPerson: true) {}) }
        }
        admission.expectLanes(2, for: 1, secret: secret, peer: nil) { _, _ in true }
        let takesItsPlace = admission.connected(3, from: address) {}
        #expect(takesItsPlace)
        #expect(admission.joined(2, secret: secret, peer: nil) == nil)
        #expect(admission.joined(3, secret: secret, peer: nil) != nil)
    }
}
