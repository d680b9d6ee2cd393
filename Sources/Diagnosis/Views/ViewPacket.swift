import HostNetwork
import PeerCore

/// A message of the exchange of views, as multicast DNS carries it (RFC 6762): a TXT record (RFC 6763, section 6) of the
/// name `_APPLICATION-view._udp.local`, in a question or in an answer.
struct ViewPacket: Hashable {
    var isAnswer: Bool
    /// The values of the record.
    var values: [String: String]

    /// The maximum number of bytes of a packet, which fits in every network.
    static let maximumLength = 512
    /// The only version.
    private static let version = "1"
    /// The maximum number of strings in a record.
    private static let maximumStrings = 16
    /// The length of the record's data.
    private static let sizeLength = 2

    init(isAnswer: Bool, values: [String: String]) {
        self.isAnswer = isAnswer
        self.values = values
    }

    /// Reads a packet; nil for any other one.
    ///
    /// Unknown values are ignored, and of each the first counts.
    init?(parsing bytes: [UInt8], for application: PeerServiceType) {
        guard bytes.count <= Self.maximumLength else { return nil }
        for isAnswer in [false, true] {
            let start = Self.start(isAnswer, application)
            guard bytes.starts(with: start), var values = Self.values(in: bytes.dropFirst(start.count)) else {
                continue
            }
            guard values.removeValue(forKey: "v") == Self.version else { return nil }
            self.init(isAnswer: isAnswer, values: values)
            return
        }
        return nil
    }

    func bytes(for application: PeerServiceType) -> [UInt8] {
        var strings: [UInt8] = []
        for (key, value) in [("v", Self.version)] + values.sorted(by: { $0.key < $1.key }) {
            let string = "\(key)=\(value)".utf8.prefix(255)
            strings.append(UInt8(clamping: string.count))
            strings += string
        }
        return Self.start(isAnswer, application) + Self.bytes(UInt16(clamping: strings.count)) + strings
    }

    /// What comes before the length of the record's data.
    ///
    /// Its form is fixed, so that nothing of it must be interpreted.
    private static func start(_ isAnswer: Bool, _ application: PeerServiceType) -> [UInt8] {
        var name: [UInt8] = []
        for label in ["_\(application.name)-view", "_udp", "local"] {
            name.append(UInt8(clamping: label.utf8.count))
            name += label.utf8
        }
        name.append(0)
        // Type TXT, class IN; the record can be kept for a second.
        let kind: [UInt8] = [0, 16, 0, 1]
        let record: [UInt8] = kind + [0, 0, 0, 1]
        // Number, flags, and the numbers of questions, answers, authorities and further records (RFC 1035, section 4.1.1).
        if isAnswer { return [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0] + name + record }
        // The name of the record is that of the question, which is behind the header (section 4.1.4).
        return [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1] + name + kind + [0xC0, 12] + record
    }

    /// Reads the length of the record's data and the data; nil if they are not complete.
    private static func values(in bytes: ArraySlice<UInt8>) -> [String: String]? {
        guard bytes.count >= sizeLength else { return nil }
        let length = bytes.prefix(sizeLength).reduce(0) { $0 << 8 | Int($1) }
        var rest = bytes.dropFirst(sizeLength)
        guard length <= rest.count else { return nil }
        rest = rest.prefix(length)
        var values: [String: String] = [:]
        for _ in 0..<maximumStrings {
            guard let count = rest.popFirst() else { return values }
            guard count <= rest.count else { return nil }
            let string = String(decoding: rest.prefix(Int(count)), as: UTF8.self)
            rest = rest.dropFirst(Int(count))
            guard let equals = string.firstIndex(of: "=") else { continue }
            let key = String(string[..<equals])
            if values[key] == nil { values[key] = String(string[string.index(after: equals)...]) }
        }
        return rest.isEmpty ? values : nil
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    /// Writes bytes as hexadecimal digits.
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Reads hexadecimal digits; nil for any other text, and for a number of bytes that is not permitted.
    static func bytes(_ text: some StringProtocol, counts: Set<Int>) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), counts.contains(digits.count / 2) else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.flatMap { UInt8(exactly: $0) } }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// Writes addresses.
    static func text(_ addresses: [IPAddress]) -> String { addresses.map { text($0.bytes) }.joined(separator: ",") }

    /// Reads addresses; nil if there is none, if there are too many, or if one is not an address.
    static func addresses(_ text: String) -> [IPAddress]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= ViewQuestion.maximumAddresses else { return nil }
        let addresses = parts.compactMap { bytes($0, counts: [4, 16]).flatMap { IPAddress(bytes: $0) } }
        return addresses.count == parts.count ? addresses : nil
    }
}
