import RegionStore

extension PersonalContent {
    /// What is personal in what is sent, in one line; nil if nothing is.
    ///
    /// What stays here is said, too: whoever thinks of it need not wonder.
    var words: DisplayText? {
        var parts: [DisplayText] = []
        if hikes > 0 { parts.append("\(Wording.count(hikes, "recorded hike")) with times and places") }
        if comments > 0 { parts.append("\(Wording.count(comments, "comment"))") }
        if notes > 0 { parts.append("\(Wording.count(notes, "note"))") }
        if photos > 0 { parts.append("\(Wording.count(photos, "photo"))") }
        if healthRecords > 0 { parts.append("heart rate or calories of \(Wording.count(healthRecords, "hike"))") }
        guard !parts.isEmpty else { return nil }
        let stays: DisplayText = healthRecords > 0 || hikes == 0 ? "" : "; heart rates and calories are not sent"
        return "Personal: \(parts.joined(separator: ", "))\(stays)"
    }
}

/// What is personal in what is sent, in JSON.
struct PersonalPayload: Encodable {
    var hikes: Int
    var comments: Int
    var notes: Int
    var healthRecords: Int
    var photos: Int

    init(_ content: PersonalContent) {
        hikes = content.hikes
        comments = content.comments
        notes = content.notes
        healthRecords = content.healthRecords
        photos = content.photos
    }
}
