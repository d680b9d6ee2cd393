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
        self.init(JSONScanner(text, .list), maximumCount: maximumCount)
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
            throw ItemFault.refusal(Item.self, count, error)
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
        guard try scanner.peekBehindSpace() == nil else { throw JSONFault.notJSON }
        state = .atEnd
        return false
    }

    /// Reads an object: long values one by one, and all other values as a small object.
    private mutating func readItem() throws -> Item {
        guard let first = try scanner.peekBehindSpace() else { throw JSONFault.notJSON }
        guard first == UInt8(ascii: "{") else { throw ItemFault.wrongKind }
        let largeValues = largeValues
        var shell = [UInt8(ascii: "{")]
        var limits = JSONScanner.Limits(
            length: ModelLimits.maximumPartLength,
            valueCount: ModelLimits.maximumValueCount
        )
        var parts: [String: (inout Item) -> Void] = [:]
        try scanner.readElements("{") { scanner in
            if shell.count > 1 { shell.append(UInt8(ascii: ",")) }
            let key = try scanner.copyKey(to: &shell, &limits)
            let large = largeValues.first { key.elementsEqual($0.key.utf8) }
            if let large, try scanner.peekBehindSpace() == large.marks[0] {
                guard parts.updateValue(try large.read(&scanner), forKey: large.key) == nil else {
                    throw ItemFault.value(key: large.key, "appears twice")
                }
                shell += large.marks
            } else {
                try scanner.copyValue(to: &shell, &limits)
            }
        }
        shell.append(UInt8(ascii: "}"))
        var item = try decoder.decode(Item.self, from: Data(shell))
        for part in parts.values { part(&item) }
        return item
    }
}
