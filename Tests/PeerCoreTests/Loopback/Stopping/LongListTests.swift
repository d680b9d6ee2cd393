import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Lists of digests that are as long as lists can be.
@Suite(.timeLimit(.minutes(10))) struct LongListTests {
    /// A file of 1 GiB without any content, and a list that claims otherwise.
    private struct LargestList: ResourceSource {
        let manifest: Manifest
        private let path: String
        private let digests: [ContentDigest]

        init(in directory: TemporaryDirectory) throws {
            let id = UUID()
            let layout = try #require(ChunkLayout(size: 1 << 30))
            path = directory.path("zeros")
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(truncate(path, off_t(layout.size)) == 0)
            digests = (0..<layout.chunkCount).map { ContentDigest(hashing: Array("\($0)".utf8)) }
            let entry = ManifestEntry(
                name: ResourceName(kind: .mbtiles, id: id),
                layout: layout,
                digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
            )
            let description = MemorySource.Description(id: id, name: "Long")
            manifest = try Manifest(id: id, describing: description, entries: [entry])
        }

        func chunkDigests(of entry: ManifestEntry) -> [ContentDigest] { digests }

        func content(of entry: ManifestEntry) -> ResourceContent { .file(path: path) }
    }

    private static let partCount = 64

    @Test func aCancelDoesNotWaitBehindThem() async throws {
        let pair = try Pair(encryption: .none)
        let control = TransferControl()
        try await TemporaryDirectory.with { directory in
            try await pair.serving(LargestList(in: directory), control: control) { [pair] address, finished in
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet(RawPeer.hello(pair.receiver.id))
                    _ = try await peer.invite()
                    // It reads nothing, like a link on which nothing moves.
                    try await peer.channel.setOption(.autoRead, value: false).get()
                    try await peer.send(.selection(ResourceSelection(kinds: [.mbtiles])))
                    try await Task.sleep(for: .milliseconds(500))
                    control.cancel(reason: "a bear")
                    try await peer.channel.setOption(.autoRead, value: true).get()
                    var count = 0
                    while let frame = try await peer.nextFrame(), frame.type != .cancel {
                        #expect(frame.type == .digests)
                        count += 1
                    }
                    #expect(count < Self.partCount / 2)
                }
                #expect(peerError(await finished.next()?.result)?.code == .cancelled)
            }
        }
    }

    @Test func theyComeWhole() async throws {
        let pair = try Pair(encryption: .none)
        try await TemporaryDirectory.with { directory in
            let source = try LargestList(in: directory)
            try await pair.serving(source) { [pair] address, _ in
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet(RawPeer.hello(pair.receiver.id))
                    try await peer.send(.selection(ResourceSelection(kinds: peer.invite().entries.map(\.kind))))
                    var digests: [ContentDigest] = []
                    for index in 0..<Self.partCount {
                        guard case .digests(let part) = try await peer.next(.digests) else { break }
                        #expect(part.first == index * 1024)
                        digests += part.digests
                    }
                    #expect(digests == source.chunkDigests(of: source.manifest.entries[0]))
                }
            }
        }
    }
}
