/// A request, whose host and path are valid.
package struct WebRequest: Hashable, Sendable {
    /// The path.
    package var path: WebPath
    /// The address of the client, without its port.
    package var client: String
    /// The content that a client has sent with `POST`; nil if it only reads.
    package var content: [UInt8]?

    /// Creates a request.
    package init(_ path: WebPath, from client: String = "", content: [UInt8]? = nil) {
        self.path = path
        self.client = client
        self.content = content
    }
}

/// The pages of a server.
package protocol WebSite: Sendable {
    /// Answers a request; it is called on any thread, and may block for a moment.
    func respond(to request: WebRequest) -> WebResponse

    /// Returns why nothing can be sent to a path; nil if it can.
    ///
    /// It is called before the content is read.
    func refusal(ofContentFor path: WebPath) -> WebResponse?
}

extension WebSite {
    /// Nothing can be sent.
    package func refusal(ofContentFor path: WebPath) -> WebResponse? { .readOnly }
}

/// A site that only reads, as a function.
struct ReadOnlySite: WebSite {
    var handler: WebServer.Handler

    func respond(to request: WebRequest) -> WebResponse {
        request.content == nil ? handler(request.path) : .readOnly
    }
}
