/// What a member of a group says of itself, as all members pass it on.
///
/// Only the member itself raises the counter, so the record with the highest counter is the newest one. (Groups.)
package struct MemberRecord: Hashable, Sendable {
    /// Whether the member is in the group.
    package enum Status: String, Hashable, Sendable, Codable {
        /// It is in the group.
        case present
        /// It has left the group.
        case left

        /// Reads a status.
        package init(from decoder: any Decoder) throws {
            guard let status = try Status(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
            self = status
        }
    }

    /// The most members that a group can have.
    package static let maximumMemberCount = 64
    /// The highest counter.
    package static let maximumCounter: UInt64 = 1 << 32 - 1
    /// The highest counter that is believed if another member passes it on.
    ///
    /// A member that lies about another one can raise its counter up to here. The owner can still refute that, for its own word
    /// counts up to ``maximumCounter``.
    package static let maximumCounterOfOthers: UInt64 = 1 << 31
    static let maximumNameLength = 63
    static let maximumTextLength = 64

    /// The member.
    package var id: PeerID
    /// Which run of its program it is.
    package var incarnation: Incarnation
    /// Counts what the member has said of itself.
    package var counter: UInt64
    /// Whether it is in the group.
    package var status: Status
    /// The name under which it wants to be shown; proves nothing.
    package var displayName: String
    /// Its operating system, as it reports it.
    package var platform: String
    /// Its program and version, as it reports them.
    package var software: String
    /// Where it listens, as `HOST:PORT`; not parsed here.
    package var addresses: [String]
    /// The members with which it is linked, in ascending order.
    package var links: [MemberRecord.Mark]

    package init(
        id: PeerID,
        incarnation: Incarnation,
        counter: UInt64 = 0,
        status: Status = .present,
        displayName: String,
        platform: String = "",
        software: String = "",
        addresses: [String] = [],
        links: [MemberRecord.Mark] = []
    ) {
        self.id = id
        self.incarnation = incarnation
        self.counter = counter
        self.status = status
        self.displayName = displayName.prefix(utf8Count: Self.maximumNameLength)
        self.platform = platform.prefix(utf8Count: Self.maximumTextLength)
        self.software = software.prefix(utf8Count: Self.maximumTextLength)
        self.addresses = Array(addresses.prefix(LinkTerms.maximumAddressCount))
        self.links = links
    }

    /// Whether every number and every length is allowed.
    var isWithinBounds: Bool {
        counter <= Self.maximumCounter && displayName.utf8.count <= Self.maximumNameLength
            && platform.utf8.count <= Self.maximumTextLength && software.utf8.count <= Self.maximumTextLength
            && addresses.count <= LinkTerms.maximumAddressCount
            && addresses.allSatisfy { $0.utf8.count <= LinkTerms.maximumAddressLength }
            && links.count <= Self.maximumMemberCount
    }

    /// Whether this record takes the place of another one of the same member.
    ///
    /// The record with the higher counter does. A member should never send two records with one counter. If it does, `left` wins
    /// over `present`, and other ties are decided by an order that is the same at all members. So it does not matter in which
    /// order records arrive, and how often.
    package func supersedes(_ other: MemberRecord) -> Bool {
        guard counter == other.counter else { return counter > other.counter }
        guard status == other.status else { return status == .left }
        return self != other && order.lexicographicallyPrecedes(other.order)
    }

    private var order: [String] {
        ["\(incarnation)", displayName, platform, software] + addresses + [""] + links.map(\.text)
    }
}

extension MemberRecord {
    /// The first 64 bits of a member's id, as 16 hexadecimal digits: enough to tell the members of a group apart.
    package struct Mark: Hashable, Sendable, Codable, Comparable {
        static let length = 16

        /// The digits.
        package let text: String

        /// The mark of a member.
        package init(of id: PeerID) { text = String(id.hex.prefix(Self.length)) }

        /// Reads a mark.
        package init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.utf8.count == Self.length, Hexadecimal.decode(text) != nil, text == text.lowercased() else {
                throw DecodingError.unknownName(decoder)
            }
        }

        /// Writes the mark.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        /// Compares the digits.
        package static func < (left: MemberRecord.Mark, right: MemberRecord.Mark) -> Bool { left.text < right.text }
    }
}
