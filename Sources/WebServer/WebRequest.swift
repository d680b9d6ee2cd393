import Glibc
package import PeerStorage

/// A request, whose host and path are valid.
package struct WebRequest: Sendable {
    /// The path.
    package var path: WebPath
    /// The address of the client, without its port.
    package var client: String
    /// Whether the client can read answers that are compressed as gzip.
    package var takesGzip: Bool
    /// The length of the content, in bytes, also before it has arrived.
    package var contentLength: Int
    /// A file with the content that a client has sent with `POST`; nil if it only reads.
    package var content: OpenFile?
    /// The media type of the content; nil if the client does not state one.
    package var contentType: String?
    /// Whether a page of this server has sent the request, as the browser says.
    package var isFromOwnPage = false
    /// Whether a page of another server has sent the request, as the browser says.
    package var isFromOtherPage = false

    /// Creates a request.
    package init(
        _ path: WebPath,
        from client: String = "",
        takesGzip: Bool = false,
        contentLength: Int = 0,
        content: OpenFile? = nil
    ) {
        self.path = path
        self.client = client
        self.takesGzip = takesGzip
        self.contentLength = contentLength
        self.content = content
    }
}

/// The pages of a server.
package protocol WebSite: Sendable {
    /// Answers a request; called on any thread, which it may block for a moment.
    func respond(to request: WebRequest) -> WebResponse

    /// Returns the refusal of content for a path; nil if a client can send content there.
    ///
    /// Called before the content is read.
    func refusal(ofContentFor request: WebRequest) -> WebResponse?

    /// Creates an empty file for the content of a request.
    ///
    /// The file has no name, so it disappears when it is closed.
    func contentFile() throws -> OpenFile
}

extension WebSite {
    /// A site accepts no content unless it says so.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? { .readOnly }

    /// A site that accepts no content has no file for it.
    package func contentFile() throws -> OpenFile { throw SystemError(number: EROFS) }
}

/// The path of a request: its components, each of which consists of letters, digits, `-`, `_` and `.`.
///
/// No address of this server has anything else, so everything else is rejected: percent signs, queries, empty
/// components, `.` and `..`.
package struct WebPath: Hashable, Sendable {
    /// The maximum length of a path, in bytes.
    package static let maximumLength = 1000

    /// The components; empty for `/`.
    package let components: [String]

    /// Whether the path ends with a slash.
    package let endsWithSlash: Bool

    /// Reads the target of a request; nil if it is not a path of this form.
    package init?(_ target: String) {
        let bytes = target.utf8
        guard bytes.count <= Self.maximumLength, bytes.first == UInt8(ascii: "/"), bytes.allSatisfy(Self.isAllowed)
        else { return nil }
        var parts = target.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        endsWithSlash = parts.last == ""
        if endsWithSlash { parts.removeLast() }
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        components = parts
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
