import NIOCore
import Testing

@testable import PeerCore

@Suite struct AdmissionStateMachineTests {
    private static let configuration = {
        var configuration = ConnectionConfiguration()
        configuration.maximumConnections = 6
        configuration.maximumConnectionsPerAddress = 3
        configuration.maximumInvitations = 4
        configuration.maximumInvitationsPerAddress = 2
        configuration.maximumTransfers = 2
        return configuration
    }()

    private func address(_ number: Int) throws -> AddressKey {
        AddressKey(try SocketAddress(ipAddress: "10.0.0.\(number)", port: 1))
    }

    @Test func lanesTakeNobodysPlaceAndMakeRoomForNobody() throws {
        var slots = try slots([1, 1, 1])
        let joined = (1...3).map { slots.joined($0) }
        #expect(joined == [true, true, true])
        // Neither the address nor the whole is any fuller for them.
        for number in 4...6 {
            let arrival = slots.connected(number, from: try address(1))
            #expect(arrival == .admit)
        }
        let evicting = slots.connected(7, from: try address(1))
        #expect(evicting == .admitInsteadOf(4))
        let evicted = slots.joined(4)
        #expect(!evicted)
        let end = slots.ended(1)
        #expect(end == .lane)
    }

    @Test func linksTakeNobodysPlaceAndMakeRoomForNobody() throws {
        var slots = try slots([1, 1, 2, 2])
        // They may be asked about before, or not.
        _ = slots.invited(2, isStranger: true)
        _ = slots.invited(3, isStranger: false)
        let linked = (1...4).map { slots.linked($0) }
        #expect(linked == [true, true, true, true])
        // The address is no fuller for them, nor is the whole; invitations of strangers are no more either.
        for number in 5...6 {
            expect(slots.connected(number, from: try address(1)), equals: .admit)
            expect(slots.invited(number, isStranger: true), equals: .admit)
        }
        for number in 7...10 {
            expect(slots.connected(number, from: try address(number)), equals: .admit)
        }
        expect(slots.connected(11, from: try address(11)), equals: .admitInsteadOf(7))
        expect(slots.ended(1), equals: .link)
    }

    @Test func whoIsEvictedOrTransfersBecomesNoLink() throws {
        var slots = try slots([1, 1, 1, 1, 2])
        _ = slots.accepted(5, byPerson: true)
        let linked = [1, 2, 2, 5, 9].map { slots.linked($0) }
        #expect(linked == [false, true, false, false, false])
    }

    @Test func onlyWhoWaitsBecomesALane() throws {
        var slots = try slots([1])
        _ = slots.invited(1, isStranger: false)
        let joined = slots.joined(1)
        let unknown = slots.joined(9)
        #expect(!joined && !unknown)
    }

    /// Slots with one waiting connection for each of these addresses, numbered from 1.
    private func slots(_ addresses: [Int]) throws -> AdmissionStateMachine {
        var slots = AdmissionStateMachine(Self.configuration)
        for (index, number) in addresses.enumerated() {
            _ = slots.connected(index + 1, from: try address(number))
        }
        return slots
    }

    @Test(
        arguments: [
            // Whose connections are there, who comes, what follows.
            ([], 1, .admit),
            ([1, 1], 1, .admit),
            ([1, 1, 1], 1, .admitInsteadOf(1)),
            ([2, 1, 1, 1], 1, .admitInsteadOf(2)),
            ([1, 2, 3, 4, 5], 6, .admit),
            ([1, 2, 3, 4, 5, 6], 7, .admitInsteadOf(1)),
            ([1, 2, 3, 4, 5, 5], 7, .admitInsteadOf(5)),
            ([1, 2, 2, 5, 5, 5], 7, .admitInsteadOf(4)),
            ([1, 2, 2, 5, 5, 5], 5, .admitInsteadOf(4)),
        ] as [([Int], Int, AdmissionStateMachine.OnArrival)]
    )
    func whoHoldsTheMostMakesRoomFirst(there: [Int], comes: Int, expected: AdmissionStateMachine.OnArrival) throws {
        var slots = try slots(there)
        expect(try slots.connected(100, from: address(comes)), equals: expected)
    }

    @Test func thoseThatMadeRoomCountUntilTheyAreGone() throws {
        var slots = AdmissionStateMachine(Self.configuration)
        var refused = 0
        for number in 1...100 where try slots.connected(number, from: address(1)) == .refuse { refused += 1 }
        // Three that are there, and nine whose sockets are not closed yet.
        expect(refused, equals: 100 - 12)
        // That is nobody else's fault.
        expect(try slots.connected(101, from: address(2)), equals: .admit)
        slots.ended(1)
        slots.ended(2)
        expect(try slots.connected(102, from: address(1)), equals: .admitInsteadOf(10))
    }

