import RegionModel

/// Turns an XML file, piece by piece, into what the XML scanner takes: valid UTF-8 without byte order mark and XML declaration.
struct UTF8Source {
    private enum Encoding {
        /// UTF-8; if it is not declared to be another encoding, single bytes of another one are tolerated.
        case utf8(isTolerant: Bool)
        case utf16(isBigEndian: Bool)
        case utf32(isBigEndian: Bool)
        case other(ByteEncoding)
    }

    /// Returns the next bytes of the file; none at its end.
    typealias Source = () throws -> [UInt8]

    private static let utf8 = ["utf-8", "utf8", "us-ascii", "ascii"]
    private static let declarationLength = 1000

    /// The number of bytes that are not UTF-8.
    private(set) var oddByteCount = 0

    private let source: Source
    private var encoding: Encoding?
    /// The start of a character whose rest has not come yet.
    private var rest: [UInt8] = []

    init(_ source: @escaping Source) { self.source = source }

    /// Returns the next part of the text; nil at its end.
    mutating func next() throws -> [UInt8]? {
        guard let encoding else { return try begin() }
        let more = try source()
        guard !more.isEmpty || !rest.isEmpty else { return nil }
        return try text(rest + more, encoding, isLast: more.isEmpty)
    }

    private mutating func begin() throws -> [UInt8]? {
        var start: [UInt8] = []
        var isLast = false
        // In UTF-32 a declaration takes four times as many bytes.
        while start.count < 4 * Self.declarationLength + 4, !isLast {
            let more = try source()
            isLast = more.isEmpty
            start += more
        }
        if let wide = Self.wideEncoding(start) {
            encoding = wide
            let text = try text(start, wide, isLast: isLast)
            return Self.withoutDeclaration(text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text).text
        }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
        let (body, declared) = Self.withoutDeclaration(start)
        let encoding =
            declared.flatMap { ByteEncoding.named[$0] }.map(Encoding.other)
            ?? .utf8(isTolerant: declared.map(Self.utf8.contains) ?? true)
        self.encoding = encoding
        return try text(body, encoding, isLast: isLast)
    }

    private mutating func text(_ bytes: [UInt8], _ encoding: Encoding, isLast: Bool) throws -> [UInt8] {
        rest = []
        switch encoding {
        case .other(let encoding):
            return encoding.utf8(bytes)
        case .utf8(let isTolerant):
            let whole = isLast ? bytes.count : Self.wholeLength(bytes)
            rest = Array(bytes[whole...])
            let text = Array(bytes[..<whole])
            if (try? UTF8Span(validating: text.span)) != nil { return text }
            guard isTolerant else { throw Self.unreadable }
            return mended(text)
        case .utf16(let isBigEndian):
            var units: [UInt16] = []
            units.reserveCapacity(bytes.count / 2)
            for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                let number = bytes[index...index + 1].number(isBigEndian: isBigEndian)
                units.append(UInt16(truncatingIfNeeded: number))
            }
            if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
            rest = isLast ? [] : Array(bytes[(units.count * 2)...])
            return Array(String(decoding: units, as: UTF16.self).utf8)
        case .utf32(let isBigEndian):
            var text: [UInt8] = []
            for index in stride(from: 0, to: bytes.count - 3, by: 4) {
                let number = bytes[index..<index + 4].number(isBigEndian: isBigEndian)
                text += Unicode.Scalar(UInt32(truncatingIfNeeded: number)).map { Array(String($0).utf8) } ?? [0]
            }
            rest = isLast ? [] : bytes.suffix(bytes.count % 4)
            return text
        }
    }

    /// Returns a text in which each byte that is not UTF-8 is read as Windows-1252, which is what most such bytes are.
    private mutating func mended(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var index = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let character):
                result += character
                index += character.count
            case .error(let length):
                for byte in bytes[index..<index + length] {
                    oddByteCount += 1
                    if let character = ByteEncoding.windows1252[byte] { result += character.utf8 }
                }
                index += length
            case .emptyInput: return result
            }
        }
    }

    /// How many of the bytes are whole characters, if they are UTF-8.
    private static func wholeLength(_ bytes: [UInt8]) -> Int {
        guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
        let length =
            switch bytes[start] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        return bytes.count - start < length ? start : bytes.count
    }

    private static var unreadable: RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "The file is damaged, or its text encoding is not supported.",
            remedy: "Save it as UTF-8."
        )
    }

    // A declaration speaks of an encoding that is no longer so once the text is UTF-8.
    private static func withoutDeclaration(_ bytes: [UInt8]) -> (text: [UInt8], encoding: String?) {
        guard bytes.starts(with: "<?xml".utf8),
            let end = bytes.prefix(declarationLength).firstRange(of: Array("?>".utf8))
        else { return (bytes, nil) }
        let rest = Array(bytes[end.upperBound...])
        let declaration = String(decoding: bytes[..<end.upperBound], as: UTF8.self).lowercased()
        let quote: [Character] = ["\"", "'"]
        guard let label = declaration.firstRange(of: "encoding"),
            let name = declaration[label.upperBound...].split(whereSeparator: { quote.contains($0) }).dropFirst().first
        else { return (rest, nil) }
        return (rest, String(name))
    }

    // Nil if the text is neither UTF-16 nor UTF-32. Without a byte order mark, the first character, "<", shows it.
    private static func wideEncoding(_ bytes: [UInt8]) -> Encoding? {
        switch Array(bytes.prefix(4)) {
        case [0x00, 0x00, 0xFE, 0xFF], [0x00, 0x00, 0x00, 0x3C]: return .utf32(isBigEndian: true)
        case [0xFF, 0xFE, 0x00, 0x00], [0x3C, 0x00, 0x00, 0x00]: return .utf32(isBigEndian: false)
        default: break
        }
        return switch Array(bytes.prefix(2)) {
        case [0xFE, 0xFF], [0x00, 0x3C]: .utf16(isBigEndian: true)
        case [0xFF, 0xFE], [0x3C, 0x00]: .utf16(isBigEndian: false)
        default: nil
        }
    }
}
