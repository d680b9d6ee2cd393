import Foundation
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What a receiver takes from a stick, and what it leaves there.
@Suite struct StickReceiverTests {
    /// A region on a stick, for anyone with a secret or for the receiver alone.
    private struct Trip {
        let region: RegionSummary
        let receiver: RegionStore
        let folder: String
        private let ben: PeerIdentity
        private let secret: StickSecret?

        init(in directory: TemporaryDirectory, isForAnyone: Bool) throws {
            let sender = try RegionStore(path: directory.path("sender"))
            receiver = try RegionStore(path: directory.path("receiver"))
            folder = directory.path("stick")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            region = try sender.importMap(at: OfferMaker.map).region
            let (anna, ben) = (try PeerIdentity.generate(for: .hikeshare), try PeerIdentity.generate(for: .hikeshare))
            self.ben = ben
            secret = isForAnyone ? StickSecret() : nil
            let request = try receiver.writeStickRequest(to: folder, name: "Ben") { try ben.sign($0) }.request
            try StickWriter.write(
                to: "\(folder)/a\(StickFile.suffix)",
                try sender.source(for: region.id),
                for: secret.map { .anyone($0) } ?? .machine(request),
                from: StickWriter.Sender(name: "Anna") { try anna.sign($0) }
            )
        }

        /// The number of files on the stick.
        var count: Int { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).count } }

        func receive(_ consent: Consent) async throws {
            let local = LocalPeer(application: .hikeshare, identity: ben, displayName: "Ben", software: "test")
            let receiver = StickReceiver(
                into: receiver,
                local: local,
                from: folder,
                kinds: nil,
                routes: .all,
                secret: secret,
                consent: consent,
                person: TestPerson()
            )
            try await receiver.run()
        }
    }

    /// The key of the request is removed with its files.
    @Test(arguments: [(true, 2), (false, 0)]) func onlyWhatNobodyElseCanOpenIsRemoved(
        isForAnyone: Bool,
        left: Int
    )
        async throws
    {
        try await TemporaryDirectory.with { directory in
            let trip = try Trip(in: directory, isForAnyone: isForAnyone)
            try await trip.receive(.everything)
            #expect(try trip.receiver.region(trip.region.id).mapDigest == trip.region.mapDigest)
            #expect(try trip.count == left)
        }
    }

    @Test func withoutAPersonNothingIsTakenOfAStranger() async throws {
        try await TemporaryDirectory.with { directory in
            let trip = try Trip(in: directory, isForAnyone: false)
            await #expect(throws: StickError.self) { try await trip.receive(.knownMachines) }
            #expect(try trip.receiver.regions().isEmpty && trip.count == 2)
        }
    }
}
