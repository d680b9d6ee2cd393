import CQREncode

/// A QR code: a square of dark and light modules.
struct QRCode: Hashable, Sendable {
    /// How many light modules there must be around it, so that a scanner finds it (ISO/IEC 18004, section 9.1).
    static let quietZone = 4

    /// How many modules a side has, without the quiet zone.
    let side: Int

    private let modules: [Bool]

    /// Encodes a text; nil if it is too long for any QR code, or if libqrencode is not installed.
    init?(_ text: String, by library: QREncodeLibrary? = .installed) {
        // Read from a screen, nothing is smudged: the lowest level of correction gives the largest modules.
        guard let library, let code = library.encode(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { library.free(code) }
        let side = Int(code.pointee.width)
        guard let data = code.pointee.data, side > 0 else { return nil }
        self.side = side
        // The other bits say what a module is for.
        modules = UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Tells whether a module is dark; those around the code are light.
    func isDark(_ column: Int, _ row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return modules[row * side + column]
    }

    /// How many columns and rows of a terminal the code takes.
    var size: (columns: Int, rows: Int) {
        let full = side + 2 * Self.quietZone
        return (full, (full + 1) / 2)
    }

    /// The code as lines for a terminal, two modules in a character.
    ///
    /// The colours are given, for a scanner wants dark on light, whatever the terminal's are: 16 and 231 of the 256
    /// colours are black and white, and unlike the first sixteen no theme changes them.
    var text: DisplayText {
        let quiet = Self.quietZone
        let lines = stride(from: -quiet, to: side + quiet, by: 2).map { row in
            var line: DisplayText = "\u{1B}[38;5;16;48;5;231m"
            for column in -quiet..<(side + quiet) {
                switch (isDark(column, row), isDark(column, row + 1)) {
                case (true, true): line += "█"
                case (true, false): line += "▀"
                case (false, true): line += "▄"
                case (false, false): line += " "
                }
            }
            return line + "\u{1B}[0m"
        }
        return lines.joined(separator: "\n")
    }
}
