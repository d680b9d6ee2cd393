/// The part of a file that a client asks for (RFC 9110, section 14).
enum ByteRange: Hashable, Sendable {
    /// All of it.
    case whole
    /// Some of it; not empty.
    case part(Range<UInt64>)
    /// A part that the file does not have.
    case unsatisfiable

    /// Reads the fields of a request.
    ///
    /// A field that is not valid, several ranges, and a range of an older version of the file stand for the whole file, as the RFC
    /// allows.
    ///
    /// - Parameters:
    ///   - ranges: The values of the field `Range`.
    ///   - condition: The values of the field `If-Range`.
    ///   - file: The file.
    init(_ ranges: [String], onlyIf condition: [String], of file: WebFile) {
        guard let text = ranges.first, ranges.count == 1,
            condition.allSatisfy({ $0 == file.quotedTag })
        else {
            self = .whole
            return
        }
        self = Self.read(text, size: file.size)
    }

    /// Reads the value of the field `Range` for a file of a size.
    static func read(_ text: String, size: UInt64) -> ByteRange {
        let unit = "bytes="
        guard text.lowercased().hasPrefix(unit) else { return .whole }
        let bounds = text.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false).map(trimmed)
        guard bounds.count == 2 else { return .whole }
        switch (number(bounds[0]), number(bounds[1])) {
        case (let first?, let last?):
            guard first <= last else { return .whole }
            return first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            return first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where bounds[0].isEmpty:
            return count > 0 && size > 0 ? .part(size - min(count, size)..<size) : .unsatisfiable
        default:
            return .whole
        }
    }

    fileprivate static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }

    /// Reads digits; nil if there are others, or if the number is too large.
    private static func number(_ text: Substring) -> UInt64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt64(text)
    }
}

extension WebFile {
    /// The entity tag as it stands in fields.
    var quotedTag: String { "\"\(entityTag)\"" }

    /// Returns whether a field `If-None-Match` names this version.
    func isNamed(in fields: [String]) -> Bool {
        fields.contains { field in
            field.split(separator: ",").contains { tag in
                ["*", quotedTag, "W/" + quotedTag].contains(String(ByteRange.trimmed(tag)))
            }
        }
    }
}
