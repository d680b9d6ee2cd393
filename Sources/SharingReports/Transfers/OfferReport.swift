import FoundationEssentials
import HostNetwork
import PeerCore
package import RegionSharing
import RegionStore

extension OfferFacts: ObjectReport {
    /// The area with the outlines of the selected parts; nothing is drawn if the area is unknown.
    package var area: AreaSketch {
        AreaSketch(
            place: region.place,
            outlines: region.outlines.filter { region.hasArea && wanted.contains($0.kind) },
            changes: knownChange?.difference?.news.tiles ?? TileSet(),
            isNew: knownChange?.difference?.changed.count == 0
        )
    }

    package var json: JSONObject {
        let fields: JSONObject = [
            "type": "offer",
            "peer": peer.json,
            "regionID": region.id.uuidString,
            "regionName": region.name,
            "bounds": region.boundingBox,
            "minimumZoom": region.zoomLevels.lowerBound,
            "maximumZoom": region.zoomLevels.upperBound,
            "zooms": region.zooms,
            "tiles": region.tileCount,
            "createdAt": region.createdAt,
            "resources": entries.map {
                ["kind": $0.kind.json, "size": $0.size, "wanted": wanted.contains($0.kind)] as JSONObject
            },
            "size": size,
            "toTransfer": estimate?.byteCount(of: wanted),
            "seconds": time.total.map { $0.components.seconds },
            "digits": digits?.digits,
            "replaces": replacedFiles.isEmpty ? nil : local?.name,
            "addsToMap": replacement?.addsToMap == true ? true : nil,
            "part": region.cut?.json,
            "areaKnown": region.hasArea,
            "foreign": region.foreign,
            "signedBy": maker?.json,
            "mapDate": region.mapDate,
            "mapDates": replacement?.ages?.datesJSON,
            "maps": replacement?.ages?.json,
            "losesSignature": replacement?.losesSigner == true ? localMaker?.json : nil,
        ]
        return fields.with(knownChange?.json(on: changedRoutes))
    }

    package var text: DisplayText {
        var rows: [[DisplayText]] = [["", "Parts", parts(entries.filter { wanted.contains($0.kind) })]]
        if let foreign = region.foreign, wanted.contains(.foreign) {
            rows.append(
                [
                    "", "Map",
                    "a \(foreign.format.title), \(DisplayText(quoting: foreign.fileName)). \(foreign.format.opensIn)",
                ]
            )
        }
        if let part = region.part, wanted.contains(.mbtiles) {
            rows.append(["", "Map", "a part: \(part.place)\(part.share)"])
        } else if asksForPart, hasMap {
            rows.append(["", "Map", "the whole map: the part that you asked for is all of it, or is not made there"])
        }
        if let maker, hasMap { rows.append(["", "Map", maker.words(from: peer)]) }
        let unwanted = entries.filter { !wanted.contains($0.kind) }
        if !unwanted.isEmpty { rows.append(["", "Left out", parts(unwanted)]) }
        if let names = routes.names {
            rows.append(["", "Routes", "only \(names.map { DisplayText(quoting: $0) }.joined(separator: ", "))"])
        }
        if let words = time.words { rows.append(["", "Time", words]) }
        if let local { rows.append(["", "Here", fate(of: local)]) }
        if replacement?.losesSigner == true, let localMaker {
            let then: DisplayText =
                replacement?.addsToMap == true
                ? "with new tiles, it loses the signature"
                : maker.map { "this one is \($0.words)" } ?? "nobody has signed this one"
            rows.append(["", "Signed", "your map is \(localMaker.words); \(then)"])
        }
        if let words = knownChange?.words(on: changedRoutes) { rows.append(["", "Tiles", words]) }
        let edits = editWords
        rows += zip(0..., edits.prefix(Self.maximumEditCount)).map { ["", $0 == 0 ? "Edits" : "", $1] }
        let rest = edits.count - Self.maximumEditCount
        if rest > 0 { rows.append(["", "", "and \(rest) more"]) }
        let extent = region.extent
        let lead: DisplayText =
            "\(peer.title) offers \(DisplayText(quoting: region.name)), \(extent), \(Wording.size(size))\(share)"
        return "\(lead)\(peer.warning(hasDigits: digits != nil))\n" + TextTable.render(rows)
    }

    package var question: DisplayText {
        let parts = KindWords.all.filter { wanted.contains($0.kind) }.map(\.argument).joined(separator: " ")
        let take: DisplayText = wanted.count > 1 ? "Take it? [y/N, or some of: \(parts)] " : "Take it? [y/N] "
        return digits?.above(take, comparedWith: peer.name) ?? take
    }

