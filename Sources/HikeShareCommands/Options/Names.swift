import RegionStore
import Sentences
import SharingReports

extension RegionStore {
    /// Finds the region that a person names on the command line, or lists or suggests others; with an empty text, the only region.
    func region(named text: String, isExact: Bool = false) throws -> RegionSummary {
        let all = try regions()
        let found = try text.isEmpty ? all : regions(matching: text, isExact: isExact)
        if found.count == 1 { return found[0] }
        let incomplete = try found.isEmpty ? incomingFiles() : []
        if let file = incomplete.first(where: { $0.regionName.lowercased() == text.lowercased() }) {
            let remedy: Remedy = "To go on, run 'hikeshare receive'."
            throw CommandError(.notFound, "“\(file.regionName)” is not complete yet.", remedy: remedy)
        }
        guard !all.isEmpty else { throw CommandError.noMaps }
        guard found.isEmpty else {
            let hasDoubles = Set(found.map { $0.name.lowercased() }).count < found.count
            throw CommandError(
                text.isEmpty ? .usage : .ambiguous,
                text.isEmpty ? "Which region?" : "“\(text)” matches several regions.",
                remedy: hasDoubles ? "Name one of them by its first 8 digits:" : "Name one of them:",
                hints: found.map {
                    hasDoubles
                        ? "\($0.shortID)  \($0.name), \(Wording.size($0.fileSize)), \($0.mapDateWords)" : "\($0.typed)"
                }
            )
        }
        let isPart = try isExact && !regions(matching: text).isEmpty
        // A part of a name is enough to name a region, so it may be misspelt by itself.
        let words = all.flatMap { region in
            ([region.name] + region.name.split(separator: " ").map(String.init)).map { (word: $0.lowercased(), region) }
        }
        let guess = Misspelling.closest(to: text, in: words.map(\.word))
        let question = words.first { $0.word == guess }.map { Sentence("Did you mean “\($0.1.name)”?") }
        let list: Sentence =
            isExact ? "Use the full name, as 'hikeshare list' shows it." : "'hikeshare list' shows the names."
        throw CommandError(
            .notFound,
            isPart ? "“\(text)” is only a part of the name of a region." : "You have no region “\(text)”.",
            remedy: Remedy(question.map { "\($0) \(list)" } ?? list)
        )
    }

    /// Finds the regions that the words of a command line name: one, whose name may have several words, or several, one after the
    /// other.
    func regions(named words: [String]) throws -> [RegionSummary] {
        let whole = words.joined(separator: " ")
        guard words.count > 1, try regions(matching: whole).isEmpty else { return [try region(named: whole)] }
        var found: [RegionSummary] = []
        var rest = words[...]
        while !rest.isEmpty {
            var next: (region: RegionSummary, count: Int)?
            for count in 1...rest.count {
                let named = try regions(matching: rest.prefix(count).joined(separator: " "))
                if named.count == 1 { next = (named[0], count) }
            }
            // The words may be a misspelt name, or part of several.
            guard let next else { return [try region(named: found.isEmpty ? whole : rest.joined(separator: " "))] }
            if !found.contains(where: { $0.id == next.region.id }) { found.append(next.region) }
            rest = rest.dropFirst(next.count)
        }
        return found
    }

    func allRegions() throws -> [RegionSummary] {
        let all = try regions()
        guard !all.isEmpty else { throw CommandError.noMaps }
        return all
    }

    /// Does something with the trusted machine that a person names on the command line.
    func withTrustedPeers<Result>(_ body: (TrustedPeers) throws -> Result) throws -> Result {
        do {
            return try body(trustedPeers)
        } catch var error as RegionStoreError where error.code == .notFound {
            error.remedy = ProgramRemedy.forTrustedPeer.typed.english
            throw error
        }
    }
}
