package import PeerCore

extension ShareLink {
    /// Reads a share link as a person types it: with or without its scheme, ignoring spaces.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument`; the message does not contain the token.
    package init(typed text: String, for application: PeerServiceType) throws(PeerError) {
        let text = Self.trimmed(text)
        try self.init(parsing: text.contains(":") ? text : "\(application.name)://\(text)", for: application)
    }

    /// Returns whether a text looks like a share link, or is one without its scheme.
    package static func isTyped(_ text: String, for application: PeerServiceType) -> Bool {
        isLink(trimmed(text), of: application) || (try? ShareLink(typed: text, for: application)) != nil
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined()
    }
}
