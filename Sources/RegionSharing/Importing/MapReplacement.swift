import FoundationEssentials
import PeerCore
import RegionStore

/// The question whether an imported map replaces the map of a region.
struct MapUpdate {
    var map: ImportedMapFacts
    /// The name of the map's file.
    var file: String
    /// Whether the person has said yes already.
    var acceptsAll = false
    /// Who will have signed the map; nil for nobody.
    var signer: PeerID?
    var store: RegionStore
    var console: Console
    /// Asks a question with an introduction, and returns the answer; nil to ask at the terminal before anything else.
    var ask: (@Sendable (_ introduction: DisplayText, _ question: DisplayText) async throws -> String?)?

    /// What becomes of the map.
    enum Decision {
        /// It replaces the map of this region.
        case replace(RegionSummary)
        /// It becomes a region of its own, with this name; nil for the one that it has.
        case add(name: String?)
        case leaveOut
    }

    /// Decides on a map for which no region was named, or asks if it may be another version of a region's map.
    ///
    /// Without a terminal, no region is updated, and a note says how to.
    ///
    /// - Parameter local: The region of which the map may be another version; nil if there is none.
    /// - Returns: What becomes of the map.
    /// - Throws: `CancellationError` if the person stops the program; `RegionStoreError` if the store cannot be read.
    func decide(on local: RegionSummary?) async throws -> Decision {
        guard let local else { return .add(name: nil) }
        let name = DisplayText(quoting: local.name)
        guard console.canAsk else {
            let way = map.isPart ? "add the tiles of this part to its map" : "replace its map"
            console.note(
                "\(name) covers the same area as \(file) and stays as it is. To \(way), use --update.",
                .perhapsNewer,
                "“\(local.name)” covers the same area as \(file) and stays as it is.",
                remedy: "To \(way), use --update."
            )
            return .add(name: nil)
        }
        let change = try change(of: local)
        let version: DisplayText = change.ages.age == .newer ? "a newer version" : "another version"
        let what: DisplayText =
            map.isPart ? "is a part of a map, in the area of \(name)" : "may be \(version) of \(name)"
        let isNamesake = map.name?.lowercased() == local.name.lowercased()
        let called: DisplayText = isNamesake ? "\(file)" : "\(file), \(DisplayText(quoting: map.name ?? "")),"
        let question: DisplayText = "\(action(on: local)) [y/N, or a name to add it as another region] "
        let line = try await ask("\(called) \(what). \(change.words)", question)
        if Answer.isYes(line) { return .replace(local) }
        return Answer.isNo(line) ? .leaveOut : .add(name: line)
    }

    /// Decides on a map for a region that a person has named, or asks if the map is older, or if something else would be lost.
    ///
    /// - Throws: ``CommandError`` if the map may be older, and nobody can be asked.
    func decide(replacing local: RegionSummary) async throws -> Decision {
        guard map.digest != local.mapDigest else { return .replace(local) }
        let change = try change(of: local)
        guard change.losesAnything else { return .replace(local) }
        let words: DisplayText = "\(file), for \(DisplayText(quoting: local.name)): \(change.words)"
        if acceptsAll || !console.canAsk && !change.ages.needQuestion {
            console.note(words)
            return .replace(local)
        }
        guard console.canAsk else {
            throw CommandError(
                .declined,
                "\(file) does not replace the map of “\(local.name)” without a question. \(change.ageWords)",
                remedy: "Run the command in a terminal, or with --yes."
            )
        }
        return Answer.isYes(try await ask(words, "\(action(on: local)) [y/N] ")) ? .replace(local) : .leaveOut
    }

    private func action(on local: RegionSummary) -> DisplayText {
        let action: DisplayText = map.isPart ? "Add its tiles to that map?" : "Replace its map?"
        return local.hasItems ? "\(action) Hikes, routes and waypoints stay." : action
    }

    private func ask(_ introduction: DisplayText, _ question: DisplayText) async throws -> String {
        if let ask { return try await ask(introduction, question) ?? "" }
        return try await console.ask(introduction: introduction, question) ?? ""
    }

    private func change(of local: RegionSummary) throws -> MapReplacement {
        let ownID = store.ownID
        let maker = try store.maker(of: local.signature, ownID: ownID)
        let isSignerLost = maker.map { map.isPart || $0.signature.signer != signer }
        return MapReplacement(
            ages: MapAges(offered: map.edition, local: local.edition),
            isPart: map.isPart,
            lostZooms: map.isPart ? [] : local.zooms.filter { !map.zooms.contains($0) },
            lostMaker: isSignerLost == true ? maker : nil,
            isSigned: signer != nil && !map.isPart
        )
    }
}

/// What an imported map says of itself.
struct ImportedMapFacts {
    /// The name of the region that it would become; nil if that does not matter.
    var name: String?
    var edition: MapEdition
    var digest: ContentDigest
    /// Whether its tiles are added to a map.
    var isPart = false
    /// The zoom levels that have tiles.
    var zooms: [Int] = []
}

extension ImportedMapFacts {
    init(_ map: PreparedMap) {
        (name, edition, digest, isPart, zooms) = (map.name, map.edition, map.digest, map.isPart, map.zooms)
    }

    init(_ map: PreparedSealedMap) {
        (edition, digest) = (map.edition, map.digest)
    }
}

/// What an imported map would change of the map of a region.
struct MapReplacement {
    var ages: MapAges
    var isPart: Bool
    /// The zoom levels of which no tile would be left.
    var lostZooms: [Int]
    /// Who has made the map, if their signature would be lost.
    var lostMaker: MapMaker?
    /// Whether the person who imports the map signs it.
    var isSigned: Bool

    /// Whether a person must know of it.
    var losesAnything: Bool { ages.needQuestion || !lostZooms.isEmpty || lostMaker != nil }

    /// Which of the two maps is newer, in words.
    var ageWords: String {
        switch ages.age {
        case .newer: "It is newer (\(ages.words))."
        case .same: "It is as old as yours (\(ages.words))."
        case .older: "It is older than your map (\(ages.words))."
        case .unknown: "Which map is newer is not known (\(ages.words))."
        }
    }

    /// All of it, in words.
    var words: DisplayText {
        let zooms: DisplayText =
            lostZooms.isEmpty ? "" : " It has no tiles at \(Wording.zoomWords(lostZooms)), which your map has."
        let then: DisplayText = isSigned ? "the new one will be signed by you" : "the new one will not be signed"
        let maker: DisplayText = lostMaker.map { " Your map is \($0.words); \(then)." } ?? ""
        return "\(ageWords)\(zooms)\(maker)"
    }
}
