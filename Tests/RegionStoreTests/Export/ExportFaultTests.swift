import FaultInjection
import Foundation
import Glibc
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

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

    /// A process that is killed leaves nothing where the file system has files without names.
    @Test func aFileHasNoNameBeforeItIsComplete() async throws {
        try await TemporaryDirectory.with { directory in
            let hasUnnamed = try Folder(directory.path).createUnnamedFile() != nil
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
            try FileExport.write(to: directory.path("a.gpx")) { file in
                try file.write([1, 2, 3])
                #expect(try names().count == (hasUnnamed ? 0 : 1))
            }
            try FileExport.write(to: directory.path("b.gpx"), needsName: true) { file in
                try file.write([4])
                #expect(try names().contains { $0.hasPrefix(".export-") && file.path.hasSuffix($0) })
            }
            #expect(try names().sorted() == ["a.gpx", "b.gpx"])
            let mode = try FileManager.default.attributesOfItem(atPath: directory.path("a.gpx"))[.posixPermissions]
            let other = try FileManager.default.attributesOfItem(atPath: directory.path("b.gpx"))[.posixPermissions]
            #expect(mode as? Int == other as? Int)
        }
    }

    /// On a stick with FAT, there are no links.
    @Test func aFileGetsItsNameWithoutLinks() async throws {
        try await TemporaryDirectory.with { directory in
            let recorder = StepRecorder(in: directory.path, hasLinks: false)
            try FileExport.write(to: directory.path("a.gpx"), recorder) { try $0.write([1, 2, 3]) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("a.gpx"))) == Data([1, 2, 3]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.gpx"])
        }
    }

    /// The disk has changed some bytes, and nothing else shows it.
    @Test(arguments: [false, true]) func aDamagedMapIsNotExportedAndComesBackByAnImport(isOpened: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let path = "\(store.path)/regions/\(region.id.uuidString)/\(region.mapDigest.hex).mbtiles"
            let file = try OpenFile(path, O_RDWR)
            try file.write([UInt8](repeating: 0, count: 100), at: 8192)
            func export() throws {
                if isOpened {
                    _ = try store.updateDesktopFolder(of: region.id, named: "a", in: directory.path("open"))
                } else {
                    try store.exportMap(of: region.id, to: directory.path("out.mbtiles"))
                }
            }
            let error = try #require(throws: RegionStoreError.self) { try export() }
            // A map program needs more of the map, so there the damage may be found before the file is copied.
            #expect(isOpened || error.code == .storage && error.message.contains("is damaged"), "\(error)")
            #expect(error.remedy != nil)
            #expect(isOpened || error.remedy == "Import it again to restore the file.")
            #expect(!FileManager.default.fileExists(atPath: directory.path("out.mbtiles")))
            // The remedy helps.
            #expect(try !store.importMap(at: directory.path("a.mbtiles")).isNew)
            try export()
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

    /// Changes the store once, while a file is written.
    private final class Intruder: StoreFaultInjector {
        private let suffix: String
        private let change: Locked<(@Sendable () -> Void)?>

        init(writing suffix: String, _ change: @escaping @Sendable () -> Void) {
            self.suffix = suffix
            self.change = Locked(change)
        }

        func reach(_ point: FaultPoint) {}

        func begin(_ operation: FileOperation, _ path: String, count: Int) -> Int {
            guard operation == .link, path.hasSuffix(suffix) else { return count }
            let change = self.change.withLock { change in
                defer { change = nil }
                return change
            }
            change?()
            return count
        }

        func end(_ operation: FileOperation, _ path: String) {}
    }

    /// Writing a map takes minutes.
    @Test func whatExistsIsSeenBeforeAnythingIsWritten() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("there")
            try Data("mine".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: RegionStoreError.self) {
                try NewFile.write(to: path) { _ in Issue.record("It was written.") }
            }
            #expect(error?.code == .conflict)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        }
    }

    /// Nothing but its name changes, so the file lacks nothing; but a person has agreed to remove something else.
    @Test func aRegionThatIsRenamedWhileTheFileIsWrittenIsNotRemoved() async throws {
        try await TemporaryDirectory.with { directory in
            let (first, region) = try RegionStoreTests.store(in: directory)
            try first.add([Items.waypoint(label: "There")], to: region.id)
            let path = first.path
            let intruder = Intruder(writing: "/out.gpx") {
                #expect(throws: Never.self) { try RegionStore(path: path).rename(region.id, to: "Elsewhere") }
            }
            let store = try RegionStore(path: path, faults: intruder)
            let error = try #require(throws: RegionStoreError.self) {
                try store.remove(region.id, exportingItemsTo: directory.path("out.gpx"))
            }
            #expect(error.code == .conflict && error.message.contains("changed in the meantime"), "\(error.message)")
            #expect(!FileManager.default.fileExists(atPath: directory.path("out.gpx")))
            #expect(try store.regions().map(\.name) == ["Elsewhere"])
        }
    }

    @Test func theSpaceOfRemovedItemsIsGivenBack() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let note = String(repeating: "All of this is a note. ", count: 200)
            try store.add((0..<500).map { try Items.waypoint(label: "\($0)", note: note) }, to: region.id)
            func size() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: store.path).filter { $0.contains(".sqlite") }
                    .reduce(0) { sum, name in
                        let values = try FileManager.default.attributesOfItem(atPath: store.path + "/" + name)
                        return sum + (values[.size] as? Int ?? 0)
                    }
            }
            #expect(try size() > 2_000_000)
            try store.remove(region.id)
            #expect(try size() < 500_000)
        }
    }

    /// Other processes write to the store while a region is exported and removed.
    @Test(arguments: [false, true]) func whatComesWhileTheFileIsWrittenIsNotRemoved(isOfTheRegion: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let (first, region) = try RegionStoreTests.store(in: directory)
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            let other = try first.importMap(at: directory.path("b.mbtiles")).region
            let waypoint = try Items.waypoint(label: "There")
            try first.add([waypoint], to: region.id)
            let path = first.path
            let failures = Locked<[any Error]>([])
            let intruder = Intruder(writing: "/out.gpx") {
                do {
                    let store = try RegionStore(path: path)
                    // The number of items stays the same.
                    var edited = waypoint
                    edited.note = "closed"
                    edited.modifiedAt = .now
                    if isOfTheRegion { try store.add([edited], to: region.id) }
                    try store.rename(other.id, to: "Elsewhere")
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
            let store = try RegionStore(path: path, faults: intruder)
            let out = directory.path("out.gpx")
            if isOfTheRegion {
                let error = try #require(throws: RegionStoreError.self) {
                    try store.remove(region.id, exportingItemsTo: out)
                }
                #expect(error.code == .conflict)
                #expect(error.message.contains("changed in the meantime"), "\(error.message)")
                #expect(!FileManager.default.fileExists(atPath: out))
                #expect(try store.waypoints(of: region.id).map(\.note) == ["closed"])
            } else {
                #expect(try store.remove(region.id, exportingItemsTo: out).waypoints == 1)
                #expect(try TrackFileReader().read(contentsOf: out).waypoints.map(\.label) == ["There"])
            }
            #expect(failures.value.isEmpty, "\(failures.value)")
            #expect(try store.regions().contains { $0.name == "Elsewhere" })
        }
    }
}
