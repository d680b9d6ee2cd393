import NIOCore
import Testing

@testable import PeerCore

@Suite struct ConnectionStateMachineTests {
    private static let id = PeerID(digest: ContentDigest(hashing: [1]))
    private static let error = ProtocolError(.invalidFrame, "It is wrong.")
    private static let header = DataHeader(resource: 0, offset: 0, length: 1)

    private let start = ContinuousClock.now

    private func machine(isOpen: Bool = true) -> ConnectionStateMachine {
        var machine = ConnectionStateMachine(stallTimeout: .seconds(10), at: start)
        if isOpen {
            expect(machine.received(.opened(.encrypted(Self.id))), equals: .open(Self.id))
            machine.handled(at: start)
        }
        return machine
    }

    @Test func anOpenConnectionPassesFrames() {
        var machine = machine()
        expect(machine.received(.frame(.accept)), equals: .pass(.accept))
        expect(machine.received(.frame(.numbered(1))), equals: .pass(.numbered(1)))
    }

    @Test func nothingOpensInPlainText() {
        for part in [InboundPart.opened(.plainText), .frame(.accept), .dataHeader(Self.header), .invalid(Self.error)] {
            var machine = machine(isOpen: false)
            expect(machine.received(part), equals: .abort)
            expect(machine.received(.opened(.encrypted(Self.id))), equals: .none)
        }
    }

    @Test func whoDoesNotEncryptIsTold() {
        var machine = machine(isOpen: false)
        expect(machine.received(.encryptionMismatch(peerWants: .plainText)), equals: .refuse(.plainText))
        expect(machine.received(.frame(.accept)), equals: .none)
    }

    @Test func whatIsInvalidIsReportedOnce() {
        for part in [InboundPart.dataHeader(Self.header), .data([]), .invalid(Self.error)] {
            var machine = machine()
            guard case .reportInvalid(let error) = machine.received(part) else {
                Issue.record("not reported")
                continue
            }
            if case .invalid = part { #expect(error == Self.error) } else { #expect(error.code == .unexpectedFrame) }
            for later in [part, .frame(.accept)] { expect(machine.received(later), equals: .none) }
        }
    }

    @Test func anUnfinishedFrameEndsTheConnectionInTime() {
        var machine = machine()
        expect(machine.tick(at: start + .seconds(100), unfinishedSince: nil), equals: .none)
        let since = start + .seconds(100)
        expect(machine.tick(at: since + .milliseconds(9999), unfinishedSince: since), equals: .none)
        expect(machine.tick(at: since + .seconds(10), unfinishedSince: since), equals: .abort)
    }

    @Test func aPeerMayWaitForThisSide() {
        var machine = machine()
        _ = machine.received(.frame(.accept))
        expect(machine.tick(at: start + .seconds(50), unfinishedSince: start), equals: .none)
        machine.handled(at: start + .seconds(60))
        expect(machine.tick(at: start + .seconds(69), unfinishedSince: start), equals: .none)
        expect(machine.tick(at: start + .seconds(70), unfinishedSince: start), equals: .abort)
    }
}
