import Foundation
import Testing

/// SQLite files of others are opened in one place, with its limits: no other code opens a database that could be one.
@Suite struct DatabaseDoorTests {
    /// What opens a database or runs statements.
    private static let marks = [
        "sqlite3_open", "sqlite3_prepare", "sqlite3_exec", "sqlite3_backup_init", "DatabaseQueue(", "DatabasePool(",
        "ATTACH ",
    ]

    /// The places that may, and why.
    private static let allowed: [String: (marks: Set<String>, reason: String)] = [
        "MapFiles/Untrusted/UntrustedDatabase.swift": (["sqlite3_open", "sqlite3_prepare"], "the guarded door"),
        "MapFiles/Writers/OsmAndMap.swift": (["DatabaseQueue("], "an empty file that this process has made"),
        "RegionStore/Database/StoreDatabase.swift": (["DatabaseQueue(", "DatabasePool("], "the store's own database"),
        "RegionStore/Import/Databases/DatabaseSnapshot.swift": (
            ["sqlite3_open", "sqlite3_backup_init"], "copies pages to an empty file; no statement runs there"
        ),
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources/"
    ).standardizedFileURL.path

    @Test func onlyTheseOpenDatabases() throws {
        var found: [String: Set<String>] = [:]
        let files = try #require(FileManager.default.enumerator(atPath: Self.sources))
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Self.sources + "/" + file, encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            for mark in Self.marks where code.contains(where: { $0.contains(mark) }) {
                found[file, default: []].insert(mark)
            }
        }
        #expect(found == Self.allowed.mapValues(\.marks))
    }
}