    /// How much of the total has to be transferred; empty if that is everything, or not known.
    private var share: DisplayText {
        guard let estimate else { return "" }
        let count = estimate.byteCount(of: wanted)
        let isLimit = estimate.isLimit(for: wanted)
        if count >= size { return "" }
        if count == 0 { return ", nothing to transfer" }
        return ", \(isLimit ? "at most" : "about") \(Wording.size(count)) to transfer"
    }

    /// What the sender's edits do to items here, by name.
    private var editWords: [DisplayText] {
        let wanted = wanted.union(ResourceKind.shown.filter { kind in !entries.contains { $0.kind == kind } })
        return edits.filter { wanted.contains($0.edit.kind) }.map { offered in
            let local = DisplayText(quoting: offered.localName)
            guard let name = offered.edit.name else { return "\(peer.name) has removed \(local); yours stays" }
            let theirs = DisplayText(quoting: name)
            guard offered.replaces, !itemsStay else { return "your \(local) stays; theirs is \(theirs)" }
            return name == offered.localName ? "\(theirs) replaces your edited one" : "\(theirs) replaces your \(local)"
        }
    }

    private static var maximumEditCount: Int { 5 }

    private func fate(of local: RegionSummary) -> DisplayText {
        let have: DisplayText =
            local.name == region.name ? "You have it" : "You have it as \(DisplayText(quoting: local.name))"
        let replaced = replacedFiles
        let here = ResourceKind.files.filter { KindWords.of($0)?.count(local) ?? 0 > 0 }
        let files = Wording.list(here.filter { replaced.isEmpty || replaced.contains($0) }.map(\.words))
        guard local.id == region.id else {
            let routing: DisplayText = replaced.isEmpty ? "" : "; its routing will be replaced"
            return
                "You have this map already, as \(DisplayText(quoting: local.name)): the rest goes there\(routing)\(fateOfItems)"
        }
        if hasAllOfPart {
            let others = Wording.list(replaced.map(\.words))
            let rest: DisplayText = replaced.isEmpty ? "" : "; its \(others) will be replaced"
            let kept = change?.union?.keptWords ?? ""
            return "\(have), and no tile of this part is new\(kept); its map stays\(rest)\(fateOfItems)"
        }
        guard !replaced.isEmpty else {
            return "\(have); its \(files) \(here.count == 1 ? "stays" : "stay")\(fateOfItems)"
        }
        if replacement?.addsToMap == true {
            let others = ResourceKind.files.filter { $0 != .mbtiles && replaced.contains($0) }
            let rest: DisplayText = others.isEmpty ? "" : "; its \(Wording.list(others.map(\.words))) will be replaced"
            let part: DisplayText = otherMap.map { "the part of \($0)" } ?? "the part"
            let tiles: DisplayText = change?.union == nil ? "new tiles of \(part) are" : "\(part) is"
            return "\(have); \(tiles) added to its map\(rest)\(fateOfItems)"
        }
        guard replacesAnotherPlace else { return "\(have); its \(files) will be replaced\(age)\(fateOfItems)" }
        return
            "\(have), \("A DIFFERENT AREA", .alarm), \(Wording.bounds(local.boundingBox)); "
            + "\("ITS \(files) WILL BE REPLACED", .alarm)\(age)\(fateOfItems)"
    }

    private var age: DisplayText { otherMap.map { " by \($0)" } ?? "" }

    /// The offered map in words, older or newer than the one here; nil if the map stays.
    private var otherMap: DisplayText? {
        guard let ages = replacement?.ages else { return nil }
        return switch ages.age {
        case .newer: "a newer map (\(ages.words))"
        case .same where ages.isOfSameWhole: nil
        case .same: "a map of the same age (\(ages.words))"
        case .older: "\("an OLDER map", .alarm) (\(ages.words))"
        case .unknown: "\("a map of UNKNOWN AGE", .alarm) (\(ages.words))"
        }
    }

    private var fateOfItems: DisplayText {
        let items = ResourceKind.shown.filter { wanted.contains($0) && !ResourceKind.files.contains($0) }
        guard !items.isEmpty else { return "" }
        let words = Wording.list(items.map(\.words))
        return itemsStay ? "; its \(words) stay" : "; newer \(words) replace older ones"
    }

    private func parts(_ entries: [ManifestEntry]) -> DisplayText {
        // Small parts are no reason to leave anything out.
        entries.map { $0.size < 1_000_000 ? "\($0.kind.words)" : "\($0.kind.words) \(Wording.size($0.size))" }
            .joined(separator: ", ")
    }
}

extension TransferTime {
    /// The time in words: `about 6 minutes here, about 20 s over a cable`; nil if it is not known.
    package var words: DisplayText? {
        guard let total else { return nil }
        if othersBefore > 0 {
            return "\(Wording.roughly(total)), after \(Wording.count(othersBefore, "other receiver"))"
        }
        guard let overCable else { return "\(Wording.roughly(total))" }
        return "\(Wording.roughly(total)) here, \(Wording.roughly(overCable)) over a cable"
    }
}
