import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport

@testable import RegionStore

/// Makes what the cases of faults begin with.
struct OfferMaker {
    let directory: TemporaryDirectory

    private static let tileLength = 1500
    private static let (first, second, third) = (UUID(), UUID(), UUID())

    /// Makes the receiver's store, if it has one yet, and what is offered to it.
    func make(_ kind: FaultCase, store path: String) throws -> LyingSource {
        let older = directory.path("older.mbtiles")
        let queue = try MapFile.small(tileLength: Self.tileLength).write(to: older)
        try RoutingFixture(nodeCount: 20).write(to: directory.path("older.routing.db"))
        let region = try original(older)
        let isKnown = kind == .knownMap || kind == .knownMapWithoutLinks
        var resources = try olderItems()
        resources[.mbtiles] = try bytes("older.mbtiles")
        resources[.routing] = try bytes("older.routing.db")
        if !isKnown { resources[.photos] = try photos([Self.first]) }
        let source = try LyingSource(region, resources)
        switch kind {
        case .newRegion:
            return source
        case .newerVersion:
            let store = try RegionStore(path: path)
            try Transfers.run(source, to: store.sink())
            try changeLocally(store, region.id)
            // A reception within the same second would write the same time, and so fewer pages than the others.
            try store.database.write { try $0.execute(sql: "UPDATE region SET addedAt = addedAt - 3600") }
            try queue.write { database in
                try database.execute(
                    sql: "UPDATE tiles SET tile_data = ? WHERE rowid = 15",
                    arguments: [Data(MapFile.png + [UInt8](repeating: 7, count: Self.tileLength))]
                )
            }
            try RoutingFixture(nodeCount: 100).write(to: directory.path("newer.routing.db"))
            var newer = region
            newer.name = "Nordkette 2"
            var resources = try newerItems()
            resources[.mbtiles] = try bytes("older.mbtiles")
            resources[.routing] = try bytes("newer.routing.db")
            resources[.photos] = try photos([Self.first, Self.third].sorted { $0.uuidString < $1.uuidString })
            return try LyingSource(newer, resources)
        case .knownMap, .knownMapWithoutLinks:
            try RegionStore(path: path).importMap(at: older, name: "Mine")
            return source
        }
    }

    /// The region as a sender has it.
    private func original(_ map: String) throws -> Region {
        let sender = try RegionStore(path: directory.path("sender"))
        return try sender.importMap(at: map, name: "Nordkette").region.region
    }

    /// Small photos of waypoints.
    private func photos(_ waypoints: [UUID]) throws -> [UInt8] {
        let name = "photos-\(waypoints.count)"
        var writer = PhotoArchive.Writer(to: try Folder(directory.path).createFile(name))
        for (number, id) in waypoints.enumerated() {
            try writer.append(Photos.jpeg(UInt64(number), size: 4000), of: id, modifiedAt: Items.time)
        }
        return try bytes(name)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.url.appendingPathComponent(name)))
    }

    private func olderItems() throws -> [ResourceKind: [UInt8]] {
        try encode(
            [
                try Items.hike(id: Self.first, modifiedAt: Items.time),
                try Items.hike(id: Self.second, name: "Höttinger Alm", modifiedAt: Items.time),
            ],
            [try Items.plannedRoute(id: Self.first)],
            [try Items.waypoint(id: Self.first), try Items.waypoint(id: Self.second, label: "Spring")]
        )
    }

    /// One hike and one waypoint are newer here, the others newer there.
    private func changeLocally(_ store: RegionStore, _ id: UUID) throws {
        let later = Items.time.addingTimeInterval(3000)
        try store.add([try Items.hike(id: Self.second, name: "My Alm", modifiedAt: later)], to: id)
        try store.add([try Items.waypoint(id: Self.second, label: "My spring", modifiedAt: later)], to: id)
        try store.add([try Items.waypoint(label: "Only here")], to: id)
    }

    private func newerItems() throws -> [ResourceKind: [UInt8]] {
        let newer = Items.time.addingTimeInterval(1000)
        return try encode(
            [
                try Items.hike(id: Self.first, name: "Goetheweg, longer", modifiedAt: newer),
                try Items.hike(id: Self.second, name: "Their Alm", modifiedAt: newer),
                try Items.hike(id: Self.third, name: "Hafelekar"),
            ],
            [try Items.plannedRoute(id: Self.second)],
            [
                try Items.waypoint(id: Self.first, label: "Pfeishütte, closed", modifiedAt: newer),
                try Items.waypoint(id: Self.third, label: "Bench"),
            ]
        )
    }

    private func encode(
        _ hikes: [SavedRoute],
        _ plannedRoutes: [PlannedRoute],
        _ waypoints: [Waypoint]
    ) throws -> [ResourceKind: [UInt8]] {
        [
            .savedroutes: try ItemCoding.encode(hikes, .savedroutes),
            .plannedroutes: try ItemCoding.encode(plannedRoutes, .plannedroutes),
            .waypoints: try ItemCoding.encode(waypoints, .waypoints),
        ]
    }
}
