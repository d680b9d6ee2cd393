import Crypto
import FoundationEssentials
import RegionModel
import TrackFiles

/// How much of what a file says of an item counts.
enum FileExtent {
    /// All that the file says. What it does not say stays.
    case everything
    /// What the item lacks.
    case missing

    /// Returns the text of an item after an import.
    func text(_ own: String?, _ file: String?) -> String? {
        guard let file, !file.isEmpty else { return own }
        return self == .everything || own?.isEmpty != false ? file : own
    }

    /// Returns the text of an item after an import.
    func text(_ own: String, _ file: String) -> String { text(Optional(own), Optional(file)) ?? own }
}

/// An item that may have been edited by another program in a GPX file.
protocol EditedItem: RegionItem, Equatable {
    /// The fingerprint; nil if the item cannot be read.
    var fingerprint: SHA256.Digest? { get }

    /// Returns the item with what a file says of it.
    ///
    /// Differences that come from writing and reading, such as fewer decimals, are none: the item keeps its own values.
    func taking(_ extent: FileExtent, from file: Self) -> Self
}

extension ItemWords {
    /// Returns the texts with those of a file, except comment and description.
    fileprivate func taking(_ extent: FileExtent, from file: ItemWords) -> ItemWords {
        var copy = self
        copy.symbol = extent.text(symbol, file.symbol)
        copy.type = extent.text(type, file.type)
        copy.color = extent.text(color, file.color)
        copy.icon = extent.text(icon, file.icon)
        let isOther = !file.links.isEmpty && file.links.map(\.address) != links.map(\.address)
        if isOther, extent == .everything || links.isEmpty { copy.links = file.links }
        return copy
    }

    /// The texts of an item that does not come from a file, as a file has them.
    fileprivate init(type: String) {
        self.init()
        self.type = type
    }
}

/// The note of an item that consists of a comment and a description in files.
private struct Note {
    var text: String
    var words: ItemWords

    func taking(_ extent: FileExtent, from file: Note) -> Note {
        let own = ItemNote.parts(of: text, words)
        // Some programs write the one where the other was.
        guard ![text, own.comment, own.description].contains(file.text) else { return self }
        let other = ItemNote.parts(of: file.text, file.words)
        var texts = TrackTexts()
        var parts = TrackContent.Words()
        parts.comment = extent.text(own.comment, other.comment) ?? ""
        parts.description = extent.text(own.description, other.description) ?? ""
        guard parts.comment != own.comment ?? "" || parts.description != own.description ?? "" else { return self }
        let new = texts.words(parts, hasNote: true)
        var copy = Note(text: new.note, words: words)
        copy.words.comment = new.words.comment
        copy.words.isCommentTwice = new.words.isCommentTwice
        return copy
    }
}

extension Waypoint: EditedItem {
    var givenName: String {
        get { label }
        set { label = newValue }
    }

    var remark: String { note }

    private var fileWords: ItemWords { supplement.words ?? ItemWords(type: category.rawValue) }

    func taking(_ extent: FileExtent, from file: Waypoint) -> Waypoint {
        var copy = self
        copy.label = extent.text(label, file.label)
        let note = Note(text: self.note, words: fileWords)
            .taking(extent, from: Note(text: file.note, words: file.fileWords))
        copy.note = note.text
        let words = note.words.taking(extent, from: file.fileWords)
        if words != fileWords { copy.supplement.words = words }
        if elevation == nil { copy.elevation = file.elevation }
        if category == .custom { copy.category = file.category }
        guard extent == .everything else { return copy }
        let own = TrackPoint(coordinate: coordinate, elevation: elevation, time: fileTime)
        let other = TrackPoint(coordinate: file.coordinate, elevation: file.elevation, time: file.fileTime)
        if !own.coordinate.isSamePlace(as: other.coordinate) { copy.coordinate = file.coordinate }
        if !own.hasSameValues(as: TrackPoint(coordinate: other.coordinate, elevation: other.elevation)) {
            copy.elevation = file.elevation
        }
        if other.time != nil,
            own.time == nil || !own.hasSameValues(as: TrackPoint(coordinate: other.coordinate, time: other.time))
        {
            copy.time = file.time
            if copy.supplement.words != nil { copy.supplement.words?.time = file.supplement.words?.time }
        }
        let ofWords = WaypointCategory(type: words.type ?? "", symbol: words.symbol ?? "", icon: words.icon ?? "")
        if words.symbol != fileWords.symbol || words.type != fileWords.type {
            if ofWords != .custom { copy.category = ofWords }
        } else if file.category != .custom, ofWords != category {
            // A program that changes the symbol does not change the category in our extension.
            copy.category = file.category
        }
        return copy
    }
}

