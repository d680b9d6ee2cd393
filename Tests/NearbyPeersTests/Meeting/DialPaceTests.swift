import PeerTestSupport
import Testing

@testable import NearbyPeers

@Suite struct DialPaceTests {
    @Test func linksThatAreResumedDoNotWaitForStrangers() async {
        let pace = DialPace()
        for _ in 0..<DialPace.maximumCountWithoutLink { #expect(await pace.begin(hasLink: false)) }
        let stranger = Task { await pace.begin(hasLink: false) }
        for _ in DialPace.maximumCountWithoutLink..<DialPace.maximumCount { #expect(await pace.begin(hasLink: true)) }
        let late = Task { await pace.begin(hasLink: true) }
        pace.end(hasLink: true)
        #expect(await late.value)
        pace.end(hasLink: false)
        #expect(await stranger.value)
    }

    @Test func whoeverIsCancelledTakesNoPlace() async {
        let pace = DialPace()
        for _ in 0..<DialPace.maximumCountWithoutLink { #expect(await pace.begin(hasLink: false)) }
        let stranger = Task { await pace.begin(hasLink: false) }
        stranger.cancel()
        #expect(await !stranger.value)
        pace.end(hasLink: false)
        #expect(await pace.begin(hasLink: false))
    }
}
