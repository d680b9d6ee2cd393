/// What a transfer has done to one item at the receiver, in words for people.
///
/// A merge decides item by item, and a word that is lost, such as “closed!”, matters more than a number of items.
///
/// ```swift
/// for change in receipt.changes where change.outcome == .kept {
///     print("kept \(change.localName ?? change.name), and not \(change.name)")
/// }
/// ```
public struct ItemChange: Hashable, Sendable, Codable {
    /// What has become of an item.
    public struct Outcome: RawRepresentable, Hashable, Sendable, Codable {
        /// The text in JSON; another version of the program may know others.
        public var rawValue: String

        /// Creates an outcome.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The receiver did not have the item.
        public static let added = Outcome(rawValue: "added")
        /// The sender's version has replaced the receiver's.
        public static let replaced = Outcome(rawValue: "replaced")
        /// The receiver has kept its own version, which is another one.
        public static let kept = Outcome(rawValue: "kept")
        /// The receiver has removed the item before, and it stays removed.
        public static let staysRemoved = Outcome(rawValue: "staysRemoved")
        /// The sender has removed the item, and the receiver still has it.
        public static let removedBySender = Outcome(rawValue: "removedBySender")

        /// Those that this version knows.
        package static let all: Set<Outcome> = [.added, .replaced, .kept, .staysRemoved, .removedBySender]
    }

    /// The maximum number of changes in a receipt.
    ///
    /// Its counts include all items.
    public static let maximumCount = 40

    /// The longest text, in bytes of UTF-8; longer ones are cut.
    public static let maximumTextLength = 120

    /// The kind of the item, as in a manifest.
    public var kind: ResourceKind
    /// What has become of the item.
    public var outcome: Outcome
    /// The sender's name of the item; possibly empty.
    public var name: String
    /// The receiver's name of the item before the transfer; nil if it was the same, or if there was none.
    public var localName: String?
    /// The sender's note; nil if the notes are the same, and at the sender.
    public var note: String?
    /// The receiver's note before the transfer; nil if the notes are the same, and at the sender.
    public var localNote: String?

    /// Creates a change, and cuts its texts.
    package init(_ outcome: Outcome, of kind: ResourceKind, named name: String, localName: String? = nil) {
        self.kind = kind
        self.outcome = outcome
        self.name = Self.cut(name)
        self.localName = localName.map(Self.cut)
    }

    /// Sets the notes, if they are different.
    package mutating func setNotes(_ note: String, local: String) {
        guard note != local else { return }
        (self.note, localNote) = (Self.cut(note), Self.cut(local))
    }

    // Without the notes: what people write for themselves stays on their machine.
    private enum CodingKeys: CodingKey { case kind, outcome, name, localName }

    /// Reads a change; a name with the value `null` is not a missing one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(ResourceKind.self, forKey: .kind)
        outcome = try container.decode(Outcome.self, forKey: .outcome)
        name = try container.decode(String.self, forKey: .name)
        localName = try container.decodeUnlessMissing(String.self, forKey: .localName)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        [kind.rawValue, outcome.rawValue, name, localName ?? ""].allSatisfy {
            $0.utf8.count <= limits.maximumTextLength
        }
    }

    /// Returns the start of a text, in one line: so 40 changes fit into a frame.
    private static func cut(_ text: String) -> String { text.line(utf8Count: maximumTextLength) }
}
