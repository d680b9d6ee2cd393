import NIOCore
import Testing

@testable import PeerCore

@Suite struct AddressLockoutTests {
    private static let start = ContinuousClock.now

    private static func time(_ seconds: Double) -> ContinuousClock.Instant {
        start + .seconds(seconds)
    }

    private static func address(_ number: Int) throws -> AddressKey {
        AddressKey(try SocketAddress(ipAddress: "10.0.\(number / 256).\(number % 256)", port: 1))
    }

    @Test(
        arguments: [
            // When it failed, when somebody asks, for how long it is still locked.
            ([], 0, nil),
            ([0, 1], 2, nil),
            ([0, 1, 2], 2, 60),
            ([0, 1, 2], 32, 30),
            ([0, 1, 2], 62, nil),
            ([0, 30, 59], 60, 59),
            ([0, 30, 60], 61, nil),
            ([0, 30, 60, 61], 61, 60),
            ([0, 0, 0, 61], 62, nil),
            ([0, 0, 0, 61, 61, 61], 62, 59),
        ] as [([Double], Double, Double?)]
    )
    func threeFailuresInAMinuteLockForAMinute(failures: [Double], asked: Double, left: Double?) throws {
        var lock = AddressLockout(maximumFailures: 3, window: .seconds(60))
        let address = try Self.address(1)
        for failure in failures { lock.failed(address, at: Self.time(failure)) }
        let time = lock.timeLocked(address, at: Self.time(asked)).map { $0 / .seconds(1) }
        #expect(time.map { ($0 * 1000).rounded() } == left.map { $0 * 1000 })
    }

    @Test func oneAddressNeverLocksAnother() throws {
        var lock = AddressLockout(maximumFailures: 3, window: .seconds(60))
        for _ in 0..<10_000 { lock.failed(try Self.address(1), at: Self.time(0)) }
        #expect(try lock.timeLocked(Self.address(1), at: Self.time(1)) != nil)
        #expect(try lock.timeLocked(Self.address(2), at: Self.time(1)) == nil)
    }

    @Test func onlySoManyAddressesAreRemembered() throws {
        var lock = AddressLockout(maximumFailures: 1, window: .seconds(60))
        for number in 0...AddressLockout.maximumAddressCount {
            lock.failed(try Self.address(number), at: Self.time(Double(number) / 1000))
        }
        #expect(try lock.timeLocked(Self.address(0), at: Self.time(2)) == nil)
        #expect(try lock.timeLocked(Self.address(1), at: Self.time(2)) != nil)
    }
}
