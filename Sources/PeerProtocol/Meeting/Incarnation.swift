/// One run of a peer's program: 16 random bytes, which its `hello` says.
///
/// On the wire, it is text: the bytes in base64url (RFC 4648, section 5) without padding, 22 characters.
package struct Incarnation: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates an incarnation from its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a random incarnation.
    package static func random() -> Incarnation {
        Incarnation(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
    }
}

extension Incarnation: Codable {
    private static let byteCount = 16

    /// Reads the text.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = Base64URL.bytes(of: text, count: Self.byteCount) else {
            throw DecodingError.unknownName(decoder)
        }
        self.init(high: Self.integer(bytes.prefix(8)), low: Self.integer(bytes.suffix(8)))
    }

    /// Writes the text.
    package func encode(to encoder: any Encoder) throws {
        let bytes = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.text(of: bytes))
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The programs of a peer that another one has displaced, the last eight of them.
struct DisplacedPrograms: Hashable, Sendable {
    /// What is remembered of a program.
    struct Program: Hashable, Sendable {
        let incarnation: Incarnation
        /// What the application was asked about its last wish.
        var question: MeetingStateMachine.Question?
        /// How many connections with it have carried a link.
        var connectionCount: UInt32 = 0
        /// The highest epoch of a link with it.
        var lastEpoch: UInt32 = 0
    }

    /// How many programs are remembered.
    static let limit = 8
    private var programs: [Program] = []

    /// Remembers a program, and forgets the oldest program if there are too many.
    mutating func append(_ program: Program) {
        programs.append(program)
        if programs.count > Self.limit { programs.removeFirst() }
    }

    /// Forgets a program, which counts from now on, and returns what was remembered of it; a program that was not displaced is new.
    mutating func remove(_ incarnation: Incarnation) -> Program {
        guard let index = programs.firstIndex(where: { $0.incarnation == incarnation }) else {
            return Program(incarnation: incarnation)
        }
        return programs.remove(at: index)
    }

    /// Returns the last wish of a displaced program, 0 if it had none; nil if the program is not displaced.
    func lastWish(of incarnation: Incarnation) -> UInt64? {
        programs.first { $0.incarnation == incarnation }.map { $0.question?.wish ?? 0 }
    }
}
