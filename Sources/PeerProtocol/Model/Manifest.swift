public import FoundationEssentials

/// What a transfer offers: a description that the protocol does not look into, and the resources that follow.
///
/// On the wire it is one JSON object: the description's own fields and `resources`. ``body`` keeps the exact bytes,
/// so that later code can read fields that this version does not know.
public struct Manifest: Hashable, Sendable {
    /// The id of what is transferred, a region's for instance.
    public let id: UUID

    /// The resources, in the order in which they are sent; each kind at most once.
    public let entries: [ManifestEntry]

    /// The JSON object as it is on the wire.
    public let body: Data

    /// The SHA-256 digest of ``body``: equal manifests offer equal bytes.
    public let digest: ContentDigest

    /// The size of all resources together, in bytes.
    public var totalSize: UInt64 { entries.reduce(0) { $0 + $1.size } }

    /// Returns the entry of a kind; nil if the manifest has none.
    public func entry(of kind: ResourceKind) -> ManifestEntry? { entries.first { $0.kind == kind } }

    /// Creates a manifest from a description and the resources that follow it.
    ///
    /// - Parameters:
    ///   - id: The id of what is transferred. The description must encode the same as `id`.
    ///   - description: What is offered, in the application's own words. It must encode as a JSON object.
    ///   - entries: The resources in the order in which they are sent.
    ///   - limits: The bounds that a receiver would apply.
    /// - Throws: ``ProtocolError`` if a receiver would refuse the result.
    public init(
        id: UUID,
        describing description: some Encodable,
        entries: [ManifestEntry],
        limits: ProtocolLimits = .standard
    ) throws(ProtocolError) {
        let wire = WireManifest.Outgoing(description: description, resources: entries.map(WireManifest.Resource.init))
        let body = try ControlJSON.encode(wire, called: "The description of the offer", else: .invalidManifest)
        try self.init(parsing: body, limits: limits)
        guard self.id == id else {
            throw ProtocolError(.invalidManifest, "The description of the offer has another id.")
        }
    }

    /// Parses and checks a manifest.
    ///
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidManifest`` unless it is an object with an `id`
    ///   and `resources` whose names carry that id, whose kinds differ and
    ///   whose sizes and number are within `limits`.
    public init(parsing body: Data, limits: ProtocolLimits = .standard) throws(ProtocolError) {
        guard body.count <= limits.maximumManifestLength else {
            throw ProtocolError(
                .limitExceeded,
                "The manifest has \(body.count) bytes; at most \(limits.maximumManifestLength) are allowed."
            )
        }
        let wire = try ControlJSON.decode(
            WireManifest.Incoming.self,
            from: body,
            integers: .inValue(of: "resources"),
            called: "The manifest",
            else: .invalidManifest
        )
        guard wire.resources.count <= limits.maximumResourceCount else {
            throw ProtocolError(
                .limitExceeded,
                "The manifest lists \(wire.resources.count) resources; at most \(limits.maximumResourceCount) are allowed."
            )
        }
        var kinds: Set<ResourceKind> = [.manifest, .done]
        var entries: [ManifestEntry] = []
        var total: UInt64 = 0
        for resource in wire.resources {
            let entry = try resource.checked(against: wire.id, limits: limits)
            guard kinds.insert(entry.kind).inserted else {
                throw ProtocolError(.invalidManifest, "The manifest lists \(entry.kind) in the wrong place.")
            }
            total += entry.size
            entries.append(entry)
        }
        guard total <= limits.maximumResourceSize else {
            throw ProtocolError(
                .limitExceeded,
                "The manifest lists \(total) bytes; at most \(limits.maximumResourceSize) are allowed."
            )
        }
        self.id = wire.id
        self.entries = entries
        self.body = body
        self.digest = ContentDigest(hashing: Array(body))
    }

    /// Reads the description of what is offered.
    ///
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidManifest`` if it does not decode.
    public func description<Description: Decodable>(as type: Description.Type) throws(ProtocolError) -> Description {
        do {
            return try ControlJSON.decoder().decode(type, from: body)
        } catch {
            let why = (error as? DecodingError).map { ": \($0.clause)" } ?? ""
            throw ProtocolError(
                .invalidManifest,
                "The manifest does not describe what was expected\(why).",
                cause: error
            )
        }
    }
}

/// The JSON shapes of a manifest.
private enum WireManifest {
    struct Incoming: Decodable {
        var id: UUID
        var resources: [Resource]

        enum CodingKeys: CodingKey { case id, resources }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decodeID(forKey: .id)
            self.resources = try container.decode([Resource].self, forKey: .resources)
        }
    }

    struct Outgoing<Description: Encodable>: Encodable {
        var description: Description
        var resources: [Resource]

        enum CodingKeys: CodingKey { case resources }

        func encode(to encoder: any Encoder) throws {
            try description.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(resources, forKey: .resources)
        }
    }

    struct Resource: Codable {
        var name: ResourceName
        var size: UInt64
        var digest: ContentDigest

        init(_ entry: ManifestEntry) {
            self.name = entry.name
            self.size = entry.size
            self.digest = entry.digest
        }

        func checked(against id: UUID, limits: ProtocolLimits) throws(ProtocolError) -> ManifestEntry {
            guard name.id == id else {
                throw ProtocolError(.invalidManifest, "The manifest lists a resource with another id.")
            }
            guard size <= limits.maximumResourceSize, let layout = ChunkLayout(size: size) else {
                throw ProtocolError(
                    .limitExceeded,
                    "The resource \(name.kind) has \(size) bytes; at most \(limits.maximumResourceSize) are allowed."
                )
            }
            return ManifestEntry(name: name, layout: layout, digest: digest)
        }
    }
}
