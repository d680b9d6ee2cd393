import Foundation
import MapPages
import PeerCore
import PeerTestSupport
import RegionSharing
import RegionStore
import Testing
import WebServer

@testable import HikeShareCommands

/// What a sender says of its page for phones.
@Suite struct WebPageTests {
    private let address = WebAddress(port: 8080, path: "/secret/")

    @Test func thePageHasTheAddressesThatBrowsersCanOpen() {
        let addresses = [
            "10.42.0.1:64453", "[fe80::1%wlan0]:64453", "192.168.1.5:64453", "[2001:db8::1]:64453", "10.42.0.1:64453",
        ]
        #expect(
            address.urls(for: addresses) == ["http://10.42.0.1:8080/secret/", "http://192.168.1.5:8080/secret/"]
        )
        #expect(address.urls(for: []).isEmpty)
        let own = WebAddress(port: 8080, path: "/secret/", host: "10.42.0.1")
        #expect(own.urls(for: ["192.168.1.5:64453", "10.42.0.1:64453"]) == ["http://10.42.0.1:8080/secret/"])
    }

    private func report(isOwnNetwork: Bool, leftOut: DisplayText? = nil, urls: [String]) -> String {
        WebPageReport(urls: urls, port: 8080, hasPersonal: false, leftOut: leftOut, isOwnNetwork: isOwnNetwork)
            .rendered(as: .text)
    }

    @Test func aNetworkOfOthersIsNoSecret() {
        let urls = address.urls(for: ["10.42.0.1:1"])
        #expect(report(isOwnNetwork: false, urls: urls).contains("not encrypted"))
        #expect(!report(isOwnNetwork: true, urls: urls).contains("not encrypted"))
        #expect(report(isOwnNetwork: true, leftOut: "notes", urls: urls).contains("Not on the page: notes"))
        #expect(report(isOwnNetwork: true, urls: []).contains("no address"))
    }

    private func download(_ number: Int, _ events: WebFile.Event...) -> WebDownload {
        let file = ShareSite.Download(number: number, client: "10.42.0.7", name: "a.mbtiles", size: 1_000_000)
        var download = WebDownload(download: file)
        for event in events { download.note(event) }
        return download
    }

    @Test func theEndOfADownloadIsTold() {
        #expect(download(1, .sent(1_000_000), .ended(isComplete: true)).state == .complete)
        #expect(download(1, .sent(500_000), .ended(isComplete: false)).state == .interrupted)
        // A part in the middle.
        #expect(download(1, .sent(500_000), .ended(isComplete: true)).state == .interrupted)
        #expect(download(1, .sent(500_000)).fraction == 0.5)
    }

    @Test func progressIsOneLine() {
        let one = [1: download(1, .sent(500_000))]
        #expect(ProgressDisplay.line([:], one, width: 79) == "10.42.0.7 downloads a.mbtiles, 1.0 MB: 50 %")
        let two = [1: download(1, .sent(500_000)), 2: download(2)]
        #expect(ProgressDisplay.line([:], two, width: 79) == "2 downloads: 50 %, 0 %")
        #expect(ProgressDisplay.line([:], [:], width: 79) == nil)
    }

    @Test func bothCodesFitASmallTerminal() throws {
        let wifi = try #require(QRCode(OwnHotspot.wifiText(ShareLinkNetwork.random())))
        let page = WebAddress(port: 65_535, path: "/" + MapSecret(length: MapSecret.shortLength).text + "/")
        let url = try #require(page.urls(for: ["192.168.100.200:1"]).first)
        let code = try #require(QRCode(url))
        #expect(wifi.size.columns + code.size.columns <= 80)
        // One row is for the captions, and one for the cursor.
        #expect(max(wifi.size.rows, code.size.rows) + 2 <= 24)
    }

    @Test(arguments: [true, false]) func theProgramIsOfferedInTheOwnNetworkOnly(isOwnNetwork: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let root = tests.deletingLastPathComponent().deletingLastPathComponent().path
            let example = root + "/Docs/example/coma-pedrosa.mbtiles"
            let id = try store.importMap(at: example, name: "Coma Pedrosa").region.id
            let name = "hikeshare_\(Software.version)_amd64.deb"
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: directory.path(name)))
            let page = WebPage(
                store: store,
                downloads: try store.downloads(
                    of: store.source(for: id),
                    fileName: { ExportFileName.stem(for: $0) },
                    includesPersonal: false
                ),
                hasPersonal: false,
                ownAddress: isOwnNetwork ? "10.42.0.1" : nil,
                program: ProgramPackage.find(in: directory.path),
                console: Console(format: .text, isQuiet: true, screen: Screen(canAsk: false, isLive: false))
            )
            let site = page.site(nil)
            let path = try #require(WebPath(site.path + "files/" + name))
            let answer = site.respond(to: WebRequest(path))
            #expect(answer.status == (isOwnNetwork ? .ok : .notFound))
            #expect(answer.file?.size == (isOwnNetwork ? 3 : nil))
            let list = site.respond(to: WebRequest(try #require(WebPath(site.path + "share.json"))))
            #expect(String(decoding: list.body, as: UTF8.self).contains(name) == isOwnNetwork)
        }
    }
}
