import Dispatch
import Foundation
import NIOCore
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow
@testable import WebServer

/// Files of regions that a person wants in the window.
@Suite struct WindowExportsTests {
    /// Begins to make a file, and returns its id.
    private static func begin(_ here: WindowSite, _ kind: String, _ options: String = "") throws -> String {
        let answer = try here.post("export", #"{"region":"\#(here.region.uuidString)","kind":"\#(kind)"\#(options)}"#)
        try #require(answer.status == .ok, "\(answer.words)")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: String]
        return try #require(object?["export"])
    }

    /// Waits until a file is there or cannot be made.
    private static func made(_ here: WindowSite, _ id: String) async throws -> [String: Any] {
        while true {
            let state = try here.json("export/" + id)
            if state["size"] != nil || state["problem"] != nil { return state }
            await Task.yield()
        }
    }

    /// Loads a file, as a browser does.
    private static func bytes(_ here: WindowSite, _ id: String, _ path: String) throws -> [UInt8] {
        let answer = try here.get("export/\(id)/\(path)")
        let file = try #require(answer.file)
        return try file.handle.withUnsafeFileDescriptor { descriptor in
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try handle.seek(toOffset: file.start)
            return Array(try handle.readToEnd() ?? Data())
        }
    }

    /// Runs a test while files are made.
    private static func with(
        _ body: @escaping @Sendable (WindowSite) async throws -> Void
    ) async throws {
        try await WindowSite.with(hasItems: true) { (here: WindowSite) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await here.desk.run(endsWithPages: false) }
                try await body(here)
                here.window.close()
                try await group.waitForAll()
            }
            #expect(here.desk.exports.count == 0)
            // Nothing is left in the store.
            let work = try FileManager.default.subpathsOfDirectory(atPath: here.store.path)
            #expect(!work.contains { $0.contains("source-") || $0.contains("osmand-") }, "\(work)")
        }
    }

    @Test(
        arguments: [
            ("gpx", "<?xml", "Coma-Pedrosa.gpx"), ("zip", "PK", "Coma-Pedrosa.zip"),
            ("mbtiles", "SQLite format 3", "Coma-Pedrosa.mbtiles"),
            ("sqlitedb", "SQLite format 3", "Coma-Pedrosa.sqlitedb"), ("html", "<!doctype html>", "Coma-Pedrosa.html"),
        ]
    )
    func aFileIsMadeAndLoaded(kind: String, start: String, name: String) async throws {
        try await Self.with { here in
            let id = try Self.begin(here, kind)
            let state = try await Self.made(here, id)
            #expect(state["name"] as? String == name && state["problem"] == nil, "\(state)")
            let bytes = try Self.bytes(here, id, name)
            #expect(bytes.count == state["size"] as? Int)
            #expect(bytes.starts(with: Array(start.utf8)))
            #expect(try here.get("export/\(id)/other.\(kind)").status == .notFound)
            #expect(try here.post("end-export", #"{"export":"\#(id)"}"#).status == .ok)
            #expect(try here.get("export/" + id).status == .notFound)
            #expect(try here.get("export/\(id)/\(name)").status == .notFound)
        }
    }

    @Test func whatConcernsAPersonIsLeftOut() async throws {
        try await Self.with { here in
            let hike = try #require(try here.store.items(.hike, of: here.region).first)
            for (options, isThere) in [("", true), (#","withoutPersonal":true"#, false)] {
                let id = try Self.begin(here, "gpx", options)
                _ = try await Self.made(here, id)
                let text = String(decoding: try Self.bytes(here, id, "Coma-Pedrosa.gpx"), as: UTF8.self)
                #expect(text.contains("<trk>") == isThere, "\(hike.name)")
                #expect(text.contains("<time>") == isThere)
                #expect(text.contains("<wpt"))
            }
        }
    }

    @Test func aFileThatCannotBeMadeHasItsWords() async throws {
        try await Self.with { here in
            // This machine of a test has nothing that draws sheets.
            let id = try Self.begin(here, "pdf")
            let state = try await Self.made(here, id)
            #expect(state["problem"] as? String == "This program cannot draw sheets of paper.")
            #expect(try here.get("export/\(id)/Coma-Pedrosa.pdf").status == .notFound)
            let foreign = try Self.begin(here, "foreign")
            #expect(try await Self.made(here, foreign)["problem"] as? String == "This file would have nothing in it.")
            let gone = try Self.begin(here, "gpx")
            _ = try await Self.made(here, gone)
            #expect(try here.post("export", #"{"region":"\#(UUID().uuidString)","kind":"gpx"}"#).status == .notFound)
            #expect(
                try here.post("export", #"{"region":"\#(here.region.uuidString)","kind":"exe"}"#).status == .badRequest
            )
        }
    }

    @Test func thereAreNotTooMany() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            for _ in 0..<8 { _ = try Self.begin(here, "gpx") }
            let content = #"{"region":"\#(here.region.uuidString)","kind":"gpx"}"#
            #expect(try here.post("export", content).status == .conflict)
            // A page that is open asks for its files; those of a page that was closed are forgotten.
            here.desk.exports.forgetOld(at: .now)
            #expect(here.desk.exports.count == 8)
            here.desk.exports.forgetOld(at: .now + WindowExports.patience)
            #expect(here.desk.exports.count == 0)
            #expect(try here.post("export", content).status == .ok)
        }
    }

    /// To cut a map takes long, and cannot be stopped.
    @Test(.timeLimit(.minutes(10))) func whatWasGivenUpCountsUntilItsWorkHasEnded() async throws {
        let exports = WindowExports()
        let wish = WindowExports.Wish(region: UUID(), kind: .gpx, isPersonal: true, hasPhotoDetails: true)
        let (works, work) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await exports.run { _ in
                    work.yield()
                    end.wait()
                    throw CancellationError()
                }
            }
            // What waits goes on if the test ends early.
            defer { for _ in 0..<20 { end.signal() } }
            var begun = works.makeAsyncIterator()
            for _ in 0..<8 {
                let id = try #require(exports.begin(wish))
                await begun.next()
                exports.end(id)
            }
            #expect(exports.count == 0 && exports.begin(wish) == nil)
            end.signal()
            while exports.begin(wish) == nil { await Task.yield() }
            group.cancelAll()
        }
    }

    @Test func whatAPersonSeesBefore() async throws {
        try await WindowSite.with(hasItems: true) { (here: WindowSite) async throws in
            let care = try here.json("care/" + here.region.uuidString)
            let files = try #require(care["files"] as? [[String: Any]])
            #expect(files.compactMap { $0["kind"] as? String } == ["html", "pdf", "mbtiles", "sqlitedb", "gpx", "zip"])
            let personal = files.map { ($0["personal"] as? [String] ?? []).joined(separator: ", ") }
            #expect(personal[2].isEmpty && personal[3].isEmpty)
            #expect(personal[4].contains("1 recorded hike with times"), "\(personal)")
            #expect(care["hasPhotoDetails"] as? Bool == false)
            #expect((care["warnings"] as? [String])?.isEmpty == true)
            let text = String(decoding: try here.get("care/" + here.region.uuidString).body, as: UTF8.self)
            for word in ["hikeshare ", "--", "terminal"] { #expect(!text.contains(word), "\(text)") }
        }
    }
}
