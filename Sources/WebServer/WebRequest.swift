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
    /// A file with the content that a client has sent with `POST`; nil if it only reads.
    package var content: OpenFile?

    /// Creates a request.
    package init(_ path: WebPath, from client: String = "", takesGzip: Bool = false, content: OpenFile? = nil) {
        self.path = path
        self.client = client
        self.takesGzip = takesGzip
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
