import PeerProtocol

/// The texts of devices in the form in which they are kept.
enum LocalSendText {
    /// Returns whether a text can be an id, a token or a fingerprint: some printable ASCII characters.
    ///
    /// They appear in URLs, and are compared. Other characters could look alike, or be equal and have other bytes.
    static func isID(_ text: String, upTo maximum: Int = LocalSendLimits.idLength) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= maximum && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Returns a name in one line without control characters, cut to a length in bytes; nil if nothing is left.
    static func name(_ text: some StringProtocol, upTo maximum: Int) -> String? {
        var scalars = Array(text.unicodeScalars.drop(while: isSpace))
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        let line = String(String.UnicodeScalarView(scalars.map { isControl($0) ? " " : $0 }))
        let name = line.prefix(utf8Count: maximum)
        return name.isEmpty ? nil : name
    }

    /// Returns the name of a file, without the folders before it; nil if that is no name.
    ///
    /// Phones that send a folder put its name before those of the files, and a hostile one puts `../` there. It is only shown, and
    /// says what kind of file it may be: no file here is called by it.
    static func fileName(_ text: String) -> String? {
        guard text.utf8.count <= LocalSendLimits.nameLength else { return nil }
        // As scalars: a slash with an accent is another character, and a slash for a file system.
        let folders = text.unicodeScalars.lastIndex { $0 == "/" || $0 == "\\" }
        let last = folders.map { text.unicodeScalars[$0...].dropFirst() } ?? text.unicodeScalars[...]
        let name = name(Substring(last), upTo: LocalSendLimits.nameLength)
        // By bytes: comparing texts takes long if they have hundreds of accents.
        guard let name, name.utf8.count > 2 || name.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else {
            return nil
        }
        return name
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || isControl(scalar)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
