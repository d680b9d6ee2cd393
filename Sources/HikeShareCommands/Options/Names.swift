import ArgumentParser
import RegionStore
import SharingReports

extension RegionStore {
    /// Finds the region that a person names on the command line; with an empty text, the only one.
    ///
    /// - Throws: ``CommandError``, which lists the regions or suggests one if it is not clear which is meant.
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
        let name = words.first { $0.word == guess }.map { "Did you mean “\($0.1.name)”? " } ?? ""
        throw CommandError(
            .notFound,
            isPart ? "“\(text)” is only a part of the name of a region." : "You have no region “\(text)”.",
            remedy: Remedy(
                name
                    + (isExact
                        ? "Use the full name, as 'hikeshare list' shows it." : "'hikeshare list' shows the names.")
            )
        )
    }

    /// Finds the regions that the words of a command line name: one, whose name may have several words, or several, one after the
    /// other.
    ///
    /// - Throws: As ``region(named:isExact:)``.
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

    /// Returns all regions.
    ///
    /// - Throws: ``CommandError`` if there are none.
    func allRegions() throws -> [RegionSummary] {
        let all = try regions()
        guard !all.isEmpty else { throw CommandError.noMaps }
        return all
    }

    /// Does something with the trusted machine that a person names on the command line.
    ///
    /// - Throws: The error of `body`, which says how to list the machines if none matches.
    func withTrustedPeers<Result>(_ body: (TrustedPeers) throws -> Result) throws -> Result {
        do {
            return try body(trustedPeers)
        } catch var error as RegionStoreError where error.code == .notFound {
            error.remedy = ProgramRemedy.forTrustedPeer.typed
            throw error
        }
    }
}

/// A name and a new one, as the words of a command line.
struct NewName: Equatable {
    /// The name, or the start of the id, of what gets another name.
    var current: String
    var new: String

    /// Divides words that were typed without quotation marks.
    ///
    /// Two words, or two texts in quotation marks, are the two names. Of more words, the first ones must be a name that exists:
    /// the whole name, or else a part of it.
    ///
    /// - Parameters:
    ///   - words: At least two words.
    ///   - example: The command with quotation marks, for the error message.
    ///   - isName: Returns whether a text is a name, or a part of one.
    /// - Throws: ``CommandError`` if it is not clear where the new name begins.
    init(_ words: [String], example: DisplayText, isName: (_ text: String, _ isWhole: Bool) -> Bool) throws {
        let divisions = words.indices.dropFirst().map { index in
            NewName(
                current: words[..<index].joined(separator: " "),
                new: words[index...].joined(separator: " ")
            )
        }
        let whole = divisions.filter { isName($0.current, true) }
        let possible = whole.isEmpty ? divisions.filter { isName($0.current, false) } : whole
        guard divisions.count == 1 || possible.count == 1 else {
            throw CommandError(
                .usage,
                "It is not clear which of these words belong to the new name.",
                remedy: "Put names of several words in quotation marks:",
                hints: [Hint(example)]
            )
        }
        self = divisions.count == 1 ? divisions[0] : possible[0]
    }

    private init(current: String, new: String) {
        self.current = current
        self.new = new
    }
}

/// The argument that names a region.
struct RegionArgument: ParsableArguments {
    @Argument(help: .region, completion: .region)
    var words: [String] = []

    /// The name or id, which needs no quotation marks; empty for the only region.
    var name: String { words.joined(separator: " ") }
}

extension ArgumentHelp {
    /// What the help says of the name of a region.
    static let region = ArgumentHelp("Name of the region, or a part of it.", valueName: "region")
}
