import Foundation
import PeerCore
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import RegionStore

/// What an offer says of edits before anything is received, against what the merge then does.
@Suite struct OfferedEditTests {
    private static let day: TimeInterval = 86_400

    private func waypoint(_ id: UUID, _ label: String, editedAfter days: Double?) throws -> Waypoint {
        try Items.waypoint(id: id, label: label, modifiedAt: days.map { Items.time + $0 * Self.day })
    }

    @Test func whatBothHaveEditedIsNamedBeforehandAsItIsMerged() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let region = pair.region.id
            try Transfers.run(try pair.sender.source(for: region), to: pair.receiver.sink())
            let ids = (0..<4).map { _ in UUID() }
            try pair.sender.add(
                [
                    try waypoint(ids[0], "Cabane des Fonts (closed!)", editedAfter: 2),
                    try waypoint(ids[1], "Spring", editedAfter: 1),
                    try waypoint(ids[2], "Parking", editedAfter: 1),
                    try waypoint(ids[3], "Bridge", editedAfter: 1),
                ],
                to: region
            )
            try pair.receiver.add(
                [
                    try waypoint(ids[0], "Fonts hut", editedAfter: 1),
                    try waypoint(ids[1], "Dry spring", editedAfter: 2),
                    try waypoint(ids[2], "Parking", editedAfter: nil),
                    try waypoint(ids[3], "Bridge", editedAfter: 1),
                ],
                to: region
            )

            let source = try pair.sender.source(for: region)
            let offered = try pair.receiver.offeredEdits(of: try source.manifest.description(as: Region.self))

            #expect(offered.map(\.edit.name) == ["Cabane des Fonts (closed!)", "Spring"])
            #expect(offered.map(\.localName) == ["Fonts hut", "Dry spring"])
            // The sender may have the same map under another id.
            var other = try source.manifest.description(as: Region.self)
            other.id = UUID()
            #expect(
                try pair.receiver.offeredEdits(of: other, in: region).map(\.localName) == ["Fonts hut", "Dry spring"]
            )
            #expect(offered.map(\.replaces) == [true, false])
            let changes = try Transfers.run(source, to: pair.receiver.sink()).changes
            #expect(changes.first { $0.outcome == .replaced && $0.name != "Parking" }?.localName == "Fonts hut")
            #expect(changes.first { $0.outcome == .kept }?.localName == "Dry spring")
            #expect(try pair.receiver.offeredEdits(of: try source.manifest.description(as: Region.self)).count == 1)
        }
    }

    /// An update of an update is no conflict with an edit of one's own.
    @Test func whatWasReceivedIsNoEditOfOnesOwn() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let region = pair.region.id
            func rename(_ store: RegionStore, _ name: String, to new: String) throws {
                let item = try store.item(matching: name, .waypoint, of: store.region(region))
                try store.rename(item, of: region, to: new)
            }
            func offered() throws -> [OfferedEdit] {
                let source = try pair.sender.source(for: region)
                return try pair.receiver.offeredEdits(of: try source.manifest.description(as: Region.self))
            }
            func receive() throws {
                _ = try Transfers.run(try pair.sender.source(for: region), to: pair.receiver.sink())
            }
            try receive()
            try rename(pair.sender, "W7", to: "Spring")
            try receive()
            try rename(pair.sender, "Spring", to: "Dry spring")
            #expect(try offered().map(\.replaces) == [true])
            #expect(try offered().map(\.isOwn) == [false])
            try rename(pair.receiver, "Spring", to: "My spring")
            try rename(pair.sender, "Dry spring", to: "Wet spring")
            #expect(try offered().map(\.localName) == ["My spring"])
            #expect(try offered().map(\.isOwn) == [true])
            try receive()
            try rename(pair.sender, "Wet spring", to: "Cold spring")
            #expect(try offered().map(\.isOwn) == [false])
        }
    }

    /// The sender may not have said all that it has edited.
    @Test func ownEditsStayWhateverTheSenderSays() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let region = pair.region.id
            func rename(_ store: RegionStore, _ name: String, to new: String) throws {
                let item = try store.item(matching: name, .waypoint, of: store.region(region))
                try store.rename(item, of: region, to: new)
            }
            func names() throws -> [String] {
                let kept = ["Mine", "Torrent", "Bridge"]
                let receiver = try pair.receiver.region(region)
                return kept.filter { (try? pair.receiver.item(matching: $0, .waypoint, of: receiver)) != nil }
            }
            var sink = pair.receiver.sink()
            sink.keepsOwnEdits = { _, kind in kind == .waypoints }
            _ = try Transfers.run(try pair.sender.source(for: region), to: sink)
            try rename(pair.receiver, "W7", to: "Mine")
            try rename(pair.sender, "W7", to: "Brook")
            // Later than the edit of the receiver, even in the same second.
            try rename(pair.sender, "Brook", to: "Torrent")
            try rename(pair.sender, "W8", to: "Ford")
            _ = try Transfers.run(try pair.sender.source(for: region), to: sink)
            // What was received is no edit of one's own.
            try rename(pair.sender, "Ford", to: "Bridge")
            _ = try Transfers.run(try pair.sender.source(for: region), to: sink)
            #expect(try names() == ["Mine", "Bridge"])
            _ = try Transfers.run(try pair.sender.source(for: region), to: pair.receiver.sink())
            #expect(try names() == ["Torrent", "Bridge"])
        }
    }

    @Test func whatTheSenderHasRemovedIsToldAndStays() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let region = pair.region.id
            try Transfers.run(try pair.sender.source(for: region), to: pair.receiver.sink())
            try pair.sender.remove(try pair.sender.item(matching: "W7", .waypoint, of: pair.region), of: region)
            try pair.sender.remove(try pair.sender.item(matching: "1", .hike, of: pair.region), of: region)
            let hike = try pair.receiver.item(matching: "1", .hike, of: pair.receiver.region(region))
            // An edit after the removal is no leftover.
            try pair.receiver.rename(hike, of: region, to: "Mine")

            let source = try pair.sender.source(for: region)
            let offered = try pair.receiver.offeredEdits(of: try source.manifest.description(as: Region.self))
            let receipt = try Transfers.run(source, to: pair.receiver.sink())

            #expect(offered.map(\.localName) == ["W7"])
            #expect(offered.allSatisfy { $0.edit.name == nil && !$0.replaces })
            #expect(receipt.changes.filter { $0.outcome == .removedBySender }.map(\.name) == ["W7"])
            #expect(try pair.receiver.region(region).waypointCount == 46)
        }
    }

    @Test func anOfferHasTheLatestEditsOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let edited = try (1...150).map { try waypoint(UUID(), "Hut \($0)", editedAfter: Double($0) / 10) }
            try pair.sender.add(edited.shuffled(), to: pair.region.id)
            let offered = try pair.sender.source(for: pair.region.id).manifest.description(as: Region.self)
            #expect(offered.edits.map(\.name) == (51...150).reversed().map { "Hut \($0)" })
        }
    }
}
