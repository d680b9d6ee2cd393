import NIOCore
package import PeerCore
import PeerTestSupport
import RegionStore

/// A store that is opened and receives what is offered, as the command does, without a network.
package struct Reception: Sendable {
    package var offer: Offer
    /// A first try ends after so many chunks of the map; nil if there is none.
    package var firstTry: Int?

    /// Of what kinds it is kept what has arrived.
    package static let keptKinds: Set<ResourceKind> = [.mbtiles, .routing, .photos]

    /// What a reception did, however it ended.
    package final class Account: Sendable {
        private let chunks = Locked<[Int]>([])

        package init() {}

        /// After how many steps each chunk of a file was written.
        package var writtenChunks: [Int] { chunks.value }

        fileprivate func wrote(_ steps: Int) {
            chunks.withLock { $0.append(steps) }
        }
    }

    package init(offer: Offer, firstTry: Int? = nil) {
        self.offer = offer
        self.firstTry = firstTry
    }

    /// Receives into the store of that name in the recorder's folder.
    @discardableResult
    package func run(_ store: String, _ recorder: StepRecorder, _ account: Account = .init()) throws -> TransferReceipt
    {
        try DatabaseFiles.watching(recorder) {
            let store = try RegionStore(path: recorder.folder + "/" + store, faults: recorder)
            let (sink, peer) = (store.sink(), RemotePeer.called("Anna"))
            let kinds = Set(offer.manifest.entries.map(\.kind))
            try sink.examine(offer.manifest)
            if let firstTry, let map = offer.manifest.entry(of: .mbtiles) {
                let transfer = try sink.begin(offer.manifest, accepting: kinds, fromPeer: peer)
                defer { transfer.abandon() }
                try send(map, to: transfer, atMost: firstTry, recorder, account)
            }
            let transfer = try sink.begin(offer.manifest, accepting: kinds, fromPeer: peer)
            do {
                for entry in offer.manifest.entries {
                    try send(entry, to: transfer, recorder, account)
                    try transfer.finish(entry)
                }
                return try transfer.commit()
            } catch {
                transfer.abandon()
                throw error
            }
        }
    }

    private func send(
        _ entry: ManifestEntry,
        to transfer: any IncomingTransfer,
        atMost count: Int = .max,
        _ recorder: StepRecorder,
        _ account: Account
    ) throws {
        let bytes = try offer.bytes(of: entry)
        let missing = try transfer.missingChunks(of: entry, digests: try offer.chunkDigests(of: entry))
        let older = transfer.deltaBasis(of: entry)
        for chunk in missing.ranges.joined().prefix(count) {
            let range = entry.layout.byteRange(of: chunk..<chunk + 1)
            let part = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
            if older?.chunks.ranges.contains(where: { $0.contains(chunk) }) == true {
                let arrived = min(part.count, 4096)
                try transfer.writeAssembled(
                    ByteBuffer(bytes: part),
                    at: range.lowerBound,
                    of: entry,
                    arrivedCount: arrived
                )
            } else {
                let middle = part.startIndex + part.count / 3
                let buffers = [ByteBuffer(bytes: part[..<middle]), ByteBuffer(bytes: part[middle...])]
                try transfer.write(buffers, at: range.lowerBound, of: entry)
            }
            if Self.keptKinds.contains(entry.kind) { account.wrote(recorder.steps.count) }
        }
    }
}
