/// File names derived from names that people or peers have chosen.
package enum ExportFileName {
    private static let maximumLength = 100

    /// Returns a name without suffix that works in any folder on any file system: letters, digits, `-`, `_` and `.`
    /// inside of it; never empty, never hidden, never a device of another system.
    package static func stem(for name: String) -> String {
        var result = ""
        for character in name {
            let kept = isKept(character) ? character : "-"
            guard result.utf8.count + String(kept).utf8.count <= maximumLength else { break }
            if kept != "-" || !result.hasSuffix("-") { result.append(kept) }
        }
        let edges: (Character) -> Bool = { $0 == "-" || $0 == "." }
        let stem = String(result.drop(while: edges).reversed().drop(while: edges).reversed())
        guard !stem.isEmpty else { return "region" }
        return devices.contains(stem.prefix { $0 != "." }.uppercased()) ? "region-" + stem : stem
    }

    private static func isKept(_ character: Character) -> Bool {
        // A letter may be followed by marks, but by nothing that is invisible.
        guard !character.unicodeScalars.contains(where: \.properties.isDefaultIgnorableCodePoint) else { return false }
        return character.isLetter || character.isNumber || "-_.".contains(character)
    }

    // Windows reserves these names, with any extension.
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    )
}
