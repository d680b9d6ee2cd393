import CQREncode

/// A QR code: a square of dark and light modules.
package struct QRCode: Hashable, Sendable {
    /// The number of light modules around the code that scanners need. (ISO/IEC 18004, section 9.1.)
    package static let quietZone = 4

    /// The number of modules on each side, without the quiet zone.
    package let side: Int
    private let modules: [Bool]

    /// Encodes a text; nil if it is too long for any QR code, or if libqrencode is not installed.
    package init?(_ text: String, by library: QREncodeLibrary? = .installed) {
        // A code on a screen is not damaged, so the lowest level of correction is enough. It gives the largest modules. Upper-case
        // text takes 5.5 bits a character; all other text is encoded as bytes.
        guard let library, let code = library.encode(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
        defer { library.free(code) }
        let side = Int(code.pointee.width)
        guard let data = code.pointee.data, side > 0 else { return nil }
        self.side = side
        // The other bits are the purpose of the module.
        modules = UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Returns whether a module is dark; modules outside the code are light.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return modules[row * side + column]
    }

    /// The number of columns and rows of a terminal that the code needs.
    package var size: (columns: Int, rows: Int) {
        let full = side + 2 * Self.quietZone
        return (full, (full + 1) / 2)
    }

    /// The lines of the code for a terminal, with two modules in each character.
    ///
    /// Scanners need dark on light, so the code has colours of its own (``TextStyle/code``).
    package var lines: [DisplayText] {
        let quiet = Self.quietZone
        return stride(from: -quiet, to: side + quiet, by: 2).map { row in
            let characters = (-quiet..<(side + quiet)).map { column in
                switch (isDark(column, row), isDark(column, row + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\(characters.joined(), .code)"
        }
    }
}
