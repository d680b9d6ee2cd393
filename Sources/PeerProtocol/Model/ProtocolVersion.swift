/// A version of the wire protocol.
public struct ProtocolVersion: Hashable, Sendable, Comparable {
    /// The version's number, from 1.
    public let number: Int

    /// Creates a version.
    public init(_ number: Int) { self.number = number }

    /// Version 1.
    public static let version1 = ProtocolVersion(1)

    /// The versions that this library speaks.
    public static let supported: [ProtocolVersion] = [.version1]

    /// Compares two versions by number.
    public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
        left.number < right.number
    }

    /// Returns the highest version that both sides speak; nil if there is none.
    static func highestCommon(_ ours: [ProtocolVersion], _ theirs: [ProtocolVersion]) -> ProtocolVersion? {
        Set(ours).intersection(theirs).max()
    }
}

extension ProtocolVersion: Codable {
    /// Reads a version from its number.
    public init(from decoder: any Decoder) throws {
        self.number = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Writes the version's number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
