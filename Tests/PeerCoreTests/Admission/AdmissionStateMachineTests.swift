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
        var places = try places([1, 1, 1])
        let joined = (1...3).map { places.joined($0) }
        #expect(joined == [true, true, true])
        // Neither the address nor the whole is any fuller for them.
        for number in 4...6 {
            let arrival = places.connected(number, from: try address(1))
            #expect(arrival == .admit)
        }
        let evicting = places.connected(7, from: try address(1))
        #expect(evicting == .admitInsteadOf(4))
        let evicted = places.joined(4)
        #expect(!evicted)
        let end = places.ended(1)
        #expect(end == .lane)
    }

    @Test func linksTakeNobodysPlaceAndMakeRoomForNobody() throws {
        var places = try places([1, 1, 2, 2])
        // They may be asked about before, or not.
        _ = places.invited(2, isStranger: true)
        _ = places.invited(3, isStranger: false)
        let linked = (1...4).map { places.linked($0) }
        #expect(linked == [true, true, true, true])
        // The address is no fuller for them, nor is the whole; invitations of strangers are no more either.
        for number in 5...6 {
            expect(places.connected(number, from: try address(1)), equals: .admit)
            expect(places.invited(number, isStranger: true), equals: .admit)
        }
        for number in 7...10 {
            expect(places.connected(number, from: try address(number)), equals: .admit)
        }
        expect(places.connected(11, from: try address(11)), equals: .admitInsteadOf(7))
        expect(places.ended(1), equals: .link)
    }

    @Test func whoIsEvictedOrTransfersBecomesNoLink() throws {
        var places = try places([1, 1, 1, 1, 2])
        _ = places.accepted(5, byPerson: true)
        let linked = [1, 2, 2, 5, 9].map { places.linked($0) }
        #expect(linked == [false, true, false, false, false])
    }

    @Test func onlyWhoWaitsBecomesALane() throws {
        var places = try places([1])
        _ = places.invited(1, isStranger: false)
        let joined = places.joined(1)
        let unknown = places.joined(9)
        #expect(!joined && !unknown)
    }

    /// Places with one waiting connection for each of these addresses, numbered from 1.
    private func places(_ addresses: [Int]) throws -> AdmissionStateMachine {
        var places = AdmissionStateMachine(Self.configuration)
        for (index, number) in addresses.enumerated() {
            _ = places.connected(index + 1, from: try address(number))
        }
        return places
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
        var places = try places(there)
        expect(try places.connected(100, from: address(comes)), equals: expected)
    }

    @Test func thoseThatMadeRoomCountUntilTheyAreGone() throws {
        var places = AdmissionStateMachine(Self.configuration)
        var refused = 0
        for number in 1...100 where try places.connected(number, from: address(1)) == .refuse { refused += 1 }
        // Three that are there, and nine whose sockets are not closed yet.
        expect(refused, equals: 100 - 12)
        // That is nobody else's fault.
        expect(try places.connected(101, from: address(2)), equals: .admit)
        places.ended(1)
        places.ended(2)
        expect(try places.connected(102, from: address(1)), equals: .admitInsteadOf(10))
    }

    @Test func aFloodFromOneAddressNeverDrivesOutAnother() throws {
        var places = try places([1])
        for number in 100..<10_000 {
            let arrival = places.connected(number, from: try address(2))
            #expect(arrival != .admitInsteadOf(1) && arrival != .refuse)
            if case .admitInsteadOf(let other) = arrival { places.ended(other) }
        }
        expect(places.ended(1), equals: .visitor)
    }

    @Test func invitationsHaveTheirOwnBound() throws {
        var places = try places([1, 1, 1, 2, 3, 4])
        expect(places.invited(1, isStranger: true), equals: .admit)
        expect(places.invited(2, isStranger: true), equals: .admit)
        expect(places.invited(3, isStranger: true), equals: .refuse)
        expect(places.invited(4, isStranger: true), equals: .admit)
        expect(places.invited(5, isStranger: true), equals: .admit)
        // The address with the most has to give one up.
        expect(places.invited(6, isStranger: true), equals: .admitInsteadOf(1))
        expect(places.ended(1), equals: .madeRoom)
    }

    @Test func invitationsAreNotMadeRoomOfByConnections() throws {
        var places = try places([1, 2])
        expect(places.invited(1, isStranger: true), equals: .admit)
        for number in 100..<200 {
            let arrival = places.connected(number, from: try address(number))
            #expect(arrival != .admitInsteadOf(1))
        }
        expect(places.ended(1), equals: .visitor)
    }

    @Test func friendsAreNotCountedAmongStrangers() throws {
        var places = try places([1, 1, 2, 3, 4, 5])
        for number in [1, 3, 4, 5] { expect(places.invited(number, isStranger: true), equals: .admit) }
        expect(places.invited(2, isStranger: false), equals: .admit)
        expect(places.invited(6, isStranger: false), equals: .admit)
    }

    @Test func aPlaceIsTakenOnApprovalOnly() throws {
        var places = try places([1, 2, 3])
        for number in 1...3 { expect(places.invited(number, isStranger: true), equals: .admit) }
        expect(places.accepted(1, byPerson: true), equals: .admit)
        expect(places.accepted(2, byPerson: true), equals: .admit)
        expect(places.accepted(3, byPerson: true), equals: .refuse)
        places.ended(1)
        expect(places.accepted(3, byPerson: true), equals: .admit)
    }

    @Test func nobodyIsAskedWhileThereIsNoPlace() throws {
        var places = try places([1, 2, 3])
        for number in 1...2 { expect(places.accepted(number, byPerson: true), equals: .admit) }
        expect(places.invited(3, isStranger: true), equals: .refuse)
        expect(places.invited(3, isStranger: false), equals: .refuse)
    }

    @Test func whenAllAreTransfersNobodyComesIn() throws {
        var configuration = Self.configuration
        configuration.maximumConnections = 2
        var places = AdmissionStateMachine(configuration)
        for number in 1...2 {
            expect(try places.connected(number, from: address(number)), equals: .admit)
            expect(places.accepted(number, byPerson: true), equals: .admit)
        }
        expect(try places.connected(3, from: address(3)), equals: .refuse)
    }

    @Test func whatIsUnknownIsRefused() throws {
        var places = AdmissionStateMachine(Self.configuration)
        expect(places.invited(9, isStranger: true), equals: .refuse)
        expect(places.accepted(9, byPerson: true), equals: .refuse)
        expect(places.ended(9), equals: .madeRoom)
    }

    @Test func whatIsThereInAllIsBounded() throws {
        var places = AdmissionStateMachine(Self.configuration)
        // Each from another address, and none of those that make room is closed.
        var there = 0
        for number in 1...1000 where try places.connected(number, from: address(number % 250)) != .refuse {
            there += 1
        }
        expect(there, equals: 4 * Self.configuration.maximumConnections)
        // One that is closed makes room for one.
        places.ended(1)
        expect(try places.connected(2000, from: address(251)), equals: .admitInsteadOf(19))
        expect(try places.connected(2001, from: address(252)), equals: .refuse)
    }
}
