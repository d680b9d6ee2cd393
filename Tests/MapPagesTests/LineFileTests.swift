import Foundation
import PeerTestSupport
import RegionStore
import Testing
import WebServer

@testable import MapPages

@Suite struct LineFileTests {
    /// The addresses of the lines of a page, by their kinds.
    private static func addresses(_ data: [String: Any]) throws -> [String: String] {
        let lines = try #require(data["lines"] as? [[String: Any]])
        return Dictionary(
            lines.map { ($0["kind"] as? String ?? "", "lines/\($0["key"] as? String ?? "").gpx") },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func aLineIsAFileWithAllOfItsPoints() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let addresses = try Self.addresses(example.json())
            let hike = try #require(try example.store.hikes(of: example.id).first)
            let path = "\(example.id.uuidString)/" + (try #require(addresses["hike"]))
            let answer = try example.get(path)
            #expect(answer.contentType == "application/gpx+xml" && answer.file?.name?.hasSuffix(".gpx") == true)
            try answer.content.write(to: URL(fileURLWithPath: directory.path("hike.gpx")))
            // It is the same hike again.
            let result = try example.store.importGPX(at: directory.path("hike.gpx"), into: example.id)
            #expect(try example.store.hikes(of: example.id) == [hike], "\(result)")
            let text = String(decoding: try answer.content, as: UTF8.self)
            #expect(!text.contains("<wpt") && !text.contains("<rte>"))
        }
    }

    @Test func otherAddressesAreNotFound() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let key = try #require(try Self.addresses(example.json())["hike"])
            let id = try #require(try example.store.hikes(of: example.id).first).id.uuidString
            for path in [
                "lines/", "lines/x.gpx", "lines/.gpx", "lines/\(id).gpx", "\(key)x", "\(key)/", "\(key.dropLast(4))",
            ] {
                #expect(try example.get("\(example.id.uuidString)/\(path)").status == .notFound, "\(path)")
            }
        }
    }

    @Test(arguments: [false, true]) func onThePageForPhonesItHasWhatWasAgreed(isPersonal: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let all = try Self.addresses(example.json())
            let (hike, route) = (try #require(all["hike"]), try #require(all["planned"]))
            let page = try example.share(personal: isPersonal)
            #expect(try (page.map(hike).status == .notFound) == !isPersonal)
            let file = String(decoding: try page.map(route).content, as: UTF8.self)
            #expect(file.contains("<rtept") && file.contains("hikeshare:") == isPersonal)
            #expect(isPersonal || !file.contains("<time"))
        }
    }
}
