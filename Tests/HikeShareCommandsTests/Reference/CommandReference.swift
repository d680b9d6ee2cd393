import Foundation
import SharingReports

/// What the pages of the command line and of JSON say of JSON and of codes, as tests compare it with the code.
struct CommandReference {
    /// A row of the table of JSON types.
    struct JSONRow {
        var types: [String]
        var fields: String
    }

    private let lines: [Substring]

    /// Reads the pages.
    init() throws {
        lines = try ["CLI", "JSON"].flatMap { name in
            try String(contentsOf: Self.root.appending(path: "Docs/\(name).md"), encoding: .utf8).split(separator: "\n")
        }
    }

    /// The repository.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The cells of the rows of a table, given by the beginning of its first line.
    func rows(below head: String) -> [[String]] {
        lines.drop { !$0.hasPrefix(head) }.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst().replacing("\\|", with: "/").split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// The words between backticks.
    static func words(in text: String) -> [String] {
        text.matches(of: /`(\w+)`/).map { String($0.1) }
    }

    /// The fields of each JSON type.
    ///
    /// What stands in parentheses explains a field. “As `x`” at the beginning takes over the fields of another type.
    func fields() throws -> [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        for row in rows(below: "| type | written by |") {
            guard row.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
            var text = row[2]
            while let inner = text.firstRange(of: /\([^()]*\)/) { text.removeSubrange(inner) }
            var found: Set<String> = []
            if let other = text.prefixMatch(of: /as `(\w+)`/) {
                found = fields[String(other.1)] ?? []
                text.removeSubrange(other.range)
            }
            found.formUnion(Self.words(in: text))
            for type in Self.words(in: row[0]) { fields[type] = found }
        }
        return fields
    }
}

/// The objects of the JSON output, as the source files write them.
enum JSONSources {
    /// Fields that only phones have.
    private static let ofPhones: Set = ["alias", "confirmedAt"]

    /// The types whose name is not a literal, by the file, with the fields that each of them never has.
    private static let named: [String: [String: Set<String>]] = [
        "PlainReport+Peers.swift": [
            "trustedPeer": ofPhones.union(["formerName"]), "trusted": ofPhones.union(["formerName"]),
            "forgotten": ofPhones.union(["formerName"]), "renamed": ofPhones,
            "phone": ["formerName", "pinnedAt"], "forgottenPhone": ["formerName", "pinnedAt"],
        ],
        "ProblemReport.swift": ["error": [], "warning": ["exitCode"]],
        "PlainReport+Edits.swift": ["removedItem": ["formerName"], "renamedItem": []],
        "PlainReport+Regions.swift": ["incoming": [], "kept": [], "discarded": []],
    ]

    /// The files with fields that several types have, without a type of their own.
    private static let shared = ["Words/MapChange+Words.swift": ["importedMap", "offer", "received"]]

    /// The types that have the fields of the literals without a type in a file.
    private static let extended = [
        "PlainReport+Maps.swift": ["exported"], "SentReport.swift": ["sent", "notSent", "unconfirmed"],
    ]

    /// The fields of each type.
    static func fields() throws -> [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        let folder = CommandReference.root.appending(path: "Sources/SharingReports").path
        for name in try files() {
            let text = try String(contentsOfFile: name, encoding: .utf8)
            for start in text.ranges(of: #""type":"#)
            where text[..<start.lowerBound].last?.isWhitespace ?? false || text[..<start.lowerBound].last == "[" {
                let (type, keys) = object(in: text[start.upperBound...])
                let literals = type.matches(of: /"(\w+)"/).map { String($0.1) }
                let file = String(name.split(separator: "/").last ?? "")
                let types =
                    literals.isEmpty
                    ? named[file] ?? ["?\(name)": []] : Dictionary(uniqueKeysWithValues: literals.map { ($0, []) })
                for (type, missing) in types { fields[type, default: []].formUnion(keys.subtracting(missing)) }
            }
            for type in extended[String(name.split(separator: "/").last ?? "")] ?? [] {
                for start in text.ranges(of: "let fields: JSONObject = [") {
                    let (first, others) = object(in: text[start.upperBound...])
                    let key = first.firstMatch(of: /^\s*"(\w+)":/).map { String($0.1) }
                    fields[type, default: []].formUnion(others.union(key.map { [$0] } ?? []))
                }
            }
        }
        for (name, types) in shared {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            guard let start = text.firstRange(of: /JSONObject \{\s*\[/) else { continue }
            let (first, others) = object(in: text[start.upperBound...])
            let keys = others.union(first.firstMatch(of: /"(\w+)":/).map { [String($0.1)] } ?? [])
            for type in types { fields[type, default: []].formUnion(keys) }
        }
        return fields
    }

    /// The files that write JSON.
    private static func files() throws -> [String] {
        try ["Sources/HikeShareCommands", "Sources/SharingReports"].flatMap { path in
            let folder = CommandReference.root.appending(path: path).path
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            return names.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }
    }

    /// Reads a literal behind its first key: the value of that key, and the other keys.
    private static func object(in text: Substring) -> (type: String, keys: Set<String>) {
        var (depth, isText, isEscaped) = (0, false, false)
        var entries = [""]
        scan: for character in text {
            if isText {
                if !isEscaped, character == "\"" { isText = false }
                isEscaped = !isEscaped && character == "\\"
            } else {
                switch character {
                case "\"": isText = true
                case "[", "(", "{": depth += 1
                case "]", ")", "}":
                    if depth == 0 { break scan }
                    depth -= 1
                case "," where depth == 0:
                    entries.append("")
                    continue
                default: break
                }
            }
            entries[entries.count - 1].append(character)
        }
        let keys = entries.dropFirst().compactMap { $0.firstMatch(of: /^\s*"(\w+)":/).map { String($0.1) } }
        return (entries[0], Set(keys))
    }
}
