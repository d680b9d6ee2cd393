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
    /// Answers a request; it is called on any thread, and may block for a moment.
    func respond(to request: WebRequest) -> WebResponse

    /// Returns why a client cannot send anything to a path; nil if it can.
    ///
    /// It is called before the content is read.
    func refusal(ofContentFor request: WebRequest) -> WebResponse?

    /// Creates an empty file for the content of a request.
    ///
    /// The file has no name, so nothing is left of it.
    func contentFile() throws -> OpenFile
}

extension WebSite {
    /// Nothing can be sent.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? { .readOnly }

    /// There is no place for content.
    package func contentFile() throws -> OpenFile { throw SystemError(number: EROFS) }
}
