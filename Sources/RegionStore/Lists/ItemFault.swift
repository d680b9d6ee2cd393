import PeerProtocol
import RegionModel

/// Why an item of a list is refused, beside the faults of JSON and of decoding.
enum ItemFault: Error {
    /// It is not an object.
    case wrongKind
    /// The value of a key is wrong; the text says how, as a predicate.
    case value(key: String, String)

    /// Returns the error that names an item and says what is wrong with it.
    static func refusal<Item: SharedItem>(_ type: Item.Type, _ index: Int, _ error: any Error) -> RegionStoreError {
        let subject = "The \(ordinal(index + 1)) \(Item.noun)"
        let message =
            switch error {
            case ItemFault.wrongKind:
                "\(subject) has a value of the wrong kind."
            case let fault as JSONFault where fault.isLimit:
                "\(subject) is too large."
            case ItemFault.value(let key, let what):
                "\(subject) is wrong: its \(key) \(what)."
            case DecodingError.keyNotFound(let key, _):
                "\(subject) has no \(key.stringValue)."
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
                "\(subject) has a value of the wrong kind\(key(context).map { " (\($0))" } ?? "")."
            case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
                if let key = key(context), isPredicate(context.debugDescription) {
                    "\(subject) is wrong: its \(key) \(context.debugDescription)."
                } else {
                    "\(subject) has a value that cannot be read\(key(context).map { " (\($0))" } ?? "")."
                }
            default:
                "The list of \(Item.pluralNoun) is not valid JSON."
            }
        return RegionStoreError(.refused, message, cause: error)
    }

    private static func isPredicate(_ text: String) -> Bool { text.hasPrefix("is ") || text.hasPrefix("has ") }

    // The keys are known ones, never text from the peer.
    private static func key(_ context: DecodingError.Context) -> String? {
        context.codingPath.last { $0.intValue == nil }?.stringValue
    }

    static func ordinal(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (_, 11...13): "\(number)th"
        case (1, _): "\(number)st"
        case (2, _): "\(number)nd"
        case (3, _): "\(number)rd"
        default: "\(number)th"
        }
    }
}
