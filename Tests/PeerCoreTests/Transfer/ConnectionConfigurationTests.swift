import Foundation
import NIOCore
import Testing

@testable import PeerCore

@Suite struct ConnectionConfigurationTests {
    /// What is said of the probability of an attack on pairing rests on these. (Threats, "How sure pairing is".)
    @Test func pairingIsAsSlowAsIsSaid() {
        let configuration = ConnectionConfiguration()
        #expect(configuration.pairingTimeout == .seconds(5))
        #expect(configuration.guesses.pairingBurst == 8)
        #expect(configuration.guesses.pairingInterval == .seconds(5))
        #expect(configuration.maximumInvitations == 8)
        #expect(configuration.guesses.maximumPairingFailures == 3)
        #expect(configuration.guesses.lockDuration == .seconds(60))
    }

    /// Computes what Docs/Trust.md says of a man in the middle: pairings that wait for a person, those that may begin at
    /// once, and those that may begin while the receiver waits for its digits.
    @Test func theBoundOnGuessesIsTheDocumentedOne() throws {
        let configuration = ConnectionConfiguration()
        let while5s = Int(configuration.pairingTimeout / configuration.guesses.pairingInterval)
        let guesses = configuration.maximumInvitations + configuration.guesses.pairingBurst + while5s
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/Trust.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page.contains("at most \(guesses) in\n1,000,000") || page.contains("at most \(guesses) in 1,000,000"))
        let seconds = configuration.guesses.pairingInterval.components.seconds
        #expect(page.contains("1 in 1,000,000 for every \(seconds) s"))
        // No attacker begins more, from however many addresses.
        var pace = configuration.guesses.makePairingRateLimiter()
        let start = ContinuousClock.now
        let begun = try (0...5000).count { number in
            let host = "10.0.\(number >> 8).\(number & 0xFF)"
            let address = AddressKey(try SocketAddress(ipAddress: host, port: 1))
            return pace.begin(address, at: start + .milliseconds(number)) == nil
        }
        #expect(begun == configuration.guesses.pairingBurst + while5s)
    }

    @Test func theTimeForWorkGrowsWithWhatMustBeRead() {
        let configuration = ConnectionConfiguration()
        #expect(configuration.workTimeout(forBytes: 1000) == .seconds(600))
        // 20 GB are read in 1000 s at 20 MB/s.
        #expect(configuration.workTimeout(forBytes: 20_000_000_000) == .seconds(5600))
        #expect(configuration.workTimeout(forBytes: .max) > .seconds(600))
    }

    @Test func deadlinesAreLookedAtOftenEnough() {
        var configuration = ConnectionConfiguration()
        #expect(configuration.tickInterval == .milliseconds(250))
        configuration.lingerTimeout = .milliseconds(100)
        #expect(configuration.tickInterval == .milliseconds(25))
        configuration.offerTimeout = .milliseconds(40)
        #expect(configuration.tickInterval == .milliseconds(10))
        configuration.silenceTimeout = .zero
        #expect(configuration.tickInterval == .milliseconds(5))
    }
}
