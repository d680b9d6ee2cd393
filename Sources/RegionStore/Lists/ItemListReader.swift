import FoundationEssentials
import PeerProtocol
import RegionModel

/// Reads a JSON array of items one by one.
///
/// Only one item at a time is in memory.
package struct ItemListReader<Item: SharedItem> {
    private enum State {
        case atStart
        case inside
        case atEnd
    }

    private let maximumCount: Int
    private let largeValues = Item.largeValues
    private let decoder = JSONDecoder()
    private var scanner: JSONScanner
    private var state = State.atStart

    /// The number of items that were read.
    private(set) var count = 0

    init(_ scanner: JSONScanner, maximumCount: Int) {
        self.scanner = scanner
        self.maximumCount = maximumCount
    }

    /// Creates a reader of a list in memory.
    package init(_ text: [UInt8], maximumCount: Int) {
        self.init(JSONScanner(text), maximumCount: maximumCount)
    }

    /// Returns the next item; nil at the end of the list.
    ///
    /// - Throws: `RegionStoreError` with the code `refused` and a message that names the item, if the list is not acceptable.
    package mutating func next() throws -> Item? {
        do {
            guard try moveToItem() else { return nil }
            let item = try readItem()
            count += 1
            return item
        } catch let error as RegionStoreError {
            throw error
        } catch {
            throw ItemListFault(error, index: count).worded(noun: Item.noun, pluralNoun: Item.pluralNoun)
        }
    }

    private mutating func moveToItem() throws -> Bool {
        switch state {
        case .atStart:
            try scanner.skip("[")
            state = .inside
            if try scanner.peekBehindSpace() == UInt8(ascii: "]") { return try finish() }
        case .inside:
            if try scanner.peekBehindSpace() == UInt8(ascii: "]") { return try finish() }
            try scanner.skip(",")
        case .atEnd:
            return false
        }
        guard count < maximumCount else {
            throw RegionStoreError(.refused, "The list has more than \(maximumCount) \(Item.pluralNoun).")
        }
        return true
    }

    private mutating func finish() throws -> Bool {
        try scanner.skip("]")
        guard try scanner.peekBehindSpace() == nil else { throw JSONFault.syntax }
        state = .atEnd
        return false
    }

    /// Reads an object: long values one by one, and all other values as a small object.
    private mutating func readItem() throws -> Item {
        guard try scanner.peekBehindSpace() != nil else { throw JSONFault.syntax }
        guard try scanner.next() == UInt8(ascii: "{") else { throw JSONFault.wrongKind }
        var shell = [UInt8(ascii: "{")]
        var limits = JSONScanner.Limits(
            length: ModelLimits.maximumPartLength,
            valueCount: ModelLimits.maximumValueCount
        )
        var parts: [String: (inout Item) -> Void] = [:]
        while try scanner.peekBehindSpace() != UInt8(ascii: "}") {
            if shell.count > 1 {
                try scanner.skip(",")
                shell.append(UInt8(ascii: ","))
                _ = try scanner.peekBehindSpace()
            }
            limits.valueCount -= 1
            guard limits.valueCount >= 0 else { throw JSONFault.tooLarge }
            let start = shell.count
            try scanner.copyString(to: &shell, atMost: start + ControlJSON.maximumKeyLength + 2)
            let key = shell[(start + 1)..<(shell.count - 1)]
            let large = largeValues.first { key.elementsEqual($0.key.utf8) }
            try scanner.skip(":")
            shell.append(UInt8(ascii: ":"))
            if let large, try scanner.peekBehindSpace() == large.marks[0] {
                let part = try large.read(&scanner)
                guard parts.updateValue(part, forKey: large.key) == nil else {
                    throw JSONFault.value(key: large.key, "appears twice")
                }
                shell += large.marks
            } else {
                _ = try scanner.peekBehindSpace()
                try scanner.copyValue(to: &shell, &limits)
            }
        }
        try scanner.skip("}")
        shell.append(UInt8(ascii: "}"))
        try ControlJSON.checkKeys(of: Data(shell))
        var item = try decoder.decode(Item.self, from: Data(shell))
        for part in parts.values { part(&item) }
        return item
    }
}

/// The error of an item in a list.
struct ItemListFault {
    private let error: any Error
    private let index: Int

    init(_ error: any Error, index: Int) {
        self.error = error
        self.index = index
    }

    func worded(noun: String, pluralNoun: String) -> RegionStoreError {
        RegionStoreError(.refused, message("The \(Self.ordinal(index + 1)) \(noun)", pluralNoun), cause: error)
    }

    private func message(_ subject: String, _ pluralNoun: String) -> String {
        switch error {
        case JSONFault.wrongKind:
            "\(subject) has a value of the wrong kind."
        case JSONFault.tooLarge:
            "\(subject) is too large."
        case JSONFault.value(let key, let what):
            "\(subject) is wrong: its \(key) \(what)."
        case DecodingError.keyNotFound(let key, _):
            "\(subject) has no \(key.stringValue)."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(subject) has a value of the wrong kind\(Self.place(context))."
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            if let key = Self.key(context), Self.isPredicate(context.debugDescription) {
                "\(subject) is wrong: its \(key) \(context.debugDescription)."
            } else {
                "\(subject) has a value that cannot be read\(Self.place(context))."
            }
        default:
            "The list of \(pluralNoun) is not valid JSON."
        }
    }

    private static func isPredicate(_ text: String) -> Bool { text.hasPrefix("is ") || text.hasPrefix("has ") }

    private static func place(_ context: DecodingError.Context) -> String {
        key(context).map { " (\($0))" } ?? ""
    }

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
