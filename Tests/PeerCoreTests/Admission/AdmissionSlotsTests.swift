import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Who gets one of the slots for transfers, also where every peer is let in without a question.
@Suite struct AdmissionSlotsTests {
    private let configuration = ConnectionConfiguration()

    private static func address(_ number: Int) throws -> AddressKey {
        AddressKey(try SocketAddress(ipAddress: "10.0.\(number >> 8).\(number & 0xFF)", port: 1))
    }

    /// Lets a connection in as far as it comes: connected, invited, accepted.
    private func offer(
        _ slots: inout AdmissionStateMachine,
        _ number: Int,
        from address: Int,
        isStranger: Bool = true,
        byPerson: Bool = false
    ) throws -> AdmissionStateMachine.OnArrival {
        _ = try slots.connected(number, from: Self.address(address))
        let invited = slots.invited(number, isStranger: isStranger)
        guard invited == .admit else { return invited }
        return slots.accepted(number, byPerson: byPerson)
    }

    @Test func oneAddressTakesHalfOfThePlacesAtMost() throws {
        var slots = AdmissionStateMachine(configuration)
        let arrivals = try (1...8).map { try offer(&slots, $0, from: 1) }
        expect(arrivals, equals: Array(repeating: .admit, count: 4) + Array(repeating: .refuse, count: 4))
        for (number, address) in [(9, 2), (10, 3), (11, 4)] {
            expect(try offer(&slots, number, from: address), equals: .admit)
        }
    }

    @Test func onePlaceIsKeptForKnownPeers() throws {
        var slots = AdmissionStateMachine(configuration)
        for number in 1...7 {
            expect(try offer(&slots, number, from: number), equals: .admit)
            expect(slots.offerAnswered(number), equals: true)
        }
        expect(try offer(&slots, 8, from: 8), equals: .refuse)
        expect(try offer(&slots, 9, from: 9, isStranger: false), equals: .admit)
        expect(try offer(&slots, 10, from: 10, isStranger: false), equals: .refuse)
    }

    @Test func thoseWhomAPersonLetsInTakeEveryPlace() throws {
        var slots = AdmissionStateMachine(configuration)
        for number in 1...8 { expect(try offer(&slots, number, from: 1, byPerson: true), equals: .admit) }
        expect(try offer(&slots, 9, from: 2, byPerson: true), equals: .admitInsteadOf(1))
    }

    @Test func anIdleOfferMakesRoomForAKnownPeer() throws {
        var slots = AdmissionStateMachine(configuration)
        for number in 1...7 { _ = try offer(&slots, number, from: number) }
        expect(try offer(&slots, 8, from: 8, isStranger: false), equals: .admit)
        expect(try offer(&slots, 9, from: 9, isStranger: false), equals: .admitInsteadOf(1))
        expect(slots.offerAnswered(1), equals: false)
        expect(slots.ended(1), equals: .madeRoom)
    }

    @Test func anIdleOfferMakesRoomForAnAddressWithFewerPlaces() throws {
        var slots = AdmissionStateMachine(configuration)
        for number in 1...4 { _ = try offer(&slots, number, from: 1) }
        for number in 5...7 { _ = try offer(&slots, number, from: 2) }
        expect(slots.offerAnswered(1), equals: true)
        // The oldest that has not answered, of the address with the most.
        expect(try offer(&slots, 8, from: 3), equals: .admitInsteadOf(2))
        expect(try offer(&slots, 9, from: 4), equals: .admitInsteadOf(3))
        expect(try offer(&slots, 10, from: 5), equals: .admitInsteadOf(5))
        expect(try offer(&slots, 11, from: 6), equals: .admitInsteadOf(4))
        expect(try offer(&slots, 12, from: 7), equals: .admitInsteadOf(6))
        // Now each has one; among equals nobody makes room.
        expect(try offer(&slots, 13, from: 8), equals: .refuse)
    }

    @Test func aTransferThatRunsNeverMakesRoom() throws {
        var slots = AdmissionStateMachine(configuration)
        for number in 1...8 {
            expect(try offer(&slots, number, from: 1, isStranger: false), equals: .admit)
            expect(slots.offerAnswered(number), equals: true)
        }
        expect(try offer(&slots, 9, from: 2, isStranger: false), equals: .refuse)
        expect(try offer(&slots, 10, from: 3), equals: .refuse)
    }

    @Test func aSinglePlaceIsForTheFirst() throws {
        var configuration = configuration
        configuration.maximumTransfers = 1
        var slots = AdmissionStateMachine(configuration)
        expect(try offer(&slots, 1, from: 1), equals: .admit)
        expect(try offer(&slots, 2, from: 2), equals: .refuse)
        slots.ended(1)
        expect(try offer(&slots, 3, from: 2), equals: .admit)
    }

    /// What a connection is, kept by nothing of what is tested.
    private struct Guest {
        var address: Int
        var isStranger: Bool
        var isAnswered = false
    }

    @Test(arguments: 1...20) func whateverComesTheBoundsHold(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var slots = AdmissionStateMachine(configuration)
        var guests: [Int: Guest] = [:]
        for number in 1...3000 {
            // One address floods; ten others come now and then.
            let address = Int.random(in: 0..<3, using: &random) > 0 ? 0 : Int.random(in: 1...10, using: &random)
            let isStranger = address == 0 || Bool.random(using: &random)
            let before = guests
            let arrival = try offer(&slots, number, from: address, isStranger: isStranger)
            switch arrival {
            case .admit:
                break
            case .admitInsteadOf(let other):
                let gone = guests.removeValue(forKey: other)
                #expect(gone?.isAnswered == false, "seed \(seed)")
                slots.ended(other)
            case .refuse:
                let own = before.values.count { $0.address == address }
                let idle = before.values.filter { !$0.isAnswered }
                if !isStranger {
                    #expect(before.count == 8 && !idle.contains(where: \.isStranger), "seed \(seed)")
                } else if own == 0 {
                    let strangers = before.values.count { $0.isStranger }
                    #expect(before.count == 8 || strangers == 7, "seed \(seed)")
                    let greedy = idle.contains { one in
                        one.isStranger && before.values.count { $0.address == one.address } >= 2
                    }
                    #expect(!greedy, "seed \(seed)")
                }
                slots.ended(number)
            }
            if arrival != .refuse { guests[number] = Guest(address: address, isStranger: isStranger) }
            #expect(guests.count <= 8, "seed \(seed)")
            #expect(guests.values.count { $0.isStranger } <= 7, "seed \(seed)")
            #expect(guests.values.count { $0.address == 0 } <= 4, "seed \(seed)")
            if let answering = guests.keys.sorted().randomElement(using: &random),
                Int.random(in: 0..<4, using: &random) == 0
            {
                expect(slots.offerAnswered(answering), equals: true, "seed \(seed)")
                guests[answering]?.isAnswered = true
            }
            if let ending = guests.keys.sorted().randomElement(using: &random),
                Int.random(in: 0..<6, using: &random) == 0
            {
                expect(slots.ended(ending), equals: .transfer)
                guests[ending] = nil
            }
        }
    }
}
