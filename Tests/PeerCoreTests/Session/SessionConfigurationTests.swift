import Testing

@testable import PeerCore

@Suite struct SessionConfigurationTests {
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
