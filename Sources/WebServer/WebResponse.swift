/// The answer to a request.
package struct WebResponse: Hashable, Sendable {
    /// The state of an answer.
    package enum Status: Int, Sendable {
        /// The content follows.
        case ok = 200
        /// The path is valid, and nothing has to be shown for it.
        case noContent = 204
        /// A part of a file follows.
        case partialContent = 206
        /// The path is missing its slash at the end.
        case movedPermanently = 301
        /// The client has this version of the file.
        case notModified = 304
        /// The request is not valid.
        case badRequest = 400
        /// The page belongs to another user of the machine.
        case forbidden = 403
        /// Nothing has this path.
        case notFound = 404
        /// The state of the server does not allow it now, or the content is not what it needs next.
        case conflict = 409
        /// Only `GET` and `HEAD` are allowed.
        case methodNotAllowed = 405
        /// The content of the request is too long.
        case contentTooLarge = 413
        /// The file does not have the part that was asked for.
        case rangeNotSatisfiable = 416
        /// The request is for another host.
        case misdirected = 421
        /// The content cannot be read.
        case failed = 500
        /// There are too many requests of this kind, or the content is not ready.
        case unavailable = 503
        /// The disk has no space for the content.
        case noSpace = 507
    }

    /// The state.
    package var status: Status
    /// The media type of the content.
    package var contentType: String
    /// The content.
    package var body: [UInt8]
    /// How the content is compressed already; nil for not at all.
    package var encoding: String?
    /// The value of the field `Content-Security-Policy`; nil for that of the server.
    package var contentSecurityPolicy: String?
    /// The path to which a browser is sent; nil for none.
    package var location: String?
    /// The file that is the content instead of ``body``; nil for none.
    package var file: WebFile?

    /// Creates an answer with content.
    package init(_ body: [UInt8], as contentType: String) {
        self.status = .ok
        self.contentType = contentType
        self.body = body
    }

    /// Creates an answer that only says what is wrong, in one sentence.
    package init(_ status: Status, _ sentence: String) {
        self.status = status
        self.contentType = Self.plainText
        self.body = Array((sentence + "\n").utf8)
    }

    private init(_ status: Status) {
        self.status = status
        self.contentType = Self.plainText
        self.body = []
    }

    /// Creates an answer whose content is a file, or the part of it that the request asks for.
    package init(_ file: WebFile) {
        self.init([], as: file.contentType)
        self.file = file
    }

    /// Returns an answer that sends a browser to another path of this server.
    package static func redirect(to path: String) -> WebResponse {
        var response = WebResponse(.movedPermanently, "The address ends with a slash.")
        response.location = path
        return response
    }

    /// Whether the content is text, which becomes much shorter if it is compressed.
    var isCompressible: Bool {
        contentType.hasPrefix("text/") || contentType == "application/json"
    }

    /// The answer for every path that does not exist.
    ///
    /// A path without the secret gets the same answer, so that a stranger cannot tell which paths exist.
    package static let notFound = WebResponse(.notFound, "There is nothing here.")

    /// The answer for a path that is valid but has no content.
    package static let noContent = WebResponse(.noContent)

    /// The answer to content for a path that can only be read.
    package static let readOnly = WebResponse(.methodNotAllowed, "This page can only be read.")

    /// The media type of plain text.
    package static let plainText = "text/plain; charset=utf-8"
}
