import Foundation
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What an import does with the files that a person names.
@Suite struct ImportTests {
    /// Each is told once, also what was found before the import begins.
    @Test func aFileThatIsRefusedDoesNotEndTheImport() async throws {
        try await TemporaryDirectory.with { directory in
            let files = [("a.gpx", "<gpx/>"), ("b.gpx", "<gpx><wpt"), ("c.mbtiles", "hello"), ("d.txt", "hello")]
            for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: directory.path(name))) }
            let person = TestPerson()
            let read = try ImportFiles([directory.path], arguments: [], areForeign: false, person: person)
            let named = try ImportFiles([directory.path("c.mbtiles")], arguments: [], areForeign: false, person: person)
            #expect(read.refused.isEmpty && named.refused.count == 1 && named.kinds == [.map])
            let store = try RegionStore(path: directory.path("store"))
            let work = Import(read, into: store, person: person) { throw CancellationError() }
            let done = try await work.run()
            #expect(done.regions.isEmpty && done.leftOut.count == 2)
            #expect(done.refused.count == 2 && person.told.count == 3 && person.asked.isEmpty)
            for case .importing(.refused(let file)) in person.told { #expect(file.error is RegionStoreError) }
        }
    }
}
