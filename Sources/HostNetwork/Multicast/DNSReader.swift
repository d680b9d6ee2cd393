/// Reads what a packet of DNS is made of; what is missing or not valid is nil.
struct DNSReader {
    /// The maximum number of pointers in a name; they need not be in a chain, and real names have one or two.
    private static let maximumPointers = 32

    private let bytes: [UInt8]
    /// Where the next part begins.
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func byte(at position: Int) -> UInt8? { bytes.indices.contains(position) ? bytes[position] : nil }

    /// Reads a number of two bytes.
    mutating func number() -> UInt16? {
        guard let high = byte(at: position), let low = byte(at: position + 1) else { return nil }
        position += 2
        return UInt16(high) << 8 | UInt16(low)
    }

    /// Skips bytes; returns whether they are there.
    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count - position else { return false }
        position += count
        return true
    }

    /// Where a part with a length ends; nil if it is not complete.
    func end(after length: UInt16) -> Int? { Int(length) <= bytes.count - position ? position + Int(length) : nil }

    /// Reads a name (RFC 1035, section 4.1.4).
    mutating func name() -> DNSName? {
        var labels: [[UInt8]] = []
        var length = 1
        var pointers = 0
        var next = position
        // A pointer leads to something that was said before, so there is no circle.
        var limit = position
        var end: Int?
        while let count = byte(at: next) {
            switch count >> 6 {
            case 0 where count == 0:
                position = end ?? next + 1
                return DNSName(labels)
            case 0:
                let (start, stop) = (next + 1, next + 1 + Int(count))
                length += 1 + Int(count)
                guard stop <= bytes.count, length <= DNSName.maximumLength else { return nil }
                labels.append(Array(bytes[start..<stop]))
                next = stop
            case 3:
                guard let low = byte(at: next + 1) else { return nil }
                let target = Int(count & 0x3F) << 8 | Int(low)
                pointers += 1
                guard target < limit, pointers <= Self.maximumPointers else { return nil }
                end = end ?? next + 2
                (next, limit) = (target, target)
            default: return nil
            }
        }
        return nil
    }

    /// Reads what a record says, which must fill the bytes up to its end.
    mutating func content(_ type: DNSMessage.RecordType, until end: Int) -> DNSMessage.Content? {
        switch type {
        case .a, .aaaa:
            let address = IPAddress(bytes: Array(bytes[position..<end]))
            return address.flatMap { $0.isIPv6 == (type == .aaaa) ? .address($0) : nil }
        case .ptr:
            guard let name = name(), position == end else { return nil }
            return .service(name)
        case .srv:
            // Priority and weight come first.
            guard skip(4), let port = number(), let host = name(), position == end else { return nil }
            return .location(host: host, port: port)
        case .txt:
            var strings: [[UInt8]] = []
            while position < end, let count = byte(at: position) {
                let (start, stop) = (position + 1, position + 1 + Int(count))
                guard stop <= end else { return nil }
                strings.append(Array(bytes[start..<stop]))
                position = stop
            }
            return .text(strings)
        }
    }
}