extension PlannedRoute: EditedItem {
    var givenName: String {
        get { name }
        set { name = newValue }
    }

    var remark: String { supplement.words?.comment ?? "" }

    private var fileWords: ItemWords { supplement.words ?? ItemWords(type: mode.rawValue) }

    func taking(_ extent: FileExtent, from file: PlannedRoute) -> PlannedRoute {
        var copy = self
        copy.name = extent.text(name, file.name)
        var words = fileWords.taking(extent, from: file.fileWords)
        words.comment = extent.text(words.comment, file.supplement.words?.comment)
        words.description = extent.text(words.description, file.supplement.words?.description)
        if words != fileWords {
            copy.supplement.words = words
            if words.type != fileWords.type { copy.mode = file.mode }
        }
        let difference = fileTrack.difference(from: file.fileTrack)
        if difference != .points, let texts = file.supplement.pointTexts, texts != supplement.pointTexts,
            extent == .everything || supplement.pointTexts == nil
        {
            copy.supplement.pointTexts = texts
        }
        guard extent == .everything, difference != .none else { return copy }
        copy.takeLine(of: file)
        if difference == .points {
            copy.supplement.pointTexts = file.supplement.pointTexts
            // They belong to the line that was there.
            copy.viaPoints = []
            copy.turnInstructions = []
        }
        return copy
    }

    private mutating func takeLine(of file: PlannedRoute) {
        start = file.start
        end = file.end
        coordinates = file.coordinates
        totalDistance = file.totalDistance
        estimatedDuration = file.estimatedDuration
        elevationGain = file.elevationGain
        elevationLoss = file.elevationLoss
        elevationProfile = file.elevationProfile
        supplement.words = fileWords
        supplement.track = file.supplement.track
    }
}

extension SavedRoute: EditedItem {
    var givenName: String {
        get { name }
        set { name = newValue }
    }

    var remark: String { comment }

    private var fileWords: ItemWords { supplement.words ?? ItemWords(type: RouteMode.hiking.rawValue) }

    func taking(_ extent: FileExtent, from file: SavedRoute) -> SavedRoute {
        var copy = self
        copy.name = extent.text(name, file.name)
        let note = Note(text: comment, words: fileWords)
            .taking(extent, from: Note(text: file.comment, words: file.fileWords))
        copy.comment = note.text
        let words = note.words.taking(extent, from: file.fileWords)
        if words != fileWords { copy.supplement.words = words }
        guard let own = try? fileTrack, let other = try? file.fileTrack else { return copy }
        let difference = own.difference(from: other)
        if difference != .points, supplement.sensors == nil { copy.supplement.sensors = file.supplement.sensors }
        copy.averageHeartRate = averageHeartRate ?? file.averageHeartRate
        copy.maximumHeartRate = maximumHeartRate ?? file.maximumHeartRate
        copy.estimatedCalories = estimatedCalories ?? file.estimatedCalories
        guard extent == .everything, difference != .none else { return copy }
        copy.takeLine(of: file)
        if difference == .points { copy.supplement.sensors = file.supplement.sensors }
        return copy
    }

    private mutating func takeLine(of file: SavedRoute) {
        start = file.start
        end = file.end
        startTime = file.startTime
        endTime = file.endTime
        totalDistance = file.totalDistance
        elevationGain = file.elevationGain
        elevationLoss = file.elevationLoss
        walkingTime = file.walkingTime
        restingTime = file.restingTime
        trackData = file.trackData
        supplement.track = file.supplement.track
    }
}
