import FoundationEssentials
package import NIOCore

/// What one member tells another one of the members of their group: the payload of the frame `members`.
package struct MemberList: Hashable, Sendable, Codable {
    /// The longest payload.
    package static let maximumLength = 65_536

    /// The records, at most 64.
    package var members: [MemberRecord]

    package init(members: [MemberRecord]) { self.members = members }

    /// Writes records as payloads: as few as there can be, each within its bounds.
    ///
    /// - Throws: ``ProtocolError`` if a single record is too long.
    package static func payloads(of records: [MemberRecord]) throws(ProtocolError) -> [ByteBuffer] {
        guard !records.isEmpty else { return [] }
        guard records.allSatisfy(\.isWithinBounds) else { throw .tooLong("members") }
        let data = try ControlJSON.encode(MemberList(members: records), called: "The frame “members”")
        if data.count <= maximumLength, records.count <= MemberRecord.maximumMemberCount {
            return [ByteBuffer(bytes: data)]
        }
        guard records.count > 1 else { throw .tooLong("members") }
        let half = records.count / 2
        return try payloads(of: Array(records.prefix(half))) + payloads(of: Array(records.dropFirst(half)))
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or if a part is beyond its bounds.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        self = try ControlJSON.decode(MemberList.self, payload, "members", atMost: Self.maximumLength)
        guard members.count <= MemberRecord.maximumMemberCount, members.allSatisfy(\.isWithinBounds) else {
            throw .tooLong("members")
        }
    }
}

extension MemberRecord: Codable {
    private enum CodingKeys: CodingKey {
        case id
        case incarnation
        case counter
        case status
        case displayName
        case platform
        case software
        case addresses
        case links
    }

    /// Reads a record; the names, the addresses and the links may be missing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(PeerID.self, forKey: .id)
        incarnation = try container.decode(Incarnation.self, forKey: .incarnation)
        counter = try container.decode(UInt64.self, forKey: .counter)
        status = try container.decode(Status.self, forKey: .status)
        displayName = try container.decodeUnlessMissing(String.self, forKey: .displayName) ?? ""
        platform = try container.decodeUnlessMissing(String.self, forKey: .platform) ?? ""
        software = try container.decodeUnlessMissing(String.self, forKey: .software) ?? ""
        addresses = try container.decodeUnlessMissing([String].self, forKey: .addresses) ?? []
        links = try container.decodeUnlessMissing([MemberRecord.Mark].self, forKey: .links) ?? []
    }

    /// Writes a record.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(incarnation, forKey: .incarnation)
        try container.encode(counter, forKey: .counter)
        try container.encode(status, forKey: .status)
        if !displayName.isEmpty { try container.encode(displayName, forKey: .displayName) }
        if !platform.isEmpty { try container.encode(platform, forKey: .platform) }
        if !software.isEmpty { try container.encode(software, forKey: .software) }
        if !addresses.isEmpty { try container.encode(addresses, forKey: .addresses) }
        if !links.isEmpty { try container.encode(links, forKey: .links) }
    }
}
