package import RegionSharing
import RegionStore

extension PhoneFilesQuestion {
    /// The number of files that a question shows.
    private static let shownFiles = 5

    /// The text above the question.
    package var introduction: DisplayText {
        if let file = files.first, files.count == 1 { return "\(phone.title) wants to send \(file.title)." }
        let size = files.reduce(UInt64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        let shown = files.prefix(Self.shownFiles).map(\.quotedName).joined(separator: ", ")
        let more: DisplayText = files.count > Self.shownFiles ? " …" : ""
        return """
            \(phone.title) wants to send \(Wording.count(files.count, "file")), \(Wording.size(size)): \(shown)\(more)
            """
    }

    /// The question.
    package var question: DisplayText {
        files.count == 1
            ? "Take it? What is in it is shown before it is added."
            : "Take them? What is in them is shown before they are added."
    }
}

extension PhoneTextQuestion {
    /// The text above the question.
    package var introduction: DisplayText {
        switch content {
        case .words(let count): "\(phone.title) wants to send a text of \(Wording.count(count, "character"))."
        case .link: "\(phone.title) has sent the share link of a sender."
        }
    }

    /// The question.
    package var question: DisplayText {
        switch content {
        case .words: "Show it?"
        case .link(isTaken: true): "Receive from there?"
        case .link(isTaken: false): "Show it?"
        }
    }
}

extension PhoneListQuestion {
    /// The text above the question.
    package var introduction: DisplayText {
        if isReplacing {
            return "\(phone.title) has sent photos of \(Wording.count(photos, "waypoint")) that have a photo already."
        }
        let counts = [(hikes, "hike"), (plannedRoutes, "planned route"), (waypoints, "waypoint")]
        let items = Wording.list(counts.filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) })
        let tracks = trackFiles > 0 ? "\(Wording.count(trackFiles, "track file")) with \(items)" : nil
        let shown = photos == 1 ? "a photo of a waypoint" : "photos of \(photos) waypoints"
        let parts = [tracks, photos > 0 ? shown : nil].compactMap { $0 }
        let left: DisplayText = outside > 0 ? "\n\(Wording.leftOutside(outside))" : ""
        return "\(phone.title) has sent \(parts.joined(separator: ", and ")).\(left)"
    }

    /// The question: it says so if items would change, or if something is replaced.
    package var question: DisplayText {
        if isReplacing { return photos == 1 ? "Replace it?" : "Replace these \(photos) photos?" }
        let owner = regions.count > 1 ? "they have" : "it has"
        let change = changes > 0 ? ", and change \(Wording.count(changes, "item")) that \(owner)" : ""
        return "Add all this to \(Wording.names(of: regions))\(change)?"
    }
}

extension LocalSendPhone {
    /// The number of names that are shown for a reason, and the number of reasons.
    private static let shownCount = 3

    /// Says which of its files were not added, and why: each reason once.
    package func leftOutText(_ files: [PhoneLeftOut]) -> DisplayText {
        var reasons: [String] = []
        var groups: [String: [PhoneFile]] = [:]
        for file in files {
            if groups[file.reason] == nil { reasons.append(file.reason) }
            groups[file.reason, default: []].append(file.file)
        }
        let shown = reasons.prefix(Self.shownCount).map { reason -> DisplayText in
            "\n\(Self.names(of: groups[reason] ?? [])): \(DisplayText(escaping: reason))"
        }
        let rest = reasons.dropFirst(Self.shownCount).reduce(0) { $0 + (groups[$1]?.count ?? 0) }
        let more: DisplayText = rest > 0 ? "\nand \(Wording.count(rest, "other file"))." : ""
        let count = files.count == 1 ? "A file" : Wording.count(files.count, "file")
        let were = files.count == 1 ? "was" : "were"
        return "\(count) from \(title) \(were) not added:\(shown.joined(separator: ""))\(more)"
    }

    private static func names(of files: [PhoneFile]) -> DisplayText {
        let names = files.prefix(shownCount).map(\.quotedName).joined(separator: ", ")
        let rest = files.count - shownCount
        return rest > 0 ? "\(names) and \(Wording.count(rest, "other file"))" : names
    }
}

extension Wording {
    /// The number of regions that a question names.
    private static let shownRegions = 3

    /// The names of regions.
    static func names(of regions: [RegionSummary]) -> DisplayText {
        let names = regions.prefix(shownRegions).map { DisplayText(quoting: $0.name) }
        guard regions.count <= shownRegions else {
            return "\(names.joined(separator: ", ")) and \(count(regions.count - shownRegions, "other region"))"
        }
        guard let last = names.last, names.count > 1 else { return names.joined(separator: ", ") }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// Says that items lie on no map.
    static func leftOutside(_ number: Int) -> String {
        number == 1
            ? "1 item lies on none of your maps, and is left out."
            : "\(number) items lie on none of your maps, and are left out."
    }
}
