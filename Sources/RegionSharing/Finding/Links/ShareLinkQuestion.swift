package import PeerCore

/// The share link of the sender from whom to receive.
package struct ShareLinkQuestion: Question {
    /// The number of attempts to type a share link.
    private static let maximumAttempts = 5

    /// The application whose share links are taken.
    package let application: PeerServiceType
    /// Why the last answer was no share link, without the token; nil if there was none.
    package private(set) var objection: PeerError?

    package init(for application: PeerServiceType) { self.application = application }

    /// None.
    package var defaultAnswer: String? { nil }

    /// Asks for a share link, again if it is not valid; gives up after some attempts.
    package func settle(_ person: any Person) async throws -> ShareLink {
        var (question, attempts) = (self, 0)
        while true {
            guard let line = try await person.ask(question) else { throw FindingError.noLink }
            attempts += 1
            do {
                return try ShareLink(typed: line, for: application)
            } catch {
                guard attempts < Self.maximumAttempts else { throw error }
                question.objection = error
            }
        }
    }
}
