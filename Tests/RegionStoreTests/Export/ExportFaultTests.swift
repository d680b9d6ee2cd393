import FaultInjection
import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// What an export that goes wrong leaves, and what one that went well has put on the disk.
@Suite struct ExportFaultTests {
    @Test(arguments: [ENOSPC, EIO]) func anExportThatFailsLeavesNothing(number: CInt) async throws {
        try await TemporaryDirectory.with { directory in
            let error = try #require(throws: RegionStoreError.self) {
                try FileExport.write(to: directory.path("a.gpx")) { (file) throws(SystemError) in
                    try file.write([1, 2, 3])
                    throw SystemError(number: number)
                }
            }
            #expect(error.code == .storage)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }

    /// A region may be removed as soon as its file is there.
    @Test func aFileIsOnTheDiskBeforeItHasItsName() async throws {
        try await TemporaryDirectory.with { directory in
            let recorder = StepRecorder(in: directory.path)
            try FileExport.write(to: directory.path("a.gpx"), recorder) { (file) throws(SystemError) in
                try file.write([1, 2, 3])
            }
            let operations = recorder.steps.compactMap { step -> FileOperation? in
                guard case .file(let operation, _) = step else { return nil }
                return [.write, .synchronize, .link, .rename].contains(operation) ? operation : nil
            }
            #expect(operations == [.write, .synchronize, .link, .synchronize])
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("a.gpx"))) == Data([1, 2, 3]))
        }
    }

    /// Somebody saves a file under the same name while the export is at work.
    @Test func aFileThatAppearsMeanwhileIsKept() async throws {
        try await TemporaryDirectory.with { directory in
            let other = URL(fileURLWithPath: directory.path("a.gpx"))
            let error = try #require(throws: RegionStoreError.self) {
                try FileExport.write(to: other.path) { (file) throws(SystemError) in
                    try file.write([1, 2, 3])
                    #expect(throws: Never.self) { try Data([9]).write(to: other) }
                }
            }
            #expect(error.code == .conflict)
            #expect(try Data(contentsOf: other) == Data([9]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.gpx"])
        }
    }

    /// What is not the map that was imported is not passed off as it.
    @Test func aMapThatWasCutShortIsNotExported() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let digest = region.mapDigest.hex
            let path = "\(store.path)/regions/\(region.id.uuidString)/\(digest).mbtiles"
            #expect(truncate(path, 4096) == 0)
            let error = try #require(throws: RegionStoreError.self) {
                try store.exportMap(of: region.id, to: directory.path("out.mbtiles"))
            }
            #expect(error.code == .storage)
            // It is found before anything is copied: a file system that shares blocks would copy what is left.
            #expect(error.remedy == "Import it again to restore the file.")
            #expect(!FileManager.default.fileExists(atPath: directory.path("out.mbtiles")))
        }
    }
}
