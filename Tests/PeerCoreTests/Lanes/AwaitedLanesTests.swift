import NIOCore
import Testing

@testable import PeerCore

@Suite struct AwaitedLanesTests {
    private let here: AddressKey
    private let elsewhere: AddressKey

    init() throws {
        here = AddressKey(try SocketAddress(ipAddress: "192.0.2.1", port: 1))
        elsewhere = AddressKey(try SocketAddress(ipAddress: "192.0.2.2", port: 1))
    }

    @Test func eachLaneIsAwaitedOnce() {
        var lanes = AwaitedLanes()
        lanes.expect(2, for: 7, from: here)
        #expect(lanes.take(from: elsewhere) == false)
        #expect(lanes.take(from: here) == true)
        #expect(lanes.take(from: here) == true)
        #expect(lanes.take(from: here) == false)
    }

    @Test func aConnectionWithoutAnAddressMayBeAnyOfThem() {
        var lanes = AwaitedLanes()
        #expect(lanes.take(from: .unknown) == false)
        lanes.expect(1, for: 7, from: here)
        #expect(lanes.take(from: nil) == false)
        #expect(lanes.take(from: .unknown) == true)
        #expect(lanes.take(from: .unknown) == false)
    }

    @Test func whatATransferAwaitedEndsWithIt() {
        var lanes = AwaitedLanes()
        lanes.expect(2, for: 7, from: here)
        lanes.expect(1, for: 8, from: here)
        lanes.forget(7, from: here)
        #expect(lanes.take(from: here) == true)
        #expect(lanes.take(from: here) == false)
        lanes.forget(8, from: elsewhere)
    }
}
