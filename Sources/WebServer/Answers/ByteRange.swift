/// The range of a file that a client asks for (RFC 9110, section 14).
enum ByteRange: Hashable, Sendable {
    /// All of it.
    case whole
    /// Some of it; not empty.
    case range(Range<UInt64>)
    /// A range that the file does not have.
    case unsatisfiable

    /// Reads the fields of a request.
    ///
    /// A field that is not valid, several ranges, and a range of an older version of the file stand for the whole file, as the RFC
    /// allows.
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
        // To match many spaces takes long.
        guard text.utf8.count < 100,
            let (_, first, last) = text.wholeMatch(of: /bytes= *([0-9]*) *- *([0-9]*) */.ignoresCase())?.output
        else { return .whole }
        // A number that is too large is none.
        switch (UInt64(first), UInt64(last)) {
        case (let first?, let last?):
            guard first <= last else { return .whole }
            return first < size ? .range(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where last.isEmpty: return first < size ? .range(first..<size) : .unsatisfiable
        case (nil, let count?) where first.isEmpty:
            return count > 0 && size > 0 ? .range(size - min(count, size)..<size) : .unsatisfiable
        default: return .whole
        }
    }
}

extension WebFile {
    /// The entity tag as it stands in fields.
    var quotedTag: String { "\"\(entityTag)\"" }

    /// Returns whether a field `If-None-Match` names this version.
    func isNamed(in fields: [String]) -> Bool {
        let names: Set = ["*", quotedTag, "W/" + quotedTag]
        let tags = fields.flatMap { $0.split(separator: ",") }.map { $0.split(separator: " ") }
        return tags.contains { $0.count == 1 && names.contains(String($0[0])) }
    }
}
