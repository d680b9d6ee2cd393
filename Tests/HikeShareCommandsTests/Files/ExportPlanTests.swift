import FoundationEssentials
import PeerCore
import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionStore

/// The names of the files that an export writes.
@Suite struct ExportPlanTests {
    private static func photo(_ number: UInt8) throws -> Photo {
        let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-0000000000\(10 + number)"))
        return Photo(waypointID: id, modifiedAt: Sample.date, format: .jpeg, size: 1)
    }

    /// On a FAT stick, names that differ in case only are one name.
    @Test func photosOfEqualNamesGetNumbersWhateverTheirCase() throws {
        let labels = ["Hut", "hut", "Hut", "HUT-2", ""]
        let photos = try labels.enumerated().map { (photo: try Self.photo(UInt8($0)), label: $1) }
        let files = try ExportFile.plan(Sample.region(photos: 5), photos: photos, parts: [.photo], folder: "/out")
        #expect(files.count == 5)
        #expect(Set(files.map { $0.path.lowercased() }).count == 5)
        #expect(files.allSatisfy { $0.path.hasPrefix("/out/Coma-Pedrosa-") && $0.path.hasSuffix(".jpg") })
    }

    @Test func nothingIsWrittenIfAnyOfTheFilesIsThere() async throws {
        try await TemporaryDirectory.with { folder in
            let files = try ExportFile.plan(try Sample.region(), parts: [], folder: folder.path)
            #expect(files.count == 3)
            for file in files {
                try Data().write(to: URL(filePath: file.path))
                let error = #expect(throws: RegionStoreError.self) {
                    try ExportFile.checkAbsent(files)
                }
                #expect(error?.code == .conflict)
                #expect(error?.message.contains(file.path) == true)
                try FileManager.default.removeItem(atPath: file.path)
            }
        }
    }
}
