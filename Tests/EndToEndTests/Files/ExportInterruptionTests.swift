import Foundation
import GRDB
import PeerTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// What an export leaves that is stopped before its end.
@Suite(.takingTurns) struct ExportInterruptionTests {
    /// Runs the program until a folder has an entry, then sends it a signal; returns how it ended.
    private static func stop(
        _ laptop: Laptop,
        _ arguments: [String],
        with signal: Int32,
        whenThereIs pattern: String,
        in folder: String
    ) async throws -> String {
        let script = """
            import fnmatch, os, subprocess, sys
            number, pattern, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
            program = subprocess.Popen(sys.argv[4:])
            def is_there():
                return os.path.isdir(folder) and fnmatch.filter(os.listdir(folder), pattern)
            while not is_there() and program.poll() is None: pass
            program.send_signal(number)
            print("ended", program.wait())
            """
        let command = ["-c", script, "\(signal)", pattern, folder, Place.program] + arguments
        let environment: [String: String?] = ["HIKESHARE_STORE": laptop.store, "SWIFT_BACKTRACE": "enable=no"]
        let ending = try await ChildProcess.with("/usr/bin/python3", command, environment: environment) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
        return try #require(ending.output.last, "\(ending)")
    }

    /// A laptop with a map of 65 MB and a GPX file that takes a while.
    private static func withLaptop(_ body: (Laptop, _ folder: String) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.makeLarge(directory.path("large.mbtiles"))
            let store = try RegionStore(path: laptop.store)
            let region = try store.importMap(at: directory.path("large.mbtiles")).region
            let place = try #require(Coordinate(latitude: 47.2, longitude: 11.4))
            let time = Date(timeIntervalSince1970: 1_770_307_200)
            let points = Array(repeating: TrackPoint(coordinate: place, time: time), count: 100_000)
            let track = try TrackCodec.encode(points, startTime: time)
            try store.database.write { database in
                for _ in 0..<20 {
                    let hike = SavedRoute(
                        id: UUID(),
                        name: "Hike",
                        start: place,
                        end: place,
                        startTime: time,
                        endTime: time,
                        totalDistance: 0,
                        elevationGain: 0,
                        elevationLoss: 0,
                        walkingTime: 0,
                        restingTime: 0,
                        trackData: track
                    )
                    try RegionItemRecord(regionID: region.id, item: hike).insert(database)
                }
            }
            let folder = directory.path("home")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try await body(laptop, folder)
        }
    }

    /// The map is complete, and the GPX file is not.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func nothingOfAnExportStays(signal: Int32) async throws {
        try await Self.withLaptop { laptop, folder in
            let arguments = ["export", "Great Traverse", "--to", folder + "/out"]
            let ended = try await Self.stop(
                laptop,
                arguments,
                with: signal,
                whenThereIs: "*.mbtiles",
                in: folder + "/out"
            )
            #expect(ended == "ended 130")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    /// OsmAnd's file has a name while it is written.
    @Test func nothingOfAFileForOsmAndStays() async throws {
        try await Self.withLaptop { laptop, folder in
            let arguments = ["export", "Great Traverse", "--osmand", folder + "/map.sqlitedb"]
            let ended = try await Self.stop(laptop, arguments, with: SIGINT, whenThereIs: ".export-*", in: folder)
            #expect(ended == "ended 130")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    /// The region is there as before, and the file can be written again under its name.
    @Test func aRemovalThatIsStoppedRemovesNothing() async throws {
        try await Self.withLaptop { laptop, folder in
            let before = try StoreContents(of: laptop.store)
            let arguments = ["remove", "Great Traverse", "--yes", "--export", folder + "/all.gpx"]
            let child = try await laptop.start(arguments) { child in
                // The temporary file of the GPX export is open, wherever its name is.
                let descriptors = "/proc/\(child.processID)/fd"
                func isWriting() -> Bool {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
                    return names.contains { name in
                        let target = try? FileManager.default.destinationOfSymbolicLink(
                            atPath: descriptors + "/" + name
                        )
                        return target?.hasPrefix(folder + "/") == true
                    }
                }
                while !isWriting(), FileManager.default.fileExists(atPath: descriptors) { await Task.yield() }
                child.kill(SIGTERM)
                return await child.ending()
            }
            #expect(child.code == 130, "\(child)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            #expect(try StoreContents(of: laptop.store) == before)
        }
    }
}
