import Foundation

/// Prepares a GPX file for the XML scanner, which takes valid UTF-8 without a document type.
///
/// Entities are declared in a document type. Without one there is nothing to expand and nothing to fetch.
enum GPXPrologue {
    // What old programs wrote, by the names that XML declarations have for it.
    private static let encodings: [String: String.Encoding] = [
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253,
        "windows-1254": .windowsCP1254,
    ]

    /// Returns the file as the parser wants it: UTF-8, without byte order mark and XML declaration.
    static func prepared(_ data: Data) throws(RegionStoreError) -> Data {
        var data = data
        if let isBigEndian = byteOrder(data) {
            data = utf8(fromUTF16: data, isBigEndian: isBigEndian)
        } else if data.starts(with: [0xEF, 0xBB, 0xBF]) {
            data = Data(data.dropFirst(3))
        }
        data = try withoutDeclaration(data)
        guard data.withUnsafeBytes({ (try? UTF8Span(validating: $0.bindMemory(to: UInt8.self).span)) != nil }) else {
            throw RegionStoreError(
                .invalidFile,
                "The file is damaged, or its text is in an encoding that is not known here.",
                remedy: "Save it as UTF-8."
            )
        }
        let offset = data.withUnsafeBytes { rootOffset($0) }
        guard let offset else {
            throw RegionStoreError(
                .invalidFile,
                "This is not a GPX file: it is not XML.",
                remedy: "Export it again as GPX."
            )
        }
        guard !data.dropFirst(offset).starts(with: Array("<!DOCTYPE".utf8)) else {
            throw RegionStoreError(
                .invalidFile,
                "This is not a GPX file: it has a document type, which GPX never has and which is not safe to read."
            )
        }
        return data
    }

    // A declaration speaks of an encoding that is no longer so once the text is UTF-8.
    private static func withoutDeclaration(_ data: Data) throws(RegionStoreError) -> Data {
        guard data.starts(with: Array("<?xml".utf8)),
            let end = data.prefix(1000).firstRange(of: Array("?>".utf8))
        else { return data }
        let rest = Data(data[end.upperBound...])
        let declaration = String(decoding: data[..<end.upperBound], as: UTF8.self).lowercased()
        let quote: [Character] = ["\"", "'"]
        guard let label = declaration.firstRange(of: "encoding"),
            let name = declaration[label.upperBound...].split(whereSeparator: { quote.contains($0) }).dropFirst().first,
            let encoding = encodings[String(name)],
            let text = String(data: rest, encoding: encoding)
        else { return rest }
        return Data(text.utf8)
    }

    // Nil if the text is not UTF-16. Without a byte order mark the first character, "<", tells.
    private static func byteOrder(_ data: Data) -> Bool? {
        switch Array(data.prefix(2)) {
        case [0xFE, 0xFF], [0x00, 0x3C]: true
        case [0xFF, 0xFE], [0x3C, 0x00]: false
        default: nil
        }
    }

    private static func utf8(fromUTF16 data: Data, isBigEndian: Bool) -> Data {
        let bytes = Array(data)
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0)
        }
        if units.first == 0xFEFF { units.removeFirst() }
        return Data(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Returns where the first thing stands that is neither space, instruction nor comment; nil unless it is a tag.
    private static func rootOffset(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D:
                index += 1
            case 0x3C:
                if let end = end(of: "<?", until: "?>", in: bytes, at: index)
                    ?? end(of: "<!--", until: "-->", in: bytes, at: index)
                {
                    index = end
                } else {
                    return index
                }
            default:
                return nil
            }
        }
        return nil
    }

    private static func end(
        of opening: StaticString,
        until closing: StaticString,
        in bytes: UnsafeRawBufferPointer,
        at index: Int
    ) -> Int? {
        func matches(_ mark: StaticString, at index: Int) -> Bool {
            guard bytes.count - index >= mark.utf8CodeUnitCount else { return false }
            for offset in 0..<mark.utf8CodeUnitCount where bytes[index + offset] != mark.utf8Start[offset] {
                return false
            }
            return true
        }
        guard matches(opening, at: index) else { return nil }
        var position = index + opening.utf8CodeUnitCount
        while position < bytes.count {
            if matches(closing, at: position) { return position + closing.utf8CodeUnitCount }
            position += 1
        }
        return nil
    }
}
