package import FoundationEssentials

/// What a sender with several offers has, for the receiver to pick from.
///
/// On the wire it is one JSON object with the list `offers`. Each of them is an object with the id of its manifest, and with what the
/// application says of it, which the protocol does not look into. An offer that cannot be read, or whose id was there before, is left
/// out and counted: it is no reason to refuse the others.
package struct Catalogue: Hashable, Sendable {
    /// The ids of the offers, in the sender's order; none is there twice.
    package let ids: [UUID]

    /// How many offers are left out.
    package let unreadableCount: Int

    /// The JSON object as it is on the wire.
    package let body: Data

    /// The SHA-256 digest of ``body``.
    package var digest: ContentDigest { ContentDigest(hashing: Array(body)) }

    /// Creates a catalogue.
    ///
    /// - `offers`: The offers; each encodes as a JSON object with its `id`.
    /// - Throws: ``ProtocolError`` if a receiver would refuse the result.
    package init(
        offers: [some Encodable],
        limits: ProtocolLimits = .standard
    ) throws(ProtocolError) {
        try self.init(parsing: ControlJSON.encode(["offers": offers], called: "The catalogue"), limits: limits)
    }

    /// Parses a catalogue.
    ///
    /// - Throws: ``ProtocolError`` unless it is an object with a list `offers` within `limits`.
    package init(parsing body: Data, limits: ProtocolLimits = .standard) throws(ProtocolError) {
        guard body.count <= limits.maximumCatalogueLength else {
            throw ProtocolError(.limitExceeded, "The catalogue has \(body.count) bytes, which is too long.")
        }
        let listed = try ControlJSON.decode(
            Offers<Offer>.self,
            from: body,
            integers: .nowhere,
            called: "The catalogue"
        )
        guard listed.offers.count <= limits.maximumCatalogueCount else {
            throw ProtocolError(.limitExceeded, "The catalogue lists \(listed.offers.count) offers, which is too many.")
        }
        var seen: Set<UUID> = []
        ids = listed.offers.compactMap(\.value?.id).filter { seen.insert($0).inserted }
        unreadableCount = listed.offers.count - ids.count
        self.body = body
    }

    /// Reads what the application says of the offers.
    ///
    /// - Returns: Those that can be read, in order, none twice.
    package func offers<Element: Decodable>(as type: Element.Type, id: (Element) -> UUID) -> [Element] {
        guard let listed = try? ControlJSON.decoder().decode(Offers<Element>.self, from: body) else { return [] }
        var left = Set(ids)
        return listed.offers.compactMap(\.value).filter { left.remove(id($0)) != nil }
    }

    private struct Offers<Element: Decodable>: Decodable {
        var offers: [Readable<Element>]
    }

    /// A value that may be anything.
    private struct Readable<Element: Decodable>: Decodable {
        var value: Element?

        init(from decoder: any Decoder) throws { value = try? Element(from: decoder) }
    }

    private struct Offer: Decodable {
        var id: UUID

        private enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decodeID(forKey: .id)
        }
    }
}
