package import Sentences

/// The answer to a request.
package struct WebResponse: Sendable {
    /// The state of an answer.
    package enum Status: Int, Sendable {
        case ok = 200
        /// The path is valid, and nothing has to be shown for it.
        case noContent = 204
        case partialContent = 206
        /// The path is missing its slash at the end.
        case movedPermanently = 301
        /// The answer is another page.
        case seeOther = 303
        /// The client has this version of the file.
        case notModified = 304
        case badRequest = 400
        /// The client must say a secret first.
        case unauthorized = 401
        /// The page belongs to another user of the machine, or a person has said no.
        case forbidden = 403
        case notFound = 404
        /// The state of the server does not allow it now, or the content is not what it needs next.
        case conflict = 409
        /// Only `GET` and `HEAD` are allowed.
        case methodNotAllowed = 405
        case contentTooLarge = 413
        case rangeNotSatisfiable = 416
        /// The request is for another host.
        case misdirected = 421
        /// The content is not what was announced.
        case unprocessable = 422
        /// The client asks too often.
        case tooManyRequests = 429
        case failed = 500
        /// There are too many requests of this kind, or the content is not ready.
        case unavailable = 503
        /// The disk has no space for the content.
        case noSpace = 507
    }

    package var status: Status
    /// The media type of the content.
    package var contentType: String
    package var body: [UInt8]
    /// How the content is compressed already; nil for not at all.
    package var encoding: String?
    /// The value of the field `Content-Security-Policy`; nil for that of the server.
    package var contentSecurityPolicy: String?
    /// The path to which a browser is sent; nil for none.
    package var location: String?
    /// The file that is the content instead of ``body``; nil for none.
    package var file: WebFile?
    /// The sentence that is the content, and is said in the language of the request; nil for other content.
    private(set) var sentence: Sentence?
    /// The language of the content, which would be another one for other people; nil for content that is the same for all.
    package var language: Language?
    /// The language that the browser asks for from now on; nil if that does not change.
    package var chosenLanguage: Language?

    package init(_ body: [UInt8], as contentType: String) {
        (status, self.contentType, self.body) = (.ok, contentType, body)
    }

    /// Creates an answer that only says what is wrong, in one sentence.
    private init(_ status: Status, saying sentence: Sentence) {
        self.init(Array((sentence.english + "\n").utf8), as: Self.plainText)
        (self.status, self.sentence) = (status, sentence)
    }

    /// Creates an answer that only says what is wrong, in one English sentence, which is translated if the catalogue has it.
    package init(_ status: Status, _ sentence: String) {
        self.init(status, saying: Sentence(known: sentence))
    }

    /// Creates an answer whose content is a file, or the range of it that the request asks for.
    package init(_ file: WebFile, as contentType: String) {
        self.init([], as: contentType)
        self.file = file
    }

    /// Returns an answer that sends a browser to another path of this server.
    package static func redirect(to path: String) -> WebResponse {
        var response = WebResponse(.movedPermanently, "The address ends with a slash.")
        response.location = path
        return response
    }

    /// Returns an answer that shows a page in another language, which the browser asks for from now on.
    package static func choosing(_ language: Language, backTo path: String) -> WebResponse {
        var response = WebResponse(.seeOther, "The language has changed.")
        (response.location, response.chosenLanguage) = (path, language)
        return response
    }

    /// The answer in a language, if it is a sentence.
    func said(in language: Language) -> WebResponse {
        guard let sentence else { return self }
        var response = self
        response.body = Array((sentence.words(in: language) + "\n").utf8)
        response.language = language
        return response
    }

    /// Whether the content is text, which becomes much shorter if it is compressed.
    var isCompressible: Bool { contentType.hasPrefix("text/") || contentType == "application/json" }
    /// The answer for every path that does not exist.
    ///
    /// A path without the secret gets the same answer, so that a stranger cannot tell which paths exist.
    package static let notFound = WebResponse(.notFound, "There is nothing here.")

    /// The answer for a path that is valid but has no content.
    package static let noContent = {
        var response = WebResponse([], as: plainText)
        response.status = .noContent
        return response
    }()

    /// The answer if the server itself has failed.
    static let failed = WebResponse(.failed, "This laptop could not answer.")
    /// The answer if the disk is full.
    static let noSpace = WebResponse(.noSpace, "The laptop has no space on its disk.")
    /// The answer to content that is longer than allowed.
    static let tooLong = WebResponse(.contentTooLarge, "The content is too long.")
    /// The answer to content for a path that can only be read.
    package static let readOnly = WebResponse(.methodNotAllowed, "This page can only be read.")
    /// The media type of plain text.
    package static let plainText = "text/plain; charset=utf-8"
}
