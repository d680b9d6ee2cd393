import Foundation
import PeerCore
import Sentences
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionStore

/// Which unfinished files `discard REGION` removes.
@Suite struct DiscardChoiceTests {
    private static let first = "52C93677-A1E3-457E-B4A3-E87F040845A4"
    private static let second = "52C93677-0000-4000-8000-000000000002"

    private static func file(_ name: String, _ id: String, _ number: UInt8) throws -> IncomingFile {
        IncomingFile(
            digest: Sample.digest(number),
            regionID: try Sample.uuid(id),
            regionName: name,
            kind: .mbtiles,
            size: 100,
            byteCount: 50,
            lastArrival: Sample.date,
            isArriving: false
        )
    }

    @Test(arguments: ["tatra", "Tatra", "52c9", "52C93677"])
    func severalRegionsAreNotDiscardedTogether(query: String) throws {
        let files = [try Self.file("Tatra", Self.first, 1), try Self.file("Tatra", Self.second, 2)]
        let error = #expect(throws: CommandError.self) { try DiscardCommand.choose(query, of: files) }
        #expect(error?.code == .ambiguous)
        #expect(error?.hints.count == 2)
    }

    /// A person types what the list shows.
    @Test(arguments: ["high tatra", "HIGH TATRA", "52C93677-A"])
    func theWholeNameOrTheStartOfTheIDIsNeeded(query: String) throws {
        let files = [try Self.file("High Tatra", Self.first, 1), try Self.file("Other", Self.second, 2)]
        #expect(try DiscardCommand.choose(query, of: files) == [files[0]])
    }

    @Test(arguments: ["high", "tatra", "TAT"]) func aPartOfTheNameIsNotEnough(query: String) throws {
        let files = [try Self.file("High Tatra", Self.first, 1), try Self.file("Other", Self.second, 2)]
        let error = #expect(throws: CommandError.self) { try DiscardCommand.choose(query, of: files) }
        #expect(error?.code == .notFound)
        #expect(error?.remedy?.typed.contains("full name") == true)
    }

    @Test func aNameIsFoundAsItIsShown() throws {
        let names = ["Alps\u{1B}[2J", String(repeating: "Long ", count: 20)]
        let files = try zip(names, [Self.first, Self.second]).map { try Self.file($0, $1, 1) }
        let lines = PlainReport.incoming(files).text.string.split(separator: "\n")
        for (line, file) in zip(lines.dropFirst(), files) {
            let shown = try #require(line.components(separatedBy: "  ").first)
            #expect(try DiscardCommand.choose(shown, of: files) == [file])
        }
    }

    @Test(arguments: ["tatra", "52C93677-A"]) func allFilesOfOneRegionAre(query: String) throws {
        let files = [
            try Self.file("Tatra", Self.first, 1), try Self.file("Tatra", Self.first, 2),
            try Self.file("Other", Self.second, 3),
        ]
        #expect(try DiscardCommand.choose(query, of: files) == Array(files.prefix(2)))
    }

    @Test(arguments: ["atra", "5", "52C93678", ""]) func whatIsNotThereIsNotFound(query: String) throws {
        let files = [try Self.file("Tatra", Self.first, 1)]
        let error = #expect(throws: CommandError.self) { try DiscardCommand.choose(query, of: files) }
        #expect(error?.code == .notFound)
    }
}
