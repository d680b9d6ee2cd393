import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

/// The values that the tests and the wire format's examples share.
enum Sample {
    static let id = UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E") ?? UUID()
    static let otherID = UUID(uuidString: "7C9E6679-7425-40DE-944B-E07FC1F90AE7") ?? UUID()
    static let sender = PeerID(digest: ContentDigest(hashing: Array("sender".utf8)))
    static let receiver = PeerID(digest: ContentDigest(hashing: Array("receiver".utf8)))
    static let receiverNonce = nonce(0x00)
    static let senderNonce = nonce(0x20)
    static let parties = PairingDigits.Parties(version: .version1, receiver: receiver, sender: sender)
    /// The bytes 0x00 to 0x09.
    static let token = token(0x00)

    /// 32 bytes that count up.
    static func nonce(_ first: UInt8) -> PairingNonce {
        guard let nonce = PairingNonce(bytes: Array(first..<first + 32)) else { preconditionFailure("not 32 bytes") }
        return nonce
    }

    /// 10 bytes that count up.
    static func token(_ first: UInt8) -> ShareToken {
        guard let token = ShareToken(bytes: first..<first + 10) else { preconditionFailure("not 10 bytes") }
        return token
    }

    /// The bytes 0x00 to 0x0F.
    static let laneSecret = laneSecret(0x00)

    /// 16 bytes that count up.
    static func laneSecret(_ first: UInt8) -> ConnectionSecret {
        guard let secret = ConnectionSecret(bytes: Array(first..<first + 16)) else {
            preconditionFailure("not 16 bytes")
        }
        return secret
    }

    /// The time 2026-05-01T08:30:00Z.
    static let time = Date(timeIntervalSince1970: 1_777_624_200)

    static let hello = Hello(
        application: "hikeshare",
        peerID: sender,
        displayName: "Ana’s laptop",
        platform: "Linux",
        software: "hikeshare 0.1.0",
        role: .listener,
        encryption: .required
    )
    static let receiverHello = Hello(
        application: "hikeshare",
        peerID: receiver,
        displayName: "Ben",
        platform: "Linux",
        software: "hikeshare 0.1.0",
        role: .dialer,
        encryption: .optional
    )
    static let invitation = InvitationRequest(timeout: 15, context: Data("hike?".utf8))
    static let refusal = Refusal(.busy, "Two transfers are running.")
    static let cancellation = Cancellation(reason: "Stopped by Ana.")
    static let failure = Failure(
        code: "localStorage",
        message: "The disk is full.",
        remedy: "Free 2 GB and try again."
    )
    static let error = ProtocolError(.invalidFrame, "unreadable")

    /// Three chunks, the last one short.
    static let tiles = SampleResource(.mbtiles, (0..<40_000).map { UInt8($0 % 251) })
    static let waypoints = SampleResource(.waypoints, Array("[]".utf8))
    static let emptyRoutes = SampleResource(.savedroutes, [])

    static let acknowledgement = Acknowledgement(
        id: id,
        time: time,
        imported: ["mbtiles": 1, "waypoints": 3],
        keptLocal: ["waypoints": 1]
    )

    /// The manifest of the wire format's example: tiles and waypoints.
    static func manifest(_ resources: [SampleResource] = [tiles, waypoints]) throws -> Manifest {
        try Manifest(id: id, describing: Offer(id: id, name: "Andorra"), entries: resources.map(\.entry))
    }
}

/// What the sample manifests describe.
struct Offer: Codable, Equatable {
    var id: UUID
    var name: String
}

/// A resource in memory.
struct SampleResource: Sendable {
    let entry: ManifestEntry
    let bytes: [UInt8]
    let digests: [ContentDigest]

    init(_ kind: ResourceKind, _ bytes: [UInt8]) {
        guard let layout = ChunkLayout(size: UInt64(bytes.count)) else {
            preconditionFailure("a sample of \(bytes.count) bytes is too large")
        }
        self.bytes = bytes
        self.digests = bytes.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
        self.entry = ManifestEntry(
            name: ResourceName(kind: kind, id: Sample.id),
            layout: layout,
            digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
        )
    }

    var layout: ChunkLayout { entry.layout }

    func bytes(in range: Range<UInt64>) -> ArraySlice<UInt8> {
        bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// The list of the pages of chunks, and the chunk behind the last that it covers.
    func pageList(_ chunks: Range<Int>..., limits: ProtocolLimits = .standard) throws -> (bytes: ByteBuffer, end: Int) {
        let chunks = try #require(layout.runs(validating: chunks))
        return try #require(
            try PieceListBuilder.list(of: chunks, layout: layout, limits: limits) { ByteBuffer(bytes: bytes(in: $0)) }
        )
    }

    /// The bytes of pages.
    func pages(_ pages: Range<Int>...) throws -> ByteRuns {
        let size = UInt64(bytes.count)
        return try #require(
            layout.byteRuns(
                validating: pages.map { UInt64($0.lowerBound) * 4096..<min(size, UInt64($0.upperBound) * 4096) }
            )
        )
    }

    func runs(_ ranges: Range<Int>...) throws -> ChunkRuns {
        try #require(layout.runs(validating: ranges))
    }
}
