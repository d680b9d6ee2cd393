import NIOCore
import Testing

@testable import PeerCore

@Suite struct AdmissionStateMachineTests {
    private static let configuration = {
        var configuration = SessionConfiguration()
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
        var book = try book([1, 1, 1])
        let joined = (1...3).map { book.joined($0) }
        #expect(joined == [true, true, true])
        // Neither the address nor the whole is any fuller for them.
        for session in 4...6 {
            let arrival = book.connected(session, from: try address(1))
            #expect(arrival == .admit)
        }
        let evicting = book.connected(7, from: try address(1))
        #expect(evicting == .admitInsteadOf(4))
        let evicted = book.joined(4)
        #expect(!evicted)
        let end = book.ended(1)
        #expect(end == .lane)
    }

    @Test func linksTakeNobodysPlaceAndMakeRoomForNobody() throws {
        var book = try book([1, 1, 2, 2])
        // They may be asked about before, or not.
        _ = book.invited(2, isStranger: true)
        _ = book.invited(3, isStranger: false)
        let linked = (1...4).map { book.linked($0) }
        #expect(linked == [true, true, true, true])
        // The address is no fuller for them, nor is the whole; invitations of strangers are no more either.
        for session in 5...6 {
            expect(book.connected(session, from: try address(1)), equals: .admit)
            expect(book.invited(session, isStranger: true), equals: .admit)
        }
        for session in 7...10 {
            expect(book.connected(session, from: try address(session)), equals: .admit)
        }
        expect(book.connected(11, from: try address(11)), equals: .admitInsteadOf(7))
        expect(book.ended(1), equals: .link)
    }

    @Test func whoIsEvictedOrTransfersBecomesNoLink() throws {
        var book = try book([1, 1, 1, 1, 2])
        _ = book.accepted(5, byPerson: true)
        let linked = [1, 2, 2, 5, 9].map { book.linked($0) }
        #expect(linked == [false, true, false, false, false])
    }

    @Test func onlyWhoWaitsBecomesALane() throws {
        var book = try book([1])
        _ = book.invited(1, isStranger: false)
        let joined = book.joined(1)
        let unknown = book.joined(9)
        #expect(!joined && !unknown)
    }

    /// A book with one waiting session for each of these addresses, numbered from 1.
    private func book(_ addresses: [Int]) throws -> AdmissionStateMachine {
        var book = AdmissionStateMachine(Self.configuration)
        for (index, number) in addresses.enumerated() {
            _ = book.connected(index + 1, from: try address(number))
        }
        return book
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
        var book = try book(there)
        expect(try book.connected(100, from: address(comes)), equals: expected)
    }

    @Test func thoseThatMadeRoomCountUntilTheyAreGone() throws {
        var book = AdmissionStateMachine(Self.configuration)
        var refused = 0
        for session in 1...100 where try book.connected(session, from: address(1)) == .refuse { refused += 1 }
        // Three that are there, and nine whose sockets are not closed yet.
        expect(refused, equals: 100 - 12)
        // That is nobody else's fault.
        expect(try book.connected(101, from: address(2)), equals: .admit)
        book.ended(1)
        book.ended(2)
        expect(try book.connected(102, from: address(1)), equals: .admitInsteadOf(10))
    }

    @Test func aFloodFromOneAddressNeverDrivesOutAnother() throws {
        var book = try book([1])
        for session in 100..<10_000 {
            let arrival = book.connected(session, from: try address(2))
            #expect(arrival != .admitInsteadOf(1) && arrival != .refuse)
            if case .admitInsteadOf(let other) = arrival { book.ended(other) }
        }
        expect(book.ended(1), equals: .visitor)
    }

    @Test func invitationsHaveTheirOwnBound() throws {
        var book = try book([1, 1, 1, 2, 3, 4])
        expect(book.invited(1, isStranger: true), equals: .admit)
        expect(book.invited(2, isStranger: true), equals: .admit)
        expect(book.invited(3, isStranger: true), equals: .refuse)
        expect(book.invited(4, isStranger: true), equals: .admit)
        expect(book.invited(5, isStranger: true), equals: .admit)
        // The address with the most has to give one up.
        expect(book.invited(6, isStranger: true), equals: .admitInsteadOf(1))
        expect(book.ended(1), equals: .madeRoom)
    }

    @Test func invitationsAreNotMadeRoomOfByConnections() throws {
        var book = try book([1, 2])
        expect(book.invited(1, isStranger: true), equals: .admit)
        for session in 100..<200 {
            let arrival = book.connected(session, from: try address(session))
            #expect(arrival != .admitInsteadOf(1))
        }
        expect(book.ended(1), equals: .visitor)
    }

    @Test func friendsAreNotCountedAmongStrangers() throws {
        var book = try book([1, 1, 2, 3, 4, 5])
        for session in [1, 3, 4, 5] { expect(book.invited(session, isStranger: true), equals: .admit) }
        expect(book.invited(2, isStranger: false), equals: .admit)
        expect(book.invited(6, isStranger: false), equals: .admit)
    }

    @Test func aPlaceIsTakenOnApprovalOnly() throws {
        var book = try book([1, 2, 3])
        for session in 1...3 { expect(book.invited(session, isStranger: true), equals: .admit) }
        expect(book.accepted(1, byPerson: true), equals: .admit)
        expect(book.accepted(2, byPerson: true), equals: .admit)
        expect(book.accepted(3, byPerson: true), equals: .refuse)
        book.ended(1)
        expect(book.accepted(3, byPerson: true), equals: .admit)
    }

    @Test func nobodyIsAskedWhileThereIsNoPlace() throws {
        var book = try book([1, 2, 3])
        for session in 1...2 { expect(book.accepted(session, byPerson: true), equals: .admit) }
        expect(book.invited(3, isStranger: true), equals: .refuse)
        expect(book.invited(3, isStranger: false), equals: .refuse)
    }

    @Test func whenAllAreTransfersNobodyComesIn() throws {
        var configuration = Self.configuration
        configuration.maximumConnections = 2
        var book = AdmissionStateMachine(configuration)
        for session in 1...2 {
            expect(try book.connected(session, from: address(session)), equals: .admit)
            expect(book.accepted(session, byPerson: true), equals: .admit)
        }
        expect(try book.connected(3, from: address(3)), equals: .refuse)
    }

    @Test func whatIsUnknownIsRefused() throws {
        var book = AdmissionStateMachine(Self.configuration)
        expect(book.invited(9, isStranger: true), equals: .refuse)
        expect(book.accepted(9, byPerson: true), equals: .refuse)
        expect(book.ended(9), equals: .madeRoom)
    }

    @Test func whatIsThereInAllIsBounded() throws {
        var book = AdmissionStateMachine(Self.configuration)
        // Each from another address, and none of those that make room is closed.
        var there = 0
        for session in 1...1000 where try book.connected(session, from: address(session % 250)) != .refuse {
            there += 1
        }
        expect(there, equals: 4 * Self.configuration.maximumConnections)
        // One that is closed makes room for one.
        book.ended(1)
        expect(try book.connected(2000, from: address(251)), equals: .admitInsteadOf(19))
        expect(try book.connected(2001, from: address(252)), equals: .refuse)
    }
}
