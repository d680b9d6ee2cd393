/// A message of multicast DNS (RFC 1035, section 4.1; RFC 6762, section 18), as far as services need it.
package struct DNSMessage: Hashable, Sendable {
    /// What a record says of its name.
    package enum Content: Hashable, Sendable {
        /// Of a type of services: the name of one of them (PTR).
        case service(DNSName)
        /// Of a service: its host and its port (SRV).
        case location(host: DNSName, port: UInt16)
        /// Of a service: the strings that describe it (TXT).
        case text([[UInt8]])
        /// Of a host: an address (A, AAAA).
        case address(IPAddress)
    }

    /// A record that is valid for a while, in the class of the internet.
    package struct Record: Hashable, Sendable {
        package var name: DNSName
        package var content: Content
    }

    /// The types of records that are asked for and read.
    package enum RecordType: UInt16, Sendable {
        case a = 1
        case ptr = 12
        case txt = 16
        case aaaa = 28
        case srv = 33
    }

    /// The maximum number of bytes of a packet (RFC 6762, section 17).
    package static let maximumLength = 9000
    /// The maximum number of questions of a message.
    private static let maximumQuestions = 64
    /// The maximum number of records that are read; what follows is ignored.
    private static let maximumRecords = 256
    private static let headerLength = 12
    private static let internet: UInt16 = 1

    /// Relates an answer to its question.
    package var id: UInt16
    /// Whether it is an answer, not a question.
    package var isAnswer: Bool
    /// The records of the types that are known.
    package var records: [Record]

    /// Reads a message; nil if it is too long or not valid.
    package init?(reading bytes: [UInt8]) {
        guard (Self.headerLength...Self.maximumLength).contains(bytes.count) else { return nil }
        var reader = DNSReader(bytes)
        guard let id = reader.number(), let flags = reader.number(), let questions = reader.number(),
            questions <= Self.maximumQuestions
        else { return nil }
        var count = 0
        for _ in 0..<3 {
            guard let more = reader.number() else { return nil }
            count += Int(more)
        }
        for _ in 0..<questions {
            guard reader.name() != nil, reader.skip(4) else { return nil }
        }
        self.id = id
        isAnswer = flags & 0x8000 != 0
        records = []
        for _ in 0..<min(count, Self.maximumRecords) {
            guard let name = reader.name(), let type = reader.number(), let kind = reader.number(),
                let lifetime =
                    (reader.number().flatMap { high in reader.number().map { UInt32(high) << 16 | UInt32($0) } }),
                let length = reader.number(), let end = reader.end(after: length)
            else { return nil }
            // The first bit of the class says that older records are void (RFC 6762, section 10.2); a lifetime of 0, that
            // this one is (section 10.1).
            if kind & 0x7FFF == Self.internet, lifetime > 0, let type = RecordType(rawValue: type) {
                guard let content = reader.content(type, until: end) else { return nil }
                records.append(Record(name: name, content: content))
            }
            reader.position = end
        }
    }

    /// Writes a question.
    package static func question(_ type: RecordType, of name: DNSName, id: UInt16 = 0) -> [UInt8] {
        var bytes = [id, 0, 1, 0, 0, 0].flatMap { Self.bytes($0) }
        for label in name.labels { bytes += [UInt8(clamping: label.count)] + label }
        return bytes + [0] + Self.bytes(type.rawValue) + Self.bytes(internet)
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
