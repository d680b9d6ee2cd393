package import FoundationEssentials
package import NIOCore

/// A notice about a resource that a side offers or is offered: the payload of the frame `resource`.
///
/// The resource itself is sent over a connection of its own.
package struct ResourceNotice: Hashable, Sendable {
    /// What is offered.
    package struct Offer: Hashable, Sendable {
        /// The name, for people; never a path.
        package var name: String
        /// The number of bytes.
        package var size: UInt64
        /// The number of files.
        package var count: Int
        /// What the application says of the resource.
        package var metadata: Data

        package init(name: String, size: UInt64, count: Int, metadata: Data = Data()) {
            self.name = name
            self.size = size
            self.count = count
            self.metadata = metadata
        }
    }

    /// What is said.
    package enum Verb: Hashable, Sendable {
        /// A side offers a resource.
        case offer(Offer)
        /// The other side wants it.
        case accept
        /// The other side does not want it.
        case decline(Refusal)
        /// One of them gives the transfer up.
        case cancel(reason: String)
        /// A connection may be opened for the transfer; it begins with this notice.
        case attach(ConnectionSecret)
        /// The receiver has all of it.
        case received
    }

    /// The longest payload.
    package static let maximumLength = 65_536
    static let maximumNameLength = 255
    static let maximumMetadataLength = 4096

    /// The transfer that is meant.
    package var transfer: UUID
    /// What is said of it.
    package var verb: Verb

    package init(transfer: UUID, verb: Verb) {
        self.transfer = transfer
        self.verb = verb
    }

    /// Whether every number and every length is allowed.
    var isWithinBounds: Bool {
        let limits = ProtocolLimits.standard
        switch verb {
        case .offer(let offer):
            return !offer.name.isEmpty && offer.name.utf8.count <= Self.maximumNameLength
                && offer.size <= limits.maximumResourceSize && (1...limits.maximumResourceCount).contains(offer.count)
                && offer.metadata.count <= Self.maximumMetadataLength
        case .decline(let refusal): return refusal.isWithin(limits)
        case .cancel(let reason): return reason.utf8.count <= limits.maximumTextLength
        case .accept, .attach, .received: return true
        }
    }

    /// Writes the payload.
    ///
    /// - Throws: ``ProtocolError`` if the other side would refuse it.
    package func encoded() throws(ProtocolError) -> ByteBuffer {
        guard isWithinBounds else { throw .tooLong("resource") }
        return try ControlJSON.encode(self, "resource", atMost: Self.maximumLength)
    }

    /// Reads a payload.
    ///
    /// - Throws: ``ProtocolError`` if it is not one, or if a part is beyond its bounds.
    package init(decoding payload: ByteBuffer) throws(ProtocolError) {
        self = try ControlJSON.decode(ResourceNotice.self, payload, "resource", atMost: Self.maximumLength)
        guard isWithinBounds else { throw .tooLong("resource") }
    }
}

extension ResourceNotice: Codable {
    private enum Name: String, Codable {
        case offer
        case accept
        case decline
        case cancel
        case attach
        case received

        init(from decoder: any Decoder) throws {
            guard let name = try Name(shortNameFrom: decoder) else { throw DecodingError.unknownName(decoder) }
            self = name
        }
    }

    private enum CodingKeys: CodingKey { case verb, transfer, name, size, count, metadata, code, reason, secret }

    /// Reads a notice.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        transfer = try container.decode(UUID.self, forKey: .transfer)
        switch try container.decode(Name.self, forKey: .verb) {
        case .offer:
            verb = .offer(
                Offer(
                    name: try container.decode(String.self, forKey: .name),
                    size: try container.decode(UInt64.self, forKey: .size),
                    count: try container.decode(Int.self, forKey: .count),
                    metadata: try container.decodeUnlessMissing(Data.self, forKey: .metadata) ?? Data()
                )
            )
        case .accept: verb = .accept
        case .decline:
            let code = try container.decode(Refusal.Code.self, forKey: .code)
            verb = .decline(Refusal(code, try container.decode(String.self, forKey: .reason)))
        case .cancel: verb = .cancel(reason: try container.decode(String.self, forKey: .reason))
        case .attach: verb = .attach(try container.decode(ConnectionSecret.self, forKey: .secret))
        case .received: verb = .received
        }
    }

    /// Writes a notice.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(transfer, forKey: .transfer)
        switch verb {
        case .offer(let offer):
            try container.encode(Name.offer, forKey: .verb)
            try container.encode(offer.name, forKey: .name)
            try container.encode(offer.size, forKey: .size)
            try container.encode(offer.count, forKey: .count)
            if !offer.metadata.isEmpty { try container.encode(offer.metadata, forKey: .metadata) }
        case .accept: try container.encode(Name.accept, forKey: .verb)
        case .decline(let refusal):
            try container.encode(Name.decline, forKey: .verb)
            try container.encode(refusal.code, forKey: .code)
            try container.encode(refusal.reason, forKey: .reason)
        case .cancel(let reason):
            try container.encode(Name.cancel, forKey: .verb)
            try container.encode(reason, forKey: .reason)
        case .attach(let secret):
            try container.encode(Name.attach, forKey: .verb)
            try container.encode(secret, forKey: .secret)
        case .received: try container.encode(Name.received, forKey: .verb)
        }
    }
}
