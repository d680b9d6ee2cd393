import Foundation
import NIOCore
import PeerProtocol
import PeerStorage
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages
@testable import WebServer

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
    func get(_ path: String, takesGzip: Bool = false) throws -> WebResponse {
        let path = try #require(WebPath("/\(secret.text)/" + path))
        return site.respond(to: WebRequest(path, takesGzip: takesGzip))
    }

    /// The page for phones of what a sender offers of the region.
    func share(_ kinds: Set<ResourceKind>? = nil, personal: Bool) throws -> SharePage {
        let source = try store.source(for: id, kinds: kinds)
        let downloads = try store.downloads(
            of: source,
            fileName: { $0.replacing(" ", with: "-") },
            includesPersonal: personal,
            makers: ShareFiles.makers(for: source.region) { description, makeFile, _ in
                let sheet = try makeFile()
                var length: UInt64 = 0
                try MapSheet(describedIn: description).write { piece in
                    try sheet.write(piece, at: length)
                    length += UInt64(piece.count)
                }
                return sheet
            }
        )
        return SharePage(id: id, downloads: downloads)
    }

    /// The answer to a path of the region, as JSON.
    func json(_ path: String = "region.json") throws -> [String: Any] {
        let answer = try get("\(id.uuidString)/\(path)")
        #expect(answer.status == .ok && answer.contentType == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: try answer.content) as? [String: Any])
    }

    /// Writes a GPX file.
    static func gpx(_ content: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path(UUID().uuidString + ".gpx")
        let text = #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">"# + content + "</gpx>"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// The page for phones of a region.
struct SharePage {
    var id: UUID
    var downloads: RegionDownloads
    var site: ShareSite

    init(id: UUID, downloads: RegionDownloads, program: ShareSite.Program? = nil, uploads: UploadQueue? = nil) {
        self.id = id
        self.downloads = downloads
        site = ShareSite(downloads, secret: MapSecret(length: MapSecret.shortLength))
        (site.program, site.uploads, site.hasPersonal) = (program, uploads, downloads.includesPersonal)
    }

    /// The answer to a path below the secret.
    func get(_ path: String) throws -> WebResponse {
        site.respond(to: WebRequest(try #require(WebPath(site.path + path))))
    }

    /// The answer to a path of the region.
    func map(_ path: String) throws -> WebResponse { try get("\(id.uuidString)/\(path)") }

    /// The text of a file.
    func text(_ kind: DownloadKind) throws -> String {
        let answer = try get("files/Coma-Pedrosa.\(kind.rawValue)")
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return String(decoding: try answer.content, as: UTF8.self)
    }
}

extension WebResponse {
    /// The content, also that of a file.
    var content: Data {
        get throws {
            guard let file else { return Data(body) }
            return try file.handle.withUnsafeFileDescriptor { descriptor in
                var bytes = [UInt8](repeating: 0, count: Int(file.size))
                let count = pread(descriptor, &bytes, bytes.count, off_t(file.start))
                try #require(count == bytes.count)
                return Data(bytes)
            }
        }
    }
}
