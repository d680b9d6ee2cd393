package import RegionStore

/// Whether phones get what concerns a person.
package struct PersonalPageQuestion: Question {
    /// How phones get it.
    package enum Way: Hashable, Sendable {
        /// From the page for phones, which is not encrypted.
        case page
        /// By LocalSend.
        case localSend(isEncrypted: Bool)
    }

    /// What of the regions concerns a person.
    package var personal: PersonalContent
    /// How phones get it.
    package var way: Way

    package var defaultAnswer: Bool { false }

    package init(_ personal: PersonalContent, on way: Way = .page) { (self.personal, self.way) = (personal, way) }
}

extension PersonalContent {
    /// Whether there is something that is on the page for phones only after a yes.
    package var needsYesForPage: Bool { [hikes, comments, notes, links, pointTexts, photos].contains { $0 > 0 } }
}
