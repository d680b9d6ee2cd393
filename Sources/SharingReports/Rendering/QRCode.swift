package import CQREncode
import Glibc

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

    /// Returns whether a module is dark.
    ///
    /// Modules outside the code are light.
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

/// libqrencode, which is loaded when the first QR code is made.
///
/// The program also runs without it.
///
/// The names and types are those of qrencode.h, version 4.
package struct QREncodeLibrary: Sendable {
    package typealias Encode =
        @convention(c) (
            UnsafePointer<CChar>, CInt, QRecLevel, QRencodeMode, CInt
        ) -> UnsafeMutablePointer<QRcode>?
    package typealias Free = @convention(c) (UnsafeMutablePointer<QRcode>?) -> Void

    /// Encodes a text: the text, the smallest version (0 for any), the level of error correction, the mode for what is
    /// neither digits nor upper-case letters, whether case matters.
    package let encode: Encode
    /// Frees a result of `encode`.
    package let free: Free

    /// The library of this machine; nil if it is not installed.
    package static let installed = QREncodeLibrary("libqrencode.so.4")

    /// Loads a library, which stays loaded; nil if there is none of that name.
    package init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL),
            let encode = dlsym(handle, "QRcode_encodeString"),
            let free = dlsym(handle, "QRcode_free")
        else { return nil }
        self.encode = unsafeBitCast(encode, to: Encode.self)
        self.free = unsafeBitCast(free, to: Free.self)
    }
}

/// One QR code, or several beside each other with a caption above each.
package struct QRCodeSheet: Hashable, Sendable {
    /// A code and what it is for.
    package struct Item: Hashable, Sendable {
        package var caption: String
        package var code: QRCode

        /// Creates the value.
        package init(caption: String, code: QRCode) {
            self.caption = caption
            self.code = code
        }
    }

    /// The codes, from the left.
    package let items: [Item]

    /// Shows one code, without a caption.
    package init(_ code: QRCode) {
        items = [Item(caption: "", code: code)]
    }

    /// Shows codes beside each other; nil if there is none.
    package init?(_ items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.items = items
    }

    private static let gap = 2

    /// The least number of columns for a text beside a code.
    private static let leastTextColumns = 28

    private var hasCaptions: Bool { items.contains { !$0.caption.isEmpty } }

    /// The number of columns and rows of a terminal that the code needs with a text beside it and a line below; codes with
    /// captions stand alone.
    package var sizeWithText: (columns: Int, rows: Int) {
        hasCaptions ? size : (size.columns + Self.gap + Self.leastTextColumns, size.rows + 1)
    }

    /// The code with a text on its right.
    package func text(beside text: DisplayText, columns: Int) -> DisplayText {
        let words = TextLayout(width: columns - size.columns - Self.gap).lines(of: text)
        let code = items.flatMap(\.code.lines)
        return (0..<max(words.count, code.count)).map { row in
            let start = row < code.count ? code[row] : .spaces(size.columns)
            return row < words.count && !words[row].isEmpty ? start + .spaces(Self.gap) + words[row] : start
        }.joined(separator: "\n")
    }

    /// The number of columns and rows of a terminal that the codes need.
    package var size: (columns: Int, rows: Int) {
        let sizes = items.map(\.code.size)
        let rows = sizes.map(\.rows).max() ?? 0
        return (sizes.reduce(0) { $0 + $1.columns }, rows + (hasCaptions ? 1 : 0))
    }

    /// The codes as lines for a terminal.
    package var text: DisplayText {
        let rows = items.map(\.code.size.rows).max() ?? 0
        var lines: [DisplayText] = []
        if hasCaptions {
            let captions = items.map { item in
                let width = item.code.size.columns
                let caption = String(item.caption.prefix(width))
                return caption + String(repeating: " ", count: width - caption.count)
            }
            lines.append("\(captions.joined())")
        }
        let columns = items.map { ($0.code.lines, $0.code.size.columns) }
        for row in 0..<rows {
            var line: DisplayText = ""
            for (code, width) in columns {
                line += row < code.count ? code[row] : DisplayText(escaping: String(repeating: " ", count: width))
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}
