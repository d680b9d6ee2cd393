import FoundationEssentials
import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct FileTests {
    @Test(
        arguments: [
            ("Coma Pedrosa", "Coma-Pedrosa"), ("../../etc/passwd", "etc-passwd"), ("/", "region"), ("", "region"),
            (".hidden", "hidden"), ("..", "region"), ("a/b\\c:d*e?f", "a-b-c-d-e-f"), ("a\u{0}b\nc", "a-b-c"),
            ("x\u{202E}gpx.exe", "x-gpx.exe"), ("con", "region-con"), ("NUL.txt", "region-NUL.txt"),
            ("Pic d'Arcalís", "Pic-d-Arcalís"), ("日本アルプス", "日本アルプス"), ("--rf", "rf"), ("v1.2", "v1.2"),
            ("a   b", "a-b"), ("~root", "root"), ("$(reboot)", "reboot"),
        ]
    )
    func makesSafeFileNames(name: String, stem: String) {
        #expect(ExportFileName.stem(for: name) == stem)
    }

    @Test func boundsFileNames() {
        let stem = ExportFileName.stem(for: String(repeating: "é", count: 500))
        #expect(stem.utf8.count == 100)
        #expect(ExportFileName.stem(for: "e" + String(repeating: "\u{301}", count: 9000)) == "region")
    }

    @Test(
        arguments: [
            (Array("SQLite format 3\0more".utf8), .map), (Array("PMTiles\u{3}".utf8), .map),
            (Array("SQLite format 3\0CREATE TABLE routing_nodes".utf8), .routing),
            (Array("<?xml version".utf8), .tracks),
            ([0xEF, 0xBB, 0xBF] + Array("\n <gpx".utf8), .tracks), ([0xFF, 0xFE, 0x3C, 0x00], .tracks),
            ([0xFE, 0xFF, 0x00, 0x3C], .tracks), (Array("SQLite format 4".utf8), nil), (Array("hello".utf8), nil),
            ([], nil), ([0x20, 0x20], nil),
        ] as [([UInt8], ImportKind?)]
    )
    func tellsFilesByWhatIsInThem(bytes: [UInt8], kind: ImportKind?) {
        #expect(ImportKind(beginning: bytes) == kind)
    }

    @Test func refusesFilesOfNoKnownKind() async throws {
        try await TemporaryDirectory.with { folder in
            let path = folder.path + "/map.mbtiles"
            try Data("hello".utf8).write(to: URL(filePath: path))
            #expect(throws: RegionStoreError.self) { try InputFile(lookingAt: path) }
            try Data().write(to: URL(filePath: path))
            #expect(throws: RegionStoreError.self) { try InputFile(lookingAt: path) }
            #expect(throws: RegionStoreError.self) { try InputFile(lookingAt: folder.path) }
            #expect(throws: RegionStoreError.self) { try InputFile(lookingAt: path + ".none") }
            try Data("<gpx/>".utf8).write(to: URL(filePath: path))
            #expect(try InputFile(lookingAt: path).kind == .tracks)
        }
    }

    @Test func plansAnExportOfEverythingThatIsThere() throws {
        let all = try ExportFile.plan(try Sample.region(), parts: [], folder: "/maps/")
        #expect(
            all.map(\.path)
                == ["/maps/Coma-Pedrosa.mbtiles", "/maps/Coma-Pedrosa.routing.db", "/maps/Coma-Pedrosa.gpx"]
        )
        let bare = try Sample.region(routingSize: nil, hikes: 0, plannedRoutes: 0, waypoints: 0)
        #expect(try ExportFile.plan(bare, parts: [], folder: ".").map(\.path) == ["./Coma-Pedrosa.mbtiles"])
        #expect(try ExportFile.plan(try Sample.region(), parts: [.gpx], folder: ".").map(\.part) == [.gpx])
    }

    @Test(arguments: [ExportFile.Part.routing, .gpx])
    func refusesToExportWhatIsNotThere(part: ExportFile.Part) throws {
        let bare = try Sample.region(routingSize: nil, hikes: 0, plannedRoutes: 0, waypoints: 0)
        #expect(throws: RegionStoreError.self) { try ExportFile.plan(bare, parts: [part], folder: ".") }
    }

    @Test func overwritesNothing() async throws {
        try await TemporaryDirectory.with { folder in
            let files = try ExportFile.plan(try Sample.region(), parts: [], folder: folder.path)
            try ExportFile.checkAbsent(files)
            try Data().write(to: URL(filePath: files[2].path))
            #expect {
                try ExportFile.checkAbsent(files)
            } throws: { error in
                (error as? RegionStoreError)?.message.contains(files[2].path) == true
            }
        }
    }

    @Test func theFolderOfAnExportIsMade() async throws {
        try await TemporaryDirectory.with { folder in
            #expect(try ExportFile.makeFolder(folder.path("new")))
            #expect(try !ExportFile.makeFolder(folder.path("new")))
            // A mistyped path does not become a tree of folders.
            let error = #expect(throws: RegionStoreError.self) { try ExportFile.makeFolder(folder.path("none/new")) }
            #expect(error?.remedy?.contains("Create the folder that contains it") == true)
            try Data().write(to: URL(filePath: folder.path("file")))
            #expect(throws: RegionStoreError.self) { try ExportFile.makeFolder(folder.path("file")) }
        }
    }

    @Test func aFileThatCannotBeImportedDoesNotAffectTheOthers() async throws {
        try await TemporaryDirectory.with { folder in
            for (name, text) in [("a.gpx", "<gpx/>"), ("bad.gpx", "PK"), ("b.gpx", "<gpx/>")] {
                try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
            }
            var errors: [any Error] = []
            let paths = ["a.gpx", "bad.gpx", "none.gpx", "b.gpx"].map { folder.path($0) }
            let files = try InputFile.all(paths, arguments: []) { errors.append($1) }
            #expect(files.map(\.path) == [paths[0], paths[3]])
            #expect(errors.count == 2)
            // The files of a folder may be anything.
            let all = try InputFile.all([folder.path], arguments: [])
            #expect(all.map(\.kind) == [.tracks, .tracks, .other] && all[2].path == paths[1])
        }
    }
}
