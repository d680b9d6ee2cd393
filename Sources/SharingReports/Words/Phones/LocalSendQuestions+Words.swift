package import RegionSharing
package import RegionStore

extension PersonalPageQuestion {
    /// The text above the question; nil if there is nothing to ask about.
    package var introduction: DisplayText? {
        switch way {
        case .page: personal.pageIntroduction
        case .localSend(isEncrypted: true): personal.introduction(before: "You decide once for all phones.")
        case .localSend(isEncrypted: false):
            personal.introduction(
                before: "This phone takes files without encryption: others in this network can read them."
            )
        }
    }

    /// The question.
    package var question: DisplayText {
        switch way {
        case .page: "Add them to the page?"
        case .localSend: "Send them to phones, too?"
        }
    }
}

extension PhonePINQuestion {
    /// The question.
    package var question: DisplayText {
        isAfterWrong
            ? "That PIN was wrong. The PIN of \(phone.title):"
            : "\(phone.title) wants a PIN, which it has in its settings:"
    }
}

extension PhoneNameQuestion {
    /// The text above the question.
    package var introduction: DisplayText {
        "From now on, this laptop can recognise \(phone.title). What do you call it? Without an answer, it stays new."
    }

    /// The question, with the usual answer.
    package var question: DisplayText { "Its name [\(phone.name)]:" }
}

extension DownloadKind {
    /// The file, in a list for a phone.
    package var phoneWords: String {
        switch self {
        case .html: "The map for this phone"
        case .pdf: "On paper (PDF)"
        case .mbtiles: "MBTiles"
        case .foreign: "The map of another program"
        case .sqlitedb: "For OsmAnd"
        case .gpx: "Routes and waypoints (GPX)"
        case .zip: "Everything (ZIP)"
        }
    }

    /// The word that a person types for it; nil if there is none.
    package var typedWord: String? {
        switch self {
        case .html, .pdf, .mbtiles, .gpx: rawValue
        case .sqlitedb: "osmand"
        case .foreign, .zip: nil
        }
    }
}