    @Test func aFloodFromOneAddressNeverDrivesOutAnother() throws {
        var slots = try slots([1])
        for number in 100..<10_000 {
            let arrival = slots.connected(number, from: try address(2))
            #expect(arrival != .admitInsteadOf(1) && arrival != .refuse)
            if case .admitInsteadOf(let other) = arrival { slots.ended(other) }
        }
        expect(slots.ended(1), equals: .visitor)
    }

    @Test func invitationsHaveTheirOwnBound() throws {
        var slots = try slots([1, 1, 1, 2, 3, 4])
        expect(slots.invited(1, isStranger: true), equals: .admit)
        expect(slots.invited(2, isStranger: true), equals: .admit)
        expect(slots.invited(3, isStranger: true), equals: .refuse)
        expect(slots.invited(4, isStranger: true), equals: .admit)
        expect(slots.invited(5, isStranger: true), equals: .admit)
        // The address with the most has to give one up.
        expect(slots.invited(6, isStranger: true), equals: .admitInsteadOf(1))
        expect(slots.ended(1), equals: .madeRoom)
    }

    @Test func invitationsAreNotMadeRoomOfByConnections() throws {
        var slots = try slots([1, 2])
        expect(slots.invited(1, isStranger: true), equals: .admit)
        for number in 100..<200 {
            let arrival = slots.connected(number, from: try address(number))
            #expect(arrival != .admitInsteadOf(1))
        }
        expect(slots.ended(1), equals: .visitor)
    }

    @Test func friendsAreNotCountedAmongStrangers() throws {
        var slots = try slots([1, 1, 2, 3, 4, 5])
        for number in [1, 3, 4, 5] { expect(slots.invited(number, isStranger: true), equals: .admit) }
        expect(slots.invited(2, isStranger: false), equals: .admit)
        expect(slots.invited(6, isStranger: false), equals: .admit)
    }

    @Test func aPlaceIsTakenOnApprovalOnly() throws {
        var slots = try slots([1, 2, 3])
        for number in 1...3 { expect(slots.invited(number, isStranger: true), equals: .admit) }
        expect(slots.accepted(1, byPerson: true), equals: .admit)
        expect(slots.accepted(2, byPerson: true), equals: .admit)
        expect(slots.accepted(3, byPerson: true), equals: .refuse)
        slots.ended(1)
        expect(slots.accepted(3, byPerson: true), equals: .admit)
    }

    @Test func nobodyIsAskedWhileThereIsNoPlace() throws {
        var slots = try slots([1, 2, 3])
        for number in 1...2 { expect(slots.accepted(number, byPerson: true), equals: .admit) }
        expect(slots.invited(3, isStranger: true), equals: .refuse)
        expect(slots.invited(3, isStranger: false), equals: .refuse)
    }

    @Test func whenAllAreTransfersNobodyComesIn() throws {
        var configuration = Self.configuration
        configuration.maximumConnections = 2
        var slots = AdmissionStateMachine(configuration)
        for number in 1...2 {
            expect(try slots.connected(number, from: address(number)), equals: .admit)
            expect(slots.accepted(number, byPerson: true), equals: .admit)
        }
        expect(try slots.connected(3, from: address(3)), equals: .refuse)
    }

    @Test func whatIsUnknownIsRefused() throws {
        var slots = AdmissionStateMachine(Self.configuration)
        expect(slots.invited(9, isStranger: true), equals: .refuse)
        expect(slots.accepted(9, byPerson: true), equals: .refuse)
        expect(slots.ended(9), equals: .madeRoom)
    }

    @Test func whatIsThereInAllIsBounded() throws {
        var slots = AdmissionStateMachine(Self.configuration)
        // Each from another address, and none of those that make room is closed.
        var there = 0
        for number in 1...1000 where try slots.connected(number, from: address(number % 250)) != .refuse {
            there += 1
        }
        expect(there, equals: 4 * Self.configuration.maximumConnections)
        // One that is closed makes room for one.
        slots.ended(1)
        expect(try slots.connected(2000, from: address(251)), equals: .admitInsteadOf(19))
        expect(try slots.connected(2001, from: address(252)), equals: .refuse)
    }
}
