import FoundationEssentials
import RegionStore
import Sentences
import SharingReports

/// The question whether to remove a region, and whether to export its hikes, planned routes and waypoints first.
struct Removal {
    /// The treatment of the hikes, planned routes and waypoints.
    enum Fate: Hashable {
        /// They are written to a file first.
        case export(String)
        /// They are removed with the region.
        case go
    }

    /// The decision.
    struct Decision {
        /// The file to which they are written first; nil for none.
        var file: String?
        /// Those that the file will lack because they cannot be read, as a person has seen them.
        var unreadable: [String] = []
    }

    var region: RegionSummary
    var console: Console
    /// Returns the items that cannot be read.
    var unreadableItems: () throws -> [String]

    /// Decides without a question.
    func withoutAsking(_ fate: Fate?) throws -> Decision {
        guard region.hasItems else { return Decision() }
        switch fate {
        case .export(let file):
            guard region.photoCount == 0 else {
                throw CommandError(
                    .usage,
                    "“\(region.name)” has \(Wording.count(region.photoCount, "photo")), which a GPX file cannot hold. "
                        + "Nothing was removed.",
                    remedy: "Export them with 'hikeshare export --photos --gpx', then use --with-routes."
                )
            }
            return Decision(file: file)
        case .go: return Decision()
        case nil:
            throw CommandError(
                .usage,
                "“\(region.name)” has \(region.itemWords), and --yes alone does not remove them. Nothing was removed.",
                remedy: "Add --export FILE to write them to a GPX file first, or --with-routes to remove them, too."
            )
        }
    }

    /// Asks a person.
    func confirmed(_ fate: Fate?) async throws -> Decision {
        guard console.canAsk else {
            throw CommandError(
                .noTerminal,
                "Removing “\(region.name)” needs your confirmation, but there is no terminal.",
                remedy: region.hasItems && fate == nil
                    ? "Add --yes, and --export FILE or --with-routes to keep or remove its \(region.itemWords)."
                    : "Add --yes to remove it without asking."
            )
        }
        console.tell(
            "\(DisplayText(quoting: region.name)) (\(region.shortID)): \(region.contents), \(Wording.size(region.fileSize))"
        )
        var decision = Decision(file: region.hasItems ? try await file(fate) : nil)
        if let file = decision.file {
            decision.unreadable = try unreadableItems()
            for item in decision.unreadable { console.tell("\(file) will lack what cannot be read: \(item)") }
        }
        let known = region.losses(hasGPX: decision.file != nil)
        let losses = [known.isEmpty ? nil : "its " + known, decision.unreadable.isEmpty ? nil : "what cannot be read"]
        let words = losses.compactMap { $0 }.joined(separator: " and with ")
        let question: DisplayText = words.isEmpty ? "Remove it for good?" : "Remove it for good, with \(words)?"
        guard try await console.confirm(question) else { throw CommandError(.declined, "Nothing was removed.") }
        return decision
    }

    private func file(_ fate: Fate?) async throws -> String? {
        switch fate {
        case .export(let file): return file
        case .go: return nil
        case nil:
            let file = freeName
            let question: DisplayText = "Write its \(region.itemWords) to \(file) first?"
            return try await console.confirm(question, byDefault: true) ? file : nil
        }
    }

    /// Returns the name of a file that does not exist in this folder.
    private var freeName: String {
        let stem = ExportFileName.stem(for: region.name)
        var name = stem + ".gpx"
        var number = 1
        while FileManager.default.fileExists(atPath: name) {
            number += 1
            name = "\(stem)-\(number).gpx"
        }
        return name
    }
}
