import Foundation
import Testing

/// Holds the glossary against itself and against the code.
@Suite struct GlossaryTests {
    private static let pages = Repository.root + "/Sources/PeerProtocol/PeerProtocol.docc"

    private struct Row {
        var word: String
        var meaning: String
        var places: String
    }

    private static func rows() throws -> [Row] {
        try String(contentsOfFile: pages + "/Glossary.md", encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 5, cells[1] != "Word", !cells[1].hasPrefix("-") else { return nil }
            return Row(word: cells[1], meaning: cells[2], places: cells[3])
        }
    }

    /// Every second part of a text that is cut at a mark, such as the code between backticks.
    private static func parts(of text: String, between mark: Character) -> [String] {
        text.split(separator: mark, omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    @Test func noWordIsDefinedTwice() throws {
        let rows = try Self.rows()
        try #require(rows.count > 40, "\(rows.count) rows were read")
        let words = rows.map(\.word) + rows.flatMap { Self.parts(of: $0.meaning, between: "*") }
        let twice = Dictionary(grouping: words) { $0.lowercased() }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty, "\(twice.sorted())")
    }

    @Test func everyNameIsThatOfATypeOrAPage() throws {
        let types = try Self.types()
        for row in try Self.rows() {
            let names = Self.parts(of: row.places.replacing("``", with: "`"), between: "`")
            let links = row.places.split(separator: "<doc:", omittingEmptySubsequences: false).dropFirst()
            let pages = links.map { $0.prefix { $0 != ">" && $0 != "#" } }
            #expect(!names.isEmpty || !pages.isEmpty, "\(row.word) is defined nowhere")
            for name in names {
                // A nested type is named with its owner.
                let type = name.split(whereSeparator: { $0 == "/" || $0 == "." }).last.map(String.init) ?? name
                #expect(types.contains(type), "\(row.word): there is no type \(name)")
            }
            for page in pages {
                let path = "\(Self.pages)/\(page).md"
                #expect(FileManager.default.fileExists(atPath: path), "\(row.word): there is no page \(page)")
            }
        }
    }

    /// The names of all types in Sources.
    private static func types() throws -> Set<String> {
        let folder = Repository.root + "/Sources"
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var types: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            for line in try String(contentsOfFile: folder + "/" + path, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count else {
                    continue
                }
                types.insert(String(words[kind + 1].prefix { $0.isLetter || $0.isNumber }))
            }
        }
        return types
    }
}
