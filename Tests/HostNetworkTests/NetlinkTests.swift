import PeerTestSupport
import Testing

@testable import HostNetwork

/// Answers of the kernel, as bytes in the order of a little-endian machine.
@Suite struct NetlinkTests {
    /// RTM_NEWNEIGH: 10.77.0.1 on interface 7.
    private static func neighbour(state: UInt8) -> [UInt8] {
        // family, padding; interface; state; flags, type
        [2, 0, 0, 0, 7, 0, 0, 0, state, 0, 0, 1]
            // NDA_LLADDR, then NDA_DST
            + [10, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 0] + [8, 0, 1, 0, 10, 77, 0, 1]
    }

    /// RTM_NEWROUTE by interface 5 with the source 10.77.0.2.
    private static let route: [UInt8] =
        [2, 32, 0, 0, 254, 0, 0, 1, 0, 0, 0, 0] + [8, 0, 1, 0, 10, 77, 0, 1] + [8, 0, 4, 0, 5, 0, 0, 0]
        + [8, 0, 7, 0, 10, 77, 0, 2]

    private static func message(_ body: [UInt8]) -> [UInt8] {
        [UInt8(16 + body.count), 0, 0, 0, 24, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] + body
    }

    @Test(arguments: [
        (0x01, Neighbour.State.absent, false), (0x02, .present, false), (0x04, .unknown, false),
        (0x08, .unknown, true),
        (0x10, .unknown, true), (0x20, .absent, false), (0x80, .present, false),
    ])
    func readsNeighbours(state: UInt8, neighbour: Neighbour.State, isBeingChecked: Bool) throws {
        let entry = try #require(Neighbour(Self.neighbour(state: state)))
        #expect(entry.interface == 7)
        #expect(entry.address == IPAddress("10.77.0.1"))
        #expect(entry.hardwareAddress == [2, 0, 0, 0, 0, 1])
        #expect(entry.state == neighbour)
        #expect(entry.isBeingChecked == isBeingChecked)
    }

    @Test func readsRoutes() {
        #expect(Routes.way(Self.route) == Routes.Way(interface: 5, source: IPAddress("10.77.0.2")))
        // A route to this machine itself (RTN_LOCAL), and one that goes nowhere (RTN_UNREACHABLE).
        for type: UInt8 in [2, 7] {
            var other = Self.route
            other[7] = type
            #expect(Routes.way(other) == nil)
        }
    }

    @Test func readsSeveralMessages() {
        let bytes = Self.message([1, 2, 3]) + [0] + Self.message([4])
        #expect(Netlink.messages(in: bytes[...]).map(\.body) == [[1, 2, 3], [4]])
    }

    @Test func stopsAtWhatIsNotComplete() {
        for body in [Self.neighbour(state: 2), Self.route] {
            for end in body.indices {
                // Whatever is missing, nothing is read beyond the end.
                _ = Neighbour(Array(body[..<end]))
                _ = Routes.way(Array(body[..<end]))
            }
            let message = Self.message(body)
            for end in 0..<message.count { #expect(Netlink.messages(in: message[..<end]).isEmpty) }
        }
        #expect(Netlink.messages(in: [255, 255, 255, 255] + [UInt8](repeating: 0, count: 12)).isEmpty)
        #expect(Netlink.messages(in: [UInt8](repeating: 0, count: 64)[...]).isEmpty)
        #expect(Netlink.attributes(in: [UInt8](repeating: 0, count: 64)[...]).isEmpty)
        #expect(Netlink.attributes(in: [3, 0, 1, 0][...]).isEmpty)
    }

    @Test(arguments: 0..<64) func survivesMutations(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bytes = Self.message(Self.neighbour(state: 2)) + Self.message(Self.route)
            for _ in 0..<4 {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let messages = Netlink.messages(in: bytes[...])
            #expect(messages.allSatisfy { $0.body.count <= bytes.count })
            for message in messages {
                _ = Neighbour(message.body)
                _ = Routes.way(message.body)
            }
        }
    }
}
