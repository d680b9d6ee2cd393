internal import CTranslations

/// The translations into one language, by the keys of sentences.
enum Catalogue: Sendable {
    /// No sentence is translated.
    case none
    /// A table that is a part of the program: its index.
    case embedded(Int)
    case made(@Sendable (_ key: String) -> String?)

    /// The languages that are a part of the program.
    static var embedded: [(tag: String, index: Int)] {
        (0..<ctranslations_count()).map { (String(cString: ctranslations_get($0).pointee.tag), $0) }
    }

    /// The key of the text that has the form of the plural for each number below 200.
    private static let pluralKey = ""
    /// The key of a text that is there if most sentences of the terminal are translated.
    private static let terminalKey = "\u{1}"

    /// Whether the terminal and the window can be said in the language, so that not each screen is in two languages.
    var hasTerminal: Bool { text(for: Self.terminalKey) != nil }

    var scriptSentences: [UInt8]? {
        guard case .embedded(let index) = self else { return nil }
        let language = ctranslations_get(index).pointee
        return Array(UnsafeBufferPointer(start: language.script, count: language.script_length))
    }

    /// Returns the translation of a key, with all forms of its plural.
    func text(for key: String) -> String? {
        switch self {
        case .none: return nil
        case .made(let patterns): return patterns(key)
        case .embedded(let index):
            let language = ctranslations_get(index).pointee
            let bytes = UnsafeRawBufferPointer(start: language.table, count: language.table_length)
            return Self.find(Self.hash(of: key), in: bytes)
        }
    }

    /// Returns which form of the plural a number has.
    ///
    /// Rules look at no more than the last two digits of a large number.
    func form(of number: Int) -> Int {
        guard let forms = text(for: Self.pluralKey)?.utf8, forms.count == 200 else { return number == 1 ? 0 : 1 }
        let magnitude = number.magnitude
        let index = Int(magnitude < 200 ? magnitude : 100 + magnitude % 100)
        return Int(forms[forms.index(forms.startIndex, offsetBy: index)] &- UInt8(ascii: "0"))
    }

    /// The hash of a key in tables: FNV-1a with 64 bits.
    private static func hash(of key: String) -> UInt64 {
        key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Finds a text in a table: the number of texts, their hashes in order, where each text begins, where the last one ends, the texts.
    private static func find(_ hash: UInt64, in table: UnsafeRawBufferPointer) -> String? {
        func number<Value: FixedWidthInteger>(at offset: Int, _ type: Value.Type) -> Value {
            Value(littleEndian: table.loadUnaligned(fromByteOffset: offset, as: type))
        }
        guard table.count >= 8 else { return nil }
        let count = Int(number(at: 0, UInt64.self))
        let (offsets, texts) = (8 + 8 * count, 8 + 8 * count + 4 * (count + 1))
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if number(at: 8 + 8 * middle, UInt64.self) < hash { low = middle + 1 } else { high = middle }
        }
        guard low < count, number(at: 8 + 8 * low, UInt64.self) == hash else { return nil }
        let start = texts + Int(number(at: offsets + 4 * low, UInt32.self))
        let end = texts + Int(number(at: offsets + 4 * (low + 1), UInt32.self))
        return String(decoding: table[start..<end], as: UTF8.self)
    }
}
