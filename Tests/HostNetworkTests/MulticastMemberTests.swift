import Foundation
import HostNetwork
import Testing

/// On loopback, each in a group that no other test has.
@Suite(.timeLimit(.minutes(10))) struct MulticastMemberTests {
    private typealias Events = AsyncStream<MulticastMember.Event>

    private static func group() -> MulticastGroup {
        let bytes = (0..<3).map { _ in UInt8.random(in: 1...254) }
        return MulticastGroup(ofIPv4: "239.\(bytes[0]).\(bytes[1]).\(bytes[2])", port: 53317)
    }

    private static func member(
        of group: MulticastGroup,
        in networks: @escaping @Sendable () -> [LocalNetwork] = { LocalNetwork.loopback() }
    ) -> (MulticastMember, Events) {
        let (events, continuation) = Events.makeStream()
        let member = MulticastMember(of: group, in: networks, maximumLength: 100) { continuation.yield($0) }
        return (member, events)
    }

    @Test func membersHearOneAnotherAndThemselves() async throws {
        let group = Self.group()
        let (first, firstEvents) = Self.member(of: group)
        let (second, secondEvents) = Self.member(of: group)
        defer {
            first.stop()
            second.stop()
        }
        var (heard, other) = (firstEvents.makeAsyncIterator(), secondEvents.makeAsyncIterator())
        for event in [await heard.next(), await other.next()] {
            guard case .networks(let networks, let joined)? = event else {
                Issue.record("no networks")
                return
            }
            #expect(networks.map(\.interface) == ["lo"] && joined == networks)
        }
        // One that is too long comes first, and is dropped.
        #expect(first.send([UInt8](repeating: 1, count: 101)).count == 1)
        #expect(first.send([1, 2, 3]).map(\.interface) == ["lo"])
        for event in [await heard.next(), await other.next()] {
            guard case .packet(let packet, let network)? = event else {
                Issue.record("no packet")
                return
            }
            #expect(packet.bytes == [1, 2, 3] && "\(packet.source)" == "127.0.0.1" && network.interface == "lo")
        }
    }

    @Test func sendsNothingWithoutNetworksAndAfterTheEnd() async throws {
        let (member, events) = Self.member(of: Self.group(), in: { [] })
        var heard = events.makeAsyncIterator()
        guard case .networks(let networks, _)? = await heard.next() else {
            Issue.record("no networks")
            return
        }
        #expect(networks.isEmpty && member.send([1]).isEmpty)
        member.stop()
        let (other, others) = Self.member(of: Self.group())
        heard = others.makeAsyncIterator()
        _ = await heard.next()
        other.stop()
        #expect(other.send([1]).isEmpty)
        // A second end does nothing.
        other.stop()
    }
}
