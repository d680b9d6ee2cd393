import Routing

extension WayKind {
    /// The kind in a list of lengths: `path 2.1 km`.
    package var words: String {
        switch self {
        case .viaFerrata: "via ferrata"
        case .other: "other ways"
        case .straight: "straight line"
        case .path, .footway, .steps, .track, .bridleway, .cycleway, .road, .ferry: rawValue
        }
    }
}

extension SACScale {
    /// The grade of the Swiss Alpine Club: `T3 demanding mountain hiking`.
    package var words: String { "T\(grade) \(rawValue.replacing("_", with: " "))" }
}

extension TrailVisibility {
    /// What a hiker sees of the path; nil if it is easy to see.
    package var words: String? {
        switch self {
        case .excellent, .good: nil
        case .intermediate: "not always easy to see"
        case .bad: "hard to see"
        case .horrible: "very hard to see"
        case .no: "no path to be seen"
        }
    }
}

extension PlannedWay {
    /// The hardest part, how long it is and where it begins: `T3 demanding mountain hiking, hard to see, for 400 m from km 5.2`.
    package var hardestWords: DisplayText {
        guard let hardest else { return "not known: the routing database has no grades of it" }
        let parts = stretches.filter { ($0.sacScale, $0.visibility) == (hardest.sacScale, hardest.visibility) }
        let length = Wording.distance(parts.reduce(0) { $0 + $1.distance })
        let begin = Wording.decimal((parts.first?.start ?? 0) / 1000, places: 1)
        let words = [hardest.sacScale?.words, hardest.visibility?.words].compactMap { $0 }.joined(separator: ", ")
        let unknown = stretches.filter { $0.kind == .path && $0.sacScale == nil }.reduce(0) { $0 + $1.distance }
        return
            "\(words.isEmpty ? "easy to see" : words), for \(length)\(parts.count > 1 ? " in all, first at" : " from") km \(begin)"
            + (unknown < 50 ? "" : "; not known for \(Wording.distance(unknown)) of path")
    }

    /// What it consists of, the longest first: `path 5.1 km, track 1.4 km`.
    package var compositionWords: String {
        composition.map { "\($0.kind.words) \(Wording.distance($0.metres))" }.joined(separator: ", ")
    }
}
