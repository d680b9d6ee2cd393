import Foundation
import PeerTestSupport
import RegionTestSupport
import Testing

/// A file of some hundred bytes that stands for fifty million tiles.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HugeFromSmallTests {
    /// A PMTiles archive with one run of tiles of zoom level 13.
    private static var archive: Data {
        var archive = PMTilesBytes(.init(id: 22_369_621, run: 49_999_999, length: 8))
        archive.tiles = MapMaker.png
        archive.zoomLevels = (13, 13)
        return Data(archive.bytes)
    }

    /// What it takes is said before anything is done, and a request to stop leaves nothing.
    @Test(arguments: [SIGINT, SIGTERM]) func anImportSaysWhatItTakesAndCanBeStopped(signal: Int32) async throws {
        try await TemporaryDirectory.with { directory in
            try Self.archive.write(to: URL(fileURLWithPath: directory.path("huge.pmtiles")))
            let laptop = Laptop(store: directory.path("store"))
            try await laptop.start(["import", directory.path("huge.pmtiles")]) { child in
                _ = try await child.waitForErrorOutput { $0.contains("up to 49999999 tiles") }
                _ = try await child.waitForErrorOutput { $0.contains("% of 49999999 tiles") }
                let memory = try child.peakMemory()
                #expect(memory < 256_000, "\(memory) KiB")
                child.kill(signal)
                let ending = await child.ending()
                #expect(ending.code == 130, "\(ending)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: laptop.store + "/work")
            #expect(left.isEmpty, "\(left)")
            #expect(try await laptop.must("list").lines("region").isEmpty)
        }
    }

    /// A person at a terminal is asked, because the map is so much larger than the file.
    @Test func aPersonIsAskedFirst() async throws {
        try await TemporaryDirectory.with { directory in
            try Self.archive.write(to: URL(fileURLWithPath: directory.path("huge.pmtiles")))
            let laptop = Laptop(store: directory.path("store"))
            let command = ["import", directory.path("huge.pmtiles"), "--unsigned"]
            try await laptop.inTerminal(command, columns: 400, rows: 40) { terminal in
                try await terminal.wait { $0.contains("up to 49999999 tiles") && $0.hasSuffix("Import it? [y/N] ") }
                #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.store + "/work").isEmpty)
                try terminal.type("n\r")
                #expect(await terminal.child.waitForExit() == .exited(0))
            }
            #expect(try await laptop.must("list").lines("region").isEmpty)
        }
    }

    /// Nothing of an upload is converted before a person has agreed to that; meanwhile files of other phones are taken.
    @Test func anUploadIsAskedAboutBeforeItIsConverted() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            try await UploadTests.send(on: laptop) { terminal, url in
                let phone = PhoneUpload(Self.archive, as: "huge.pmtiles", to: url, from: "127.0.0.2")
                try await phone.send(directory)
                try await terminal.wait {
                    $0.contains("has sent “huge.pmtiles”, ") && $0.contains("up to 49999999 tiles")
                        && $0.hasSuffix("You are asked again before it is added. [y/N] ")
                }
                let work = try FileManager.default.contentsOfDirectory(atPath: laptop.store + "/work")
                #expect(!work.contains { $0.hasPrefix("import-") }, "\(work)")
                try terminal.type("y\r")
                try await terminal.wait {
                    $0.contains("Examining “huge.pmtiles”") && $0.contains("% of 49999999 tiles")
                }
                let other = PhoneUpload(Data(UploadTests.gpx.utf8), as: "p.gpx", to: url, from: "127.0.0.3")
                try await other.send(directory)
                try await terminal.wait { $0.contains("From a phone") && $0.hasSuffix("[y/N] ") }
                try terminal.type("y\r")
                #expect(try await other.result()["state"]?.string == "added")
                #expect(try await phone.state()["state"]?.string == "waiting")
                let memory = try terminal.child.peakMemory()
                #expect(memory < Laptop.memoryBound, "\(memory) KiB")
                try terminal.type("\u{3}")
                _ = await terminal.child.waitForExit()
                let left = try FileManager.default.contentsOfDirectory(atPath: laptop.store + "/work")
                #expect(left.isEmpty, "\(left)")
            }
        }
    }
}
