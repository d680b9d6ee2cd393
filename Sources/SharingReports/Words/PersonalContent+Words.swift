package import RegionStore

extension PersonalContent {
    /// What the page for phones has only after a yes, such as `recorded hikes and notes`; nil for nothing.
    package var pageWords: DisplayText? { pageText.map { DisplayText(escaping: $0) } }

    /// The text before the question whether personal content is put on the page; nil if there is none.
    package var pageIntroduction: DisplayText? { introduction(before: "The page for phones is not encrypted.") }

    /// The text before the question whether phones get personal content, with a sentence before it; nil if there is none.
    func introduction(before sentence: DisplayText) -> DisplayText? {
        guard let text = pageText else { return nil }
        let start = DisplayText(escaping: text.prefix(1).uppercased() + text.dropFirst())
        return "\(sentence) \(start) are left out unless you agree."
    }

    private var pageText: String? {
        let kinds = [
            (hikes, "recorded hikes"), (comments, "comments"), (notes, "notes"), (links, "links"),
            (pointTexts, "names of points"), (photos, "photos"),
        ].filter { $0.0 > 0 }.map(\.1)
        return kinds.isEmpty ? nil : Wording.list(kinds)
    }

    /// The personal content that is sent, and health data that is not, in one line; nil if there is none.
    package var words: DisplayText? {
        var parts: [DisplayText] = []
        if hikes > 0 { parts.append("\(Wording.count(hikes, "recorded hike")) with times and places") }
        if comments > 0 { parts.append("\(Wording.count(comments, "comment"))") }
        if notes > 0 { parts.append("\(Wording.count(notes, "note"))") }
        if links > 0 { parts.append("links of \(Wording.count(links, "item"))") }
        if pointTexts > 0 { parts.append("names of points of \(Wording.count(pointTexts, "planned route"))") }
        if let photoWords { parts.append(photoWords) }
        if healthRecords > 0 { parts.append("health data of \(Wording.count(healthRecords, "hike"))") }
        guard !parts.isEmpty else { return nil }
        let withheld = Wording.count(withheldHealthRecords, "hike")
        let stays: DisplayText = withheldHealthRecords == 0 ? "" : "; health data of \(withheld) is not sent"
        return "Personal: \(parts.joined(separator: ", "))\(stays)"
    }

    /// The photos and what they say, such as `2 photos, with the camera, place and time`; nil if there are none.
    private var photoWords: DisplayText? {
        guard photos > 0 else { return nil }
        let all: DisplayText = "\(Wording.count(photos, "photo"))"
        let details = [
            (detailedPhotos, "with", photoDetails), (unexaminedPhotos, "perhaps with", [.camera, .place, .time]),
        ]
        return details.filter { $0.0 > 0 }.reduce(all) { words, part in
            let which = part.0 == photos ? "" : " \(part.0) of them"
            return "\(words),\(which) \(part.1) the \(Wording.list(part.2.words))"
        }
    }

    package var json: JSONObject {
        [
            "hikes": hikes,
            "comments": comments,
            "notes": notes,
            "links": links,
            "pointTexts": pointTexts,
            "healthRecords": healthRecords,
            "withheldHealthRecords": withheldHealthRecords,
            "photos": photos,
            "detailedPhotos": detailedPhotos,
            "unexaminedPhotos": unexaminedPhotos,
            "photoDetails": photoDetails.isEmpty ? nil : photoDetails.words,
        ]
    }
}

extension PhotoDetails {
    fileprivate var words: [String] {
        [(PhotoDetails.camera, "camera"), (.place, "place"), (.time, "time")].filter { contains($0.0) }.map(\.1)
    }
}
