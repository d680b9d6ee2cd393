import NIOCore
import Testing

@testable import PeerCore

@Suite struct PairingRateLimiterTests {
    private static func address(_ number: Int) throws -> AddressKey {
        AddressKey(try SocketAddress(ipAddress: "10.\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)", port: 1))
    }

    private static func pace(burst: Int) -> GuessLimits.RateLimiter {
        GuessLimits.RateLimiter(burst: burst, interval: .seconds(10), memory: .seconds(60))
    }

    @Test func someMayBeginAtOnceAndThenOneAtATime() throws {
        var pace = Self.pace(burst: 3)
        let start = ContinuousClock.now
        for number in 0..<3 { #expect(pace.begin(try Self.address(number), at: start) == nil) }
        let other = try Self.address(3)
        #expect(pace.timeToWait(other, at: start) == .seconds(10))
        #expect(pace.begin(other, at: start) == .seconds(10))
        #expect(pace.begin(other, at: start + .seconds(4)) == .seconds(6))
        #expect(pace.begin(other, at: start + .seconds(10)) == nil)
        #expect(pace.begin(try Self.address(4), at: start + .seconds(10)) == .seconds(10))
    }

    @Test func itRecoversAndSavesNothingBeyondTheBurst() throws {
        var pace = Self.pace(burst: 2)
        let start = ContinuousClock.now
        for number in 0..<2 { #expect(pace.begin(try Self.address(number), at: start) == nil) }
        let later = start + .seconds(3600)
        for number in 0..<2 { #expect(pace.begin(try Self.address(number), at: later) == nil) }
        #expect(pace.begin(try Self.address(2), at: later) == .seconds(10))
    }

    @Test func whoeverAsksOftenGetsNoMoreThanTheRate() throws {
        var pace = Self.pace(burst: 8)
        let start = ContinuousClock.now
        let begun = try (0..<60_000).count { pace.begin(try Self.address($0), at: start + .milliseconds($0)) == nil }
        #expect(begun == 8 + 5)
    }

    @Test func whoeverComesAgainLeavesSomeForOthers() throws {
        var pace = Self.pace(burst: 8)
        let start = ContinuousClock.now
        let greedy = try Self.address(1)
        #expect((0..<100).count { _ in pace.begin(greedy, at: start) == nil } == 7)
        #expect(pace.begin(try Self.address(2), at: start) == nil)
    }

    @Test func aMachineWithSomeAddressesDoesNotKeepOthersFromPairing() throws {
        var pace = Self.pace(burst: 8)
        let start = ContinuousClock.now
        let greedy = try (1...5).map(Self.address)
        for second in 0..<600 {
            for address in greedy { _ = pace.begin(address, at: start + .seconds(second)) }
            guard second % 60 == 59 else { continue }
            #expect(pace.timeToWait(try Self.address(100 + second), at: start + .seconds(second)) == nil)
        }
    }

    /// As it is for everybody: whatever one address does, others pair at once, or wait for one interval after others.
    @Test(arguments: [1, 3, 20]) func addressesThatHaveNotBegunWaitOneIntervalAtMost(attackers: Int) throws {
        let configuration = ConnectionConfiguration()
        var pace = configuration.guesses.makePairingRateLimiter()
        let start = ContinuousClock.now
        let greedy = try (1...attackers).map(Self.address)
        var fresh = 1000
        for tenth in 0..<36_000 {
            let now = start + .milliseconds(100 * tenth)
            for address in greedy { _ = pace.begin(address, at: now) }
            // The first minutes of an attack may be spent on the attacker's own new addresses.
            guard tenth >= 3000, tenth % 50 == 0 else { continue }
            expect(pace.begin(try Self.address(fresh), at: now), equals: nil, "\(tenth) with \(attackers)")
            fresh += 1
        }
        #expect(configuration.guesses.pairingInterval == .seconds(5))
    }
}
