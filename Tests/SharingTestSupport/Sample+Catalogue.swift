import Foundation
import Testing

@testable import PeerCore
@testable package import RegionSharing
@testable import RegionStore

extension Sample {
    private static func ages(_ difference: TimeInterval) -> MapAges {
        MapAges(offered: MapEdition(date: date + difference), local: MapEdition(date: date))
    }

    /// Four regions, of which two are new or newer.
    package static func catalogue() throws -> [CatalogueItem] {
        let novelties: [(String, RegionNovelty)] = [
            ("Coma Pedrosa", .new), ("Andorra", .other(ages(86_400))), ("Pirineus", .same),
            ("Alt Urgell", .other(ages(-86_400))),
        ]
        return try novelties.enumerated().map { index, item in
            var region = try region(name: item.0).region
            region.id = UUID()
            if case .other(let ages) = item.1 { region.edition = ages.offered }
            let layout = try #require(ChunkLayout(size: UInt64(index + 1) * 1_000_000))
            let entry = ManifestEntry(
                name: ResourceName(kind: .mbtiles, id: region.id),
                layout: layout,
                digest: digest(UInt8(index))
            )
            let offered = OfferedRegion(region, try Manifest(id: region.id, describing: region, entries: [entry]))
            return CatalogueItem(region: offered, novelty: item.1)
        }
    }
}
