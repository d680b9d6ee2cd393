import Foundation
import PeerTestSupport
import RegionStore
import Testing
import WebServer

@testable import MapPages

/// The example region in a store, with its pages.
struct ExampleSite {
    var store: RegionStore
    var id: UUID
    var secret = MapSecret()

    var site: MapSite { MapSite(of: store, secret: secret) }

    /// Imports the example region; `gpx` instead of its hikes, routes and waypoints.
    init(in directory: TemporaryDirectory, gpx: [String]? = nil, name: String = "Coma Pedrosa") throws {
        store = try RegionStore(path: directory.path("store"))
        id = try store.importMap(at: Self.example("coma-pedrosa.mbtiles"), name: name).region.id
        let files =
            gpx
            ?? [
                "coma-pedrosa.waypoints.gpx", "arinsal-pic-de-comapedrosa.route.gpx", "pla-de-l-estany.track.gpx",
            ].map(Self.example)
        for file in files { _ = try store.importGPX(at: file, into: id) }
    }

    /// A file of the example region.
    static func example(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/Docs/example/" + name
    }

    /// The answer to a path below the secret.
    func get(_ path: String) throws -> WebResponse {
        site.respond(to: try #require(WebPath("/\(secret.text)/" + path)))
    }

    /// The answer to a path of the region, as JSON.
    func json(_ path: String = "region.json") throws -> [String: Any] {
        let answer = try get("\(id.uuidString)/\(path)")
        #expect(answer.status == .ok && answer.contentType == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    /// Writes a GPX file.
    static func gpx(_ content: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path(UUID().uuidString + ".gpx")
        let text = #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">"# + content + "</gpx>"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}
