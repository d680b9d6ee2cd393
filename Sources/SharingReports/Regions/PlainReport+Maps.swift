import FoundationEssentials
package import RegionStore

/// Where maps are shown, and the files with maps that were written in another form than the store's.
extension Report where Self == PlainReport {
    /// The address of a region or of the list of regions, which has a secret, and an address for people that leads there.
    package static func map(_ region: RegionSummary?, at url: String, short shortURL: String) -> Self {
        Self(
            ["type": "map", "regionID": region?.id.uuidString, "regionName": region?.name, "url": url],
            region.map { "The map of \($0.name) is at  \(shortURL)" } ?? "The maps are at  \(shortURL)"
        )
    }

    /// A page for a browser was written; `hasTiles` says whether it draws the tiles of the map.
    package static func page(
        of region: RegionSummary,
        at path: String,
        size: UInt64,
        _ tiles: PageTiles,
        hasTiles: Bool,
        personal: [String]
    ) -> Self {
        let reason: DisplayText =
            region.format == .pbf
            ? "this program was built without MapLibre, which draws vector tiles"
            : "pages do not draw tiles of this format"
        let noTiles: DisplayText = "It has no map, because \(reason): only hikes, routes and waypoints."
        let fields: JSONObject = [
            "hasTiles": hasTiles ? nil : false,
            "zooms": tiles.whole,
            "zoomsAlongRoutes": tiles.alongRoutes.isEmpty ? nil : tiles.alongRoutes,
        ]
        return file(
            "html",
            of: region,
            at: path,
            size: size,
            fields,
            hasTiles ? tiles.sentences : [noTiles],
            personal: personal
        )
    }

    /// A sheet of paper was written.
    package static func sheet(of region: RegionSummary, at path: String, size: UInt64, personal: [String]) -> Self {
        file("pdf", of: region, at: path, size: size, [:], [], personal: personal)
    }

    /// Tiles for OsmAnd were written, of the whole map or a part of it.
    package static func osmand(_ region: RegionSummary, at path: String, size: UInt64, part: PartFacts?) -> Self {
        let fields: JSONObject = ["part": part?.description.json, "tiles": part?.tileCount]
        let sentences = (part.map { [$0.sentence] } ?? []) + ["Open it on the phone with OsmAnd or Locus Map."]
        return file("osmand", of: region, at: path, size: size, fields, sentences, personal: nil)
    }

    /// A file was written; `personal` is nil for one that never has what concerns a person.
    private static func file(
        _ content: String,
        of region: RegionSummary,
        at path: String,
        size: UInt64,
        _ fields: JSONObject,
        _ sentences: [DisplayText],
        personal: [String]?
    ) -> Self {
        let json: JSONObject = [
            "type": "exported",
            "regionID": region.id.uuidString,
            "content": content,
            "file": path,
            "size": size,
            "hasPersonal": personal.map { !$0.isEmpty },
        ]
        var lines: [DisplayText] = ["Wrote \(path), \(Wording.size(size))"] + sentences
        if let personal, !personal.isEmpty {
            lines.append("Personal: \(personal.joined(separator: ", ")). Without that:  --no-personal")
        }
        return Self(json.with(fields), lines.joined(separator: "\n"))
    }
}
