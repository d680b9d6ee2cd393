import Testing

@testable import PeerCore

@Suite struct SessionConfigurationTests {
    /// What is said of the probability of an attack on pairing rests on these. (Threats, "How sure pairing is".)
    @Test func pairingIsAsSlowAsIsSaid() {
        let configuration = SessionConfiguration()
        #expect(configuration.pairingTimeout == .seconds(5))
        #expect(configuration.pairingBurst == 8)
        #expect(configuration.pairingInterval == .seconds(10))
        #expect(configuration.maximumPairingFailures == 3)
        #expect(configuration.lockDuration == .seconds(60))
    }

    @Test func theTimeForWorkGrowsWithWhatMustBeRead() {
        let configuration = SessionConfiguration()
        #expect(configuration.workTimeout(forBytes: 1000) == .seconds(600))
        // 20 GB are read in 1000 s at 20 MB/s.
        #expect(configuration.workTimeout(forBytes: 20_000_000_000) == .seconds(5600))
        #expect(configuration.workTimeout(forBytes: .max) > .seconds(600))
    }

    @Test func deadlinesAreLookedAtOftenEnough() {
        var configuration = SessionConfiguration()
        #expect(configuration.tickInterval == .milliseconds(250))
        configuration.lingerTimeout = .milliseconds(100)
        #expect(configuration.tickInterval == .milliseconds(25))
        configuration.offerTimeout = .milliseconds(40)
        #expect(configuration.tickInterval == .milliseconds(10))
        configuration.silenceTimeout = .zero
        #expect(configuration.tickInterval == .milliseconds(5))
    }
}
