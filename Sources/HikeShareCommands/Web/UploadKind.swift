/// The kinds of files that people send although the page asks for GPX files.
enum UploadKind {
    /// The number of bytes by which a kind is detected.
    static let signatureLength = 16

    /// Returns what a file is, for a message; nil for text, and for what is not known.
    static func name(ofFileBeginning bytes: [UInt8]) -> String? {
        func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if begins("PK\u{3}\u{4}") || begins("PK\u{5}\u{6}") { return "a ZIP file" }
        if bytes.starts(with: [0x1F, 0x8B]) { return "a compressed file" }
        if begins("SQLite format 3\0") { return "a map or another database" }
        if begins(".FIT", at: 8) { return "a FIT file" }
        if begins("%PDF") { return "a PDF file" }
        let isPicture =
            bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89] + Array("PNG".utf8)) || begins("GIF8")
            || begins("WEBP", at: 8) || begins("ftyp", at: 4)
        return isPicture ? "a picture or video" : nil
    }
}
