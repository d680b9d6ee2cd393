import Avahi
import Foundation
import PeerCore
import RegionStore

/// Moves bytes from memory to memory, then a region from one store to another, over loopback.
@main
enum Application {
    static func main() async throws {
        let bytes = (0..<1_000_000).map { _ in UInt8.random(in: .min ... .max) }
        let sink = MemorySink()
        try await transfer(MemorySource(bytes), into: sink)
        guard sink.bytes == bytes else { throw Problem.different("bytes") }

        let work = FileManager.default.temporaryDirectory.appendingPathComponent("hikeshare-application-\(UUID())")
        defer { try? FileManager.default.removeItem(at: work) }
        let anna = try RegionStore(path: work.appendingPathComponent("anna").path)
        let ben = try RegionStore(path: work.appendingPathComponent("ben").path)
        let region = try anna.importMap(at: CommandLine.arguments[1]).region
        let received = try await transfer(try anna.source(for: region.id), into: ben.sink(), trust: ben.trustedPeers)
        guard received.receipt.imported["mbtiles"] == 1, try ben.regions().map(\.id) == [region.id] else {
            throw Problem.different("region")
        }

        let type = try ServiceType("_notes._tcp")
        print("\(bytes.count) bytes and “\(region.name)” arrived; \(type) is a service type.")
    }

    private static func peer(_ name: String, of application: PeerServiceType) throws -> LocalPeer {
        LocalPeer(
            application: application,
            identity: try .generate(for: application),
            displayName: name,
            software: "application 1"
        )
    }

    /// Serves a source on a port of this machine and receives it from there.
    @discardableResult
    static func transfer(
        _ source: some ResourceSource,
        into sink: some ResourceSink,
        trust: any TrustStore = EmptyTrustStore()
    ) async throws -> TransferReceiver.Result {
        guard let notes = PeerServiceType("notes") else { throw Problem.different("name") }
        let (sender, receiver) = (try peer("Anna", of: notes), try peer("Ben", of: notes))
        return try await PeerListener.with(local: sender, host: "127.0.0.1") { listener in
            async let sent: Void = TransferSender(local: sender, source: source).serve(
                on: listener,
                decide: { _ in .accept },
                finished: { _ in false }
            )
            let result = try await TransferReceiver(local: receiver, trust: trust).receive(
                from: [PeerAddress(host: "127.0.0.1", port: listener.port)],
                expecting: sender.id,
                into: sink
            ) { offer in
                .accept(Set(offer.manifest.entries.map(\.kind)))
            }
            try await sent
            return result
        }
    }
}
