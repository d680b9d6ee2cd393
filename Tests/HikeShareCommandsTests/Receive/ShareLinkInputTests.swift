import PeerCore
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import RegionSharing

@Suite struct ShareLinkAddressesTests {
    private let links = ShareLinkAddresses(
        application: .hikeshare,
        id: PeerID(digest: ContentDigest(hashing: Array("sender".utf8))),
        token: .random()
    )

    private func hosts(_ texts: String...) -> [String] {
        ShareLinkAddresses.usable(texts).map(\.host)
    }

    @Test func nameNoInterfaceOfThisMachine() {
        #expect(
            hosts("10.0.0.1:1", "[fe80::1%eth0]:1", "[fe80::1%wlan0]:1", "[fe80::2%wlan0]:1")
                == ["10.0.0.1", "fe80::1", "fe80::2"]
        )
    }

    @Test func withoutANetworkThereIsNoLink() {
        #expect(links.link(to: []) == nil)
    }

    @Test func theUsualLinkFitsALineOfATerminal() throws {
        let link = try #require(links.link(to: ["192.168.1.7:64453", "[fe80::1c2b:3ff:fe4d:5e6f%wlan0]:64453"]))
        #expect(link.text.count == 80)
        #expect(link.addresses.count == 2)
    }

    @Test func areNotMoreThanFitIntoASmallCode() throws {
        let many = (1...20).map { "10.0.0.\($0):64453" }
        let link = try #require(links.link(to: many))
        #expect(link.addresses.map(\.host) == (1...6).map { "10.0.0.\($0)" })
        let long = (1...20).map { "[2001:db8::1c2b:3ff:fe4d:\($0)]:50000" }
        let short = try #require(links.link(to: long))
        #expect(short.addresses.map(\.host) == ["2001:db8::1c2b:3ff:fe4d:1"])
        #expect(short.text.count <= ShareLinkAddresses.usefulLength)
        let homely = [
            "192.168.1.7:64453", "[2001:db8::1c2b:3ff:fe4d:5e6f]:64453", "[fe80::1c2b:3ff:fe4d:5e6f%wlan0]:64453",
        ]
        #expect(links.link(to: homely)?.addresses.count == 3)
    }

    @Test func aSingleAddressIsTakenHoweverLongItIs() throws {
        let long = String(repeating: "a.", count: 60) + "example:64453"
        #expect(try #require(links.link(to: [long])).text.count > ShareLinkAddresses.usefulLength)
    }
}

@Suite struct ShareLinkInputTests {
    static let text = "HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDY0C1A010W96EJFWF"

    @Test func isTakenWithSpacesAroundIt() throws {
        #expect(ShareLinkInput.isLink("  \(Self.text)\r"))
        let link = try ShareLinkInput.parse("\t\(Self.text) \r")
        #expect(link.addresses.map(\.host) == ["192.168.1.7"])
        #expect(link.text == Self.text)
    }

    @Test(arguments: ["", "marmot", "3", "http://x", "67cf-1ffb"])
    func isToldFromNames(text: String) {
        #expect(!ShareLinkInput.isLink(text))
    }

    @Test func isTakenWithoutItsBeginning() throws {
        let bare = String(Self.text.dropFirst("HIKESHARE://".count))
        #expect(ShareLinkInput.isLink(bare) && ShareLinkInput.isLink(" \(bare.lowercased())\r"))
        #expect(try ShareLinkInput.parse(bare).text == Self.text)
        #expect(!ShareLinkInput.isLink(String(bare.dropLast())))
    }

    @Test func isTakenAsItIsTyped() throws {
        let typed = "hikeshare://" + Self.text.dropFirst(12).lowercased().replacing("0", with: "o")
        #expect(ShareLinkInput.isLink(typed))
        #expect(try ShareLinkInput.parse(typed).text == Self.text)
    }

    @Test func anErrorNeverTellsTheSecret() throws {
        let broken = Self.text.dropLast() + "0"
        let error = try #require(throws: PeerError.self) { try ShareLinkInput.parse(String(broken)) }
        let report = ProblemReport(error)
        #expect(report.status == .usage)
        #expect(report.message.contains("typing mistake"))
        for format in [OutputFormat.text, .json] { #expect(!report.rendered(as: format).contains("000G40R4")) }
    }
}
