package import PeerCore

extension ShareLink {
    /// The maximum number of words that are looked at.
    private static let maximumWords = 200

    /// Finds the share link in a text that a person has sent: the whole text, or a word that begins with its scheme.
    package static func found(in text: String, for application: PeerServiceType) -> ShareLink? {
        // Spaces may divide a link that was read aloud.
        if text.utf8.count <= 2 * maximumLength, let link = try? ShareLink(typed: text, for: application) {
            return link
        }
        let words = text.split(maxSplits: maximumWords, whereSeparator: \.isWhitespace).prefix(maximumWords)
        for word in words.map(String.init) where word.utf8.count <= maximumLength && isLink(word, of: application) {
            if let link = try? ShareLink(typed: word, for: application) { return link }
        }
        return nil
    }
}
