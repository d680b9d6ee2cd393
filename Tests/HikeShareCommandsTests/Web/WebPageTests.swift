import Foundation
import MapPages
import PeerCore
import PeerTestSupport
import PhoneSharing
import RegionSharing
import RegionStore
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands

/// What a sender says of its page for phones.
@Suite struct WebPageTests {
    private let address = PhonePageAddress(port: 8080, path: "/secret/")

    @Test func thePageHasTheAddressesThatBrowsersCanOpen() {
        let addresses = [
            "10.42.0.1:64453", "[fe80::1%wlan0]:64453", "192.168.1.5:64453", "[2001:db8::1]:64453", "10.42.0.1:64453",
        ]
        #expect(
            address.urls(for: addresses) == ["http://10.42.0.1:8080/secret/", "http://192.168.1.5:8080/secret/"]
        )
        #expect(address.urls(for: []).isEmpty)
        let own = PhonePageAddress(port: 8080, path: "/secret/", host: "10.42.0.1")
        #expect(own.urls(for: ["192.168.1.5:64453", "10.42.0.1:64453"]) == ["http://10.42.0.1:8080/secret/"])
    }

    private func report(isOwnNetwork: Bool, leftOut: PersonalContent? = nil, at addresses: [String]) -> String {
        let page = PhonePageFacts(
            address: address,
            hasPersonal: false,
            leftOut: leftOut,
            isOwnNetwork: isOwnNetwork
        )
        return PlainReport.page(page, at: addresses).rendered(as: .text)
    }

    @Test func aNetworkOfOthersIsNoSecret() {
        let addresses = ["10.42.0.1:1"]
        var notes = PersonalContent()
        notes.notes = 1
        #expect(report(isOwnNetwork: false, at: addresses).contains("not encrypted"))
        #expect(!report(isOwnNetwork: true, at: addresses).contains("not encrypted"))
        #expect(report(isOwnNetwork: true, leftOut: notes, at: addresses).contains("Not on the page: notes"))
        #expect(report(isOwnNetwork: true, at: []).contains("no address"))
    }

    private func download(_ number: Int, upTo position: UInt64 = 0) -> PhoneDownload {
        var download = PhoneDownload(number: number, client: "10.42.0.7", name: "a.mbtiles", size: 1_000_000)
        download.sent(upTo: position)
        return download
    }

    private func ended(at position: UInt64, isComplete: Bool) -> PhoneDownload {
        var download = download(1, upTo: position)
        download.ended(isComplete: isComplete)
        return download
    }

    @Test func theEndOfADownloadIsTold() {
        #expect(ended(at: 1_000_000, isComplete: true).text == "10.42.0.7 has downloaded a.mbtiles, 1.0 MB")
        let stopped: DisplayText =
            "10.42.0.7 stopped downloading a.mbtiles at 50 %; the download can be resumed"
        #expect(ended(at: 500_000, isComplete: false).text == stopped)
        // A part in the middle.
        #expect(ended(at: 500_000, isComplete: true).text == stopped)
    }

    @Test func progressIsOneLine() {
        var transfers = RunningTransfers(isReceiver: false)
        #expect(transfers.line(width: 79) == nil)
        transfers.note(download(1, upTo: 500_000))
        #expect(transfers.line(width: 79) == "10.42.0.7 downloads a.mbtiles, 1.0 MB: 50 %")
        transfers.note(download(2))
        #expect(transfers.line(width: 79) == "2 downloads: 50 %, 0 %")
    }

    @Test func bothCodesFitASmallTerminal() throws {
        let wifi = try #require(QRCode(MadeNetwork.wifiText(ShareLinkNetwork.random())))
        let page = PhonePageAddress(port: 65_535, path: "/" + MapSecret(length: MapSecret.shortLength).text + "/")
        let url = try #require(page.urls(for: ["192.168.100.200:1"]).first)
        let code = try #require(QRCode(url))
        #expect(wifi.size.columns + code.size.columns <= 80)
        // One row is for the captions, and one for the cursor.
        #expect(max(wifi.size.rows, code.size.rows) + 2 <= 24)
    }

    @Test func thePackageOfThisVersionIsFound() async throws {
        try await TemporaryDirectory.with { directory in
            let name = "hikeshare_\(Software.version)_amd64.deb"
            for other in [name, "hikeshare_0.0.1_amd64.deb", "hikeshare_\(Software.version)_amd64.txt"] {
                try Data([1]).write(to: URL(filePath: directory.path(other)))
            }
            #expect(ProgramPackage.find(in: directory.path)?.name == name)
            #expect(ProgramPackage.find(in: directory.path("none")) == nil)
        }
    }

    @Test func aPhoneIsToldItsPlace() {
        let (first, second) = (TransferTurn(place: 1, count: 2), TransferTurn(place: 2, count: 2))
        #expect(PhoneTurn.waiting(second).words == "The laptop serves 1 other first. A download waits for its turn.")
        #expect(PhoneTurn.downloading(first).words == "Your download is being sent.")
        #expect(PhoneTurn.downloading(second).words == "Your download is second.")
        let timed = TransferTurn(place: 2, count: 2, timeLeft: .seconds(20))
        #expect(
            PhoneTurn.waiting(timed).words
                == "The laptop serves 1 other first. A download waits for its turn, and then takes about 20 s in all."
        )
    }
}
