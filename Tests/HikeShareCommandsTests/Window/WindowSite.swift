import Foundation
import PeerStorage
import PeerTestSupport
import SharingReports
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// The window of a store with the example region, as its pages use it.
struct WindowSite {
    let window = AppWindow()
    let store: RegionStore
    /// The id of the example region.
    let region: UUID
    private(set) var desk: WindowDesk
    private var site: AppWindowSite
    private let secret = MapSecret()

    /// What is around.
    var surroundings: WindowSurroundings {
        get { desk.surroundings }
        set {
            desk.surroundings = newValue
            site = Self.site(at: desk, store, secret)
        }
    }

    private static let gpxFiles = [
        "coma-pedrosa.waypoints.gpx", "arinsal-pic-de-comapedrosa.route.gpx", "pla-de-l-estany.track.gpx",
    ]

    /// Runs a test with a window.
    ///
    /// - Parameters:
    ///   - hasItems: Whether the region has its hike, its route and its 46 waypoints.
    ///   - hasRouting: Whether the region has its routing database.
    static func with(
        hasItems: Bool = false,
        hasRouting: Bool = false,
        _ surroundings: WindowSurroundings = .ofTests,
        _ body: (WindowSite) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with {
            try await body(WindowSite(in: $0, hasItems: hasItems, hasRouting: hasRouting, surroundings))
        }
    }

    init(
        in directory: TemporaryDirectory,
        hasItems: Bool = false,
        hasRouting: Bool = false,
        _ surroundings: WindowSurroundings = .ofTests
    ) throws {
        store = try RegionStore(path: directory.path("store"), application: Software.name, access: .creating)
        let map = try #require(URL(filePath: #filePath).pathComponents.firstIndex(of: "Tests")).magnitude
        let repository = URL(filePath: #filePath).pathComponents.prefix(Int(map)).joined(separator: "/").dropFirst()
        region = try store.importMap(
            at: repository + "/Docs/example/coma-pedrosa.mbtiles",
            name: "Coma Pedrosa",
            routing: hasRouting ? repository + "/Docs/example/coma-pedrosa.routing.db" : nil
        ).region.id
        for file in hasItems ? Self.gpxFiles : [] {
            _ = try store.importGPX(at: repository + "/Docs/example/" + file, into: region)
        }
        desk = WindowDesk(window: window, store: store.path, surroundings: surroundings)
        site = Self.site(at: desk, store, secret)
    }

    private static func site(at desk: WindowDesk, _ store: RegionStore, _ secret: MapSecret) -> AppWindowSite {
        let actions = WindowActions(at: desk, reading: store)
        return AppWindowSite(
            of: store,
            secret: secret,
            window: desk.window,
            actions: actions.all,
            readings: actions.readings,
            askings: actions.askings
        )
    }

    /// Sends something to an action, as a page of the window does.
    func post(_ action: String, _ content: String = "{}", type: String = "application/json") throws -> WebResponse {
        try post(action, Array(content.utf8), type: type)
    }

    func post(_ action: String, _ content: [UInt8], type: String) throws -> WebResponse {
        var request = WebRequest(try #require(WebPath("/\(secret.text)/window/\(action)")))
        (request.isFromOwnPage, request.contentType, request.contentLength) = (true, type, content.count)
        if let refusal = site.refusal(ofContentFor: request) { return refusal }
        let file = try site.contentFile()
        try file.write(content)
        request.content = file
        return site.respond(to: request)
    }

    /// Sends something to an action that waits for something.
    func post(asking action: String, _ content: String) async throws -> WebResponse {
        var request = WebRequest(try #require(WebPath("/\(secret.text)/window/\(action)")))
        (request.isFromOwnPage, request.contentType) = (true, "application/json")
        request.contentLength = content.utf8.count
        if let refusal = site.refusal(ofContentFor: request) { return refusal }
        let file = try site.contentFile()
        try file.write(Array(content.utf8))
        request.content = file
        return await site.answer(to: request)
    }

    /// Asks for something below `window/` that takes a while.
    func ask(_ path: String) async throws -> WebResponse {
        var request = WebRequest(try #require(WebPath("/\(secret.text)/window/\(path)")))
        request.isFromOwnPage = true
        return await site.answer(to: request)
    }

    /// Reads something below `window/`.
    func get(_ path: String) throws -> WebResponse {
        var request = WebRequest(try #require(WebPath("/\(secret.text)/window/\(path)")))
        request.isFromOwnPage = true
        return site.respond(to: request)
    }

    /// Reads something below `window/` as JSON.
    func json(_ path: String) throws -> [String: Any] {
        let answer = try get(path)
        try #require(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    /// What the window shows.
    func state(after number: Int = 0) throws -> [String: Any] { try json("state/\(number)") }
}

extension WebResponse {
    /// What it says.
    var words: String { String(decoding: body, as: UTF8.self) }
}
