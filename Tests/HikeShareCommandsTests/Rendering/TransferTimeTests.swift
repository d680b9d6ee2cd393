import HostNetwork
import PeerCore
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import RegionSharing

/// How long an offer takes, as people are told before the yes.
@Suite struct TransferTimeTests {
    private static let cable = NetworkRate(ofCable: 1000)
    private static let radio = NetworkRate(ofRadio: 100_000_000)
    private static let size: UInt64 = 2_250_000_000

    private func words(
        _ bytes: UInt64 = size,
        here: NetworkRate? = nil,
        there: TransferTurn? = nil,
        socket: Bool = false
    ) -> String? {
        TransferTime(bytes: bytes, offered: Self.size, here: here, there: there, hasCableSocket: socket).words?.string
    }

    private func sender(_ rate: Double?, place: Int = 1, seconds: Double? = nil) -> TransferTurn {
        TransferTurn(place: place, count: place, timeLeft: seconds.map { .seconds($0) }, bytesPerSecond: rate)
    }

    @Test func saysNothingIfNothingIsKnown() {
        #expect(words() == nil)
        #expect(words(there: sender(nil)) == nil)
        #expect(words(0, here: Self.cable) == nil)
        #expect(words(there: sender(0)) == nil)
    }

    @Test func theSlowerLinkDecides() {
        #expect(words(here: Self.radio) == "about 6 minutes")
        #expect(words(here: Self.cable) == "about 20 s")
        #expect(words(here: Self.cable, there: sender(6_250_000)) == "about 6 minutes")
        #expect(words(here: Self.radio, there: sender(117e6)) == "about 6 minutes")
        #expect(words(there: sender(117.5e6)) == "about 20 s")
    }

    @Test func aCableIsNamedIfItWouldHelp() {
        #expect(words(here: Self.radio, socket: true) == "about 6 minutes here, about 20 s over a cable")
        #expect(words(300_000_000, here: Self.radio, socket: true) == "about 50 s")
        #expect(words(here: NetworkRate(ofRadio: 1_900_000_000), socket: true) == "about 20 s")
        #expect(words(here: Self.cable, socket: true) == "about 20 s")
    }

    @Test func thoseBeforeCount() {
        let third = sender(12_500_000, place: 3, seconds: 180 + 240)
        #expect(words(there: third) == "about 7 minutes, after 2 other receivers")
        // A part of the offer waits as long, and is there sooner.
        #expect(words(125_000_000, there: third) == "about 4 minutes, after 2 other receivers")
        #expect(
            words(here: Self.radio, there: sender(12_500_000, place: 2, seconds: 240))
                == "about 7 minutes, after 1 other receiver"
        )
    }

    /// A peer can say anything.
    @Test(arguments: [1, 1e12, 0.001, .infinity, .nan] as [Double], [0, 604_800] as [Double])
    func anyWordsOfTheSenderAreTaken(rate: Double, seconds: Double) {
        _ = words(.max, here: Self.radio, there: sender(rate, place: 1000, seconds: seconds))
        _ = words(1, there: sender(rate, place: 2, seconds: seconds))
    }

    @Test(arguments: [
        (0.0, "some seconds"), (9.9, "some seconds"), (10, "about 10 s"), (44, "about 40 s"), (54, "about 50 s"),
        (55, "about 1 minute"), (89, "about 1 minute"), (90, "about 2 minutes"), (360, "about 6 minutes"),
        (3299, "about 55 minutes"), (3300, "about 1 hour"), (7200, "about 2 hours"), (400_000, "more than 99 hours"),
    ])
    func timesAreRough(seconds: Double, words: String) {
        #expect(Wording.roughly(.seconds(seconds)) == words)
    }

    @Test(arguments: [
        (1, "first"), (3, "third"), (9, "ninth"), (10, "10th"), (11, "11th"), (21, "21st"), (112, "112th"),
    ])
    func placesHaveNames(place: Int, words: String) {
        #expect(Wording.ordinal(place) == words)
    }
}
