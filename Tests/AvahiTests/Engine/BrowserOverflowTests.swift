import CAvahi
import Testing

@testable import Avahi

@Suite struct BrowserOverflowTests {
    private func key(_ number: Int) throws -> ServiceKey {
        ServiceKey(
            name: "\(number)",
            type: "_hikeshare._tcp",
            domain: "local",
            interface: try #require(NetworkInterface(index: 2)),
            ipVersion: .v4
        )
    }

    @Test func theOldestGetsTheRoom() throws {
        var overflow = Browser.Overflow()
        for number in 1...3 { overflow.keep(try key(number), AVAHI_LOOKUP_RESULT_LOCAL) }
        overflow.keep(try key(1), AVAHI_LOOKUP_RESULT_LOCAL)
        #expect(overflow.count == 3)
        let none = overflow.forget(try key(9), hasRoom: false)
        #expect(none == nil)
        let first = overflow.forget(try key(9), hasRoom: true)
        #expect(first?.key.name == "1" && first?.flags == AVAHI_LOOKUP_RESULT_LOCAL)
        let second = overflow.forget(try key(2), hasRoom: true)
        #expect(second?.key.name == "3", "the second has gone")
        let third = overflow.forget(try key(9), hasRoom: true)
        #expect(third == nil)
    }

    @Test func aFullBrowserSeesWhoComesWhenOthersGo() throws {
        var browser = Browser(
            type: try ServiceType(name: "hikeshare"),
            interface: nil,
            ipVersion: nil,
            events: LatestChanges()
        )
        let sighting = Browser.Sighting(isLocal: false, isOwn: false)
        for number in 0..<Browser.maximumSightings {
            let isTaken = browser.appeared(try key(number), sighting, AVAHI_LOOKUP_RESULT_MULTICAST)
            #expect(isTaken)
        }
        let late = try key(Browser.maximumSightings)
        let isTakenEarly = browser.appeared(late, sighting, AVAHI_LOOKUP_RESULT_MULTICAST)
        #expect(!isTakenEarly)
        let next = browser.disappeared(try key(7))
        #expect(next?.key == late)
        let isTakenLate = browser.appeared(late, sighting, AVAHI_LOOKUP_RESULT_MULTICAST)
        #expect(isTakenLate)
        let nobody = browser.disappeared(try key(8))
        #expect(nobody == nil)
    }

    @Test func announcementsWithoutEndAreNotAllKept() throws {
        var overflow = Browser.Overflow()
        for number in 0..<Browser.Overflow.maximumCount + 10 {
            overflow.keep(try key(number), AVAHI_LOOKUP_RESULT_LOCAL)
        }
        #expect(overflow.count == Browser.Overflow.maximumCount)
    }
}
