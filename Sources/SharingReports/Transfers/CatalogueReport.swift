import FoundationEssentials
import PeerCore
package import RegionSharing
package import RegionStore

extension CatalogueFacts: ObjectReport {
    package var json: JSONObject {
        [
            "type": "catalogue",
            "peer": peer.json,
            "regions": items.map(Self.json),
            "unreadable": unreadableCount == 0 ? nil : unreadableCount,
            "digits": digits?.digits,
        ]
    }

    package var text: DisplayText {
        let rows = zip(1..., items).map { number, item -> [DisplayText] in ["", "\(number)"] + Self.cells(of: item) }
        return "\(lead)\n\(TextTable.render(rows, trailing: [1]))\(rest)"
    }

    /// What stands around a list that is shown in another way than as a table.
    package var frame: DisplayText { "\(lead)\(rest)" }

    private var lead: DisplayText {
        let count = Wording.count(offeredCount ?? items.count, "region")
        let named: DisplayText = offeredCount == nil ? "" : "; of these, you want"
        return "\(peer.title) offers \(count)\(named)\(peer.warning(hasDigits: digits != nil))"
    }

    private var rest: DisplayText {
        unreadableCount == 0 ? "" : "\n\(Wording.count(unreadableCount, "region")) of the list cannot be read."
    }

    package var question: DisplayText {
        if offeredCount != nil {
            let yesOrNo: DisplayText = items.count == 1 ? "Take it? [y/N] " : "Take them? [y/N] "
            return digits?.above(yesOrNo, comparedWith: peer.name) ?? yesOrNo
        }
        let numbers = usualNumbers.map { "\($0)" }.joined(separator: " ")
        let usual: DisplayText =
            numbers.isEmpty ? "none" : usualNumbers.count == items.count ? "all" : "\(numbers)"
        let which: DisplayText = "Which? Type numbers such as 1 2, all, or none [\(usual)]: "
        return digits?.above(which, comparedWith: peer.name) ?? which
    }

    /// The numbers of the regions that are usually picked, from 1.
    package var usualNumbers: [Int] { zip(1..., items).filter { usual.contains($1.region.id) }.map { $0.0 } }

    /// What a list says of a region: its name, size, area, age, and what it is to this store.
    package static func cells(of item: CatalogueItem) -> [DisplayText] {
        let region = item.region
        return [
            DisplayText(quoting: region.name), "\(Wording.size(region.size))",
            "\(region.hasArea ? Wording.extent(region.boundingBox) : Wording.unknownArea)",
            "\(region.edition.words ?? "")", words(of: item),
        ]
    }

    /// What a region is to this store, in words.
    private static func words(of item: CatalogueItem) -> DisplayText {
        let other = item.localName.map { $0 != item.region.name } ?? false
        let name: DisplayText = other ? " (\(DisplayText(quoting: item.localName ?? "")))" : ""
        return switch item.novelty {
        case .new: "new"
        case .same: "the same map as yours\(name)"
        case .itemsOnly: "yours\(name), without the map"
        case .part(let ages):
            switch ages.age {
            case .newer, .same: "a part, for your map\(name)\(ages.localWords)"
            case .older: "a part; your map\(name) is newer\(ages.localWords)"
            case .unknown: "a part of unknown age, for your map\(name)\(ages.localWords)"
            }
        case .other(let ages):
            switch ages.age {
            case .newer: "newer than yours\(name)\(ages.localWords)"
            case .same: "another version of yours\(name), as old\(ages.localWords)"
            case .older: "yours\(name) is newer\(ages.localWords)"
            case .unknown: "another version of yours\(name)\(ages.localWords); which is newer is not known"
            }
        }
    }

    private static func json(_ item: CatalogueItem) -> JSONObject {
        let region = item.region
        return [
            "regionID": region.id.uuidString,
            "regionName": region.name,
            "size": region.size,
            "bounds": region.boundingBox,
            "areaKnown": region.hasArea,
            "mapDate": region.edition.date,
            "mapVersion": region.edition.version,
            "createdAt": region.createdAt,
            "here": item.novelty.word,
            "maps": item.novelty.ages?.json,
            "nameHere": item.localName,
        ]
    }
}

extension RegionNovelty {
    /// The word for programs.
    fileprivate var word: String {
        switch self {
        case .new: "new"
        case .same: "same"
        case .itemsOnly: "withoutMap"
        case .part: "part"
        case .other(let ages):
            switch ages.age {
            case .newer: "newer"
            case .older: "older"
            case .same, .unknown: "other"
            }
        }
    }

    /// The ages of the two maps; nil if there are not two.
    fileprivate var ages: MapAges? {
        switch self {
        case .part(let ages), .other(let ages): ages
        case .new, .same, .itemsOnly: nil
        }
    }
}

extension MapAges {
    /// The age of the map in the store, in brackets; empty if the map states none.
    fileprivate var localWords: DisplayText { local.words.map { " (\($0))" } ?? "" }

    /// The dates for programs; nil if not both maps state one.
    package var datesJSON: JSONObject? {
        offered.date.flatMap { theirs in local.date.map { ["offered": theirs, "here": $0] } }
    }

    /// The ages for programs.
    package var json: JSONObject { ["age": age.rawValue, "offered": offered.json, "here": local.json] }
}

extension MapEdition {
    /// The age of a map for programs.
    fileprivate var json: JSONObject { ["date": date, "newestDate": newestDate, "version": version] }
}
