import Foundation
import Testing

/// Holds the attacks in Docs/Threats.md against their tests, which Tests/Attacks.md names.
@Suite struct ThreatTableTests {
    private struct Row {
        /// A number, or one with the letter of its section.
        var number: String
        var answer: String
        var tests: [String]
    }

    private static func rows() throws -> [Row] {
        let tests = try tests()
        return try Repository.text("Docs/Threats.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 5, isNumber(cells[1]) else { return nil }
            return Row(number: cells[1], answer: cells[3], tests: tests[cells[1]] ?? [])
        }
    }

    /// The tests of each attack.
    private static func tests() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        var number = ""
        for line in try Repository.text("Tests/Attacks.md").split(separator: "\n") {
            if line.hasPrefix("- ") {
                number = String(line.dropFirst(2).prefix { $0 != ":" })
                try #require(found.updateValue([], forKey: number) == nil, "attack \(number) is there twice")
            } else if line.hasPrefix("  - ") {
                found[number, default: []].append(line.dropFirst(4).trimmingCharacters(in: ["`"]))
            }
        }
        return found
    }

    private static func isNumber(_ cell: String) -> Bool {
        Int(cell) != nil || (["T", "W"].contains(cell.prefix(1)) && Int(cell.dropFirst()) != nil)
    }

    @Test func everyAttackHasAnAnswerAndATest() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.number) == (1...47).map { "\($0)" } + (1...14).map { "T\($0)" } + (1...24).map { "W\($0)" })
        for row in rows {
            #expect(row.answer.count > 20, "attack \(row.number)")
            // T14 is visible to anyone who listens, and not answered.
            #expect(row.tests.isEmpty == (row.number == "T14"), "attack \(row.number)")
        }
    }

    @Test func everyTestThatIsNamedExists() throws {
        var sources: [String: String] = [:]
        for row in try Self.rows() {
            for test in row.tests {
                let parts = test.split(whereSeparator: { $0 == "." || $0 == "/" }).map(String.init)
                try #require(parts.count == 3, "\(test)")
                let source = try sources[parts[0]] ?? Self.source(of: parts[0])
                sources[parts[0]] = source
                let hasSuite = ["struct \(parts[1]) {", "struct \(parts[1]): "].contains(where: source.contains)
                #expect(hasSuite, "attack \(row.number): there is no suite \(test)")
                #expect(source.contains(" func \(parts[2])("), "attack \(row.number): there is no test \(test)")
            }
        }
    }

    /// All the code of a test module, which may be in a package of its own below Tests.
    private static func source(of module: String) throws -> String {
        let folders = ["Tests/", "Tests/Fuzzing/", "Tests/Simulation/"].map { $0 + module }
        let folder = try #require(folders.first(where: Repository.exists))
        return try Repository.code(below: folder)
    }
}
