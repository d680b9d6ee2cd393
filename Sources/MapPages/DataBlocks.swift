/// Writes a text of JSON into a page, in blocks of data that no browser runs.
///
/// The script of the page joins them. In one block, the time in which WebKit reads the page would grow with the square of its size.
final class DataBlocks {
    /// The maximum length of a block, in bytes.
    static let maximumLength = 64 * 1024
    private let name: String
    private let output: ([UInt8]) throws -> Void
    private var pending: [UInt8] = []

    init(_ name: String, to output: @escaping ([UInt8]) throws -> Void) {
        self.name = name
        self.output = output
    }

    /// Adds a part of the text, which has no `<`.
    func append(_ bytes: [UInt8]) throws {
        pending += bytes
        guard pending.count > Self.maximumLength else { return }
        var rest = pending[...]
        while rest.count > Self.maximumLength {
            // A character is in one block.
            var end = rest.startIndex + Self.maximumLength
            while rest[end] & 0xC0 == 0x80 { end -= 1 }
            try write(rest[..<end])
            rest = rest[end...]
        }
        pending = Array(rest)
    }

    func finish() throws {
        try write(pending[...])
        pending = []
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws {
        try output(Array(#"<script type="application/json" class="data-\#(name)">"#.utf8))
        try output(Array(bytes))
        try output(Array("</script>\n".utf8))
    }
}
