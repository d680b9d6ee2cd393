/// Why JSON is refused before a decoder reads it.
package enum JSONFault: Error {
    /// It is in another encoding than UTF-8.
    case notUTF8
    /// It is not JSON (RFC 8259).
    case notJSON
    /// A key is longer than `JSONScanner.maximumKeyLength`.
    case longKey
    /// It has more values than allowed.
    case manyValues
    /// A value that is copied is longer than allowed.
    case tooLong
    /// It is nested deeper than allowed.
    case tooDeep
    /// An object has a key twice.
    case duplicateKey
    /// A number has a fraction or an exponent where an integer must stand.
    case notInteger

    /// Whether it exceeds a limit.
    package var isLimit: Bool {
        switch self {
        case .longKey, .manyValues, .tooLong, .tooDeep: true
        case .notUTF8, .notJSON, .duplicateKey, .notInteger: false
        }
    }

    /// A predicate for people: the sentence begins with the frame or the manifest.
    var words: String {
        switch self {
        case .notUTF8: "is not in UTF-8"
        case .notJSON: "is not valid JSON"
        case .longKey: "has a longer key than allowed"
        case .manyValues: "has more values than allowed"
        case .tooLong: "has a longer value than allowed"
        case .tooDeep: "is nested too deep"
        case .duplicateKey: "has the same key twice"
        case .notInteger: "has a fraction or an exponent where an integer must stand"
        }
    }
}
