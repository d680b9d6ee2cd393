import RegionStore

extension PersonalContent {
    /// What the page for phones has only after a yes, such as `recorded hikes and notes`; nil for nothing.
    var pageWords: DisplayText? { pageText.map { DisplayText(escaping: $0) } }

    /// The text before the question whether personal content is put on the page; nil if there is none.
    var pageIntroduction: DisplayText? {
        guard let text = pageText else { return nil }
        let start = DisplayText(escaping: text.prefix(1).uppercased() + text.dropFirst())
        return "The page for phones is not encrypted. \(start) are left out unless you agree."
    }

    private var pageText: String? {
        let kinds = [
            (hikes, "recorded hikes"), (comments, "comments"), (notes, "notes"), (links, "links"),
            (pointTexts, "names of points"), (photos, "photos"),
        ].filter { $0.0 > 0 }.map(\.1)
        return kinds.isEmpty ? nil : Wording.list(kinds)
    }

    /// The personal content that is sent, in one line; nil if there is none.
    ///
    /// Health data that is not sent is mentioned, if there is any.
    var words: DisplayText? {
        var parts: [DisplayText] = []
        if hikes > 0 { parts.append("\(Wording.count(hikes, "recorded hike")) with times and places") }
        if comments > 0 { parts.append("\(Wording.count(comments, "comment"))") }
        if notes > 0 { parts.append("\(Wording.count(notes, "note"))") }
        if links > 0 { parts.append("links of \(Wording.count(links, "item"))") }
        if pointTexts > 0 { parts.append("names of points of \(Wording.count(pointTexts, "planned route"))") }
        if photos > 0 { parts.append("\(Wording.count(photos, "photo"))") }
        if healthRecords > 0 { parts.append("health data of \(Wording.count(healthRecords, "hike"))") }
        guard !parts.isEmpty else { return nil }
        let withheld = Wording.count(withheldHealthRecords, "hike")
        let stays: DisplayText = withheldHealthRecords == 0 ? "" : "; health data of \(withheld) is not sent"
        return "Personal: \(parts.joined(separator: ", "))\(stays)"
    }
}

/// The personal content that is sent, in JSON.
struct PersonalPayload: Encodable {
    var hikes: Int
    var comments: Int
    var notes: Int
    var links: Int
    var pointTexts: Int
    var healthRecords: Int
    var withheldHealthRecords: Int
    var photos: Int

    init(_ content: PersonalContent) {
        hikes = content.hikes
        comments = content.comments
        notes = content.notes
        links = content.links
        pointTexts = content.pointTexts
        healthRecords = content.healthRecords
        withheldHealthRecords = content.withheldHealthRecords
        photos = content.photos
    }
}
