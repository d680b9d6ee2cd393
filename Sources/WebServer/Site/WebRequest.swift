package import PeerStorage
package import Sentences

/// A request, whose host and path are valid.
package struct WebRequest: Sendable {
    package var path: WebPath
    /// The names and values of the query; empty if the site takes no queries.
    package var query: [String: String] = [:]
    /// The address of the client, without its port; a link-local address with its zone, such as `fe80::1%wlan0`.
    package var client: String
    /// The certificate in DER form whose key the client has; nil if it showed none.
    package var certificate: [UInt8]?
    /// Whether the client can read answers that are compressed as gzip.
    package var takesGzip: Bool
    /// The language that the person at the client reads, as far as the program has it.
    package var language = Language.english
    /// The length of the content, in bytes, also before it has arrived.
    package var contentLength: Int
    /// Whether the length of the content is not known yet, because the client does not announce it.
    package var hasUnknownLength = false
    /// A file with the content that a client has sent with `POST`; nil if it only reads, or ``taken`` has the content.
    package var content: OpenFile?
    /// What has taken the content as it came; nil if there was none, or ``content`` has it.
    package var taken: (any WebContent)?
    /// The media type of the content; nil if the client does not state one.
    package var contentType: String?
    /// Whether a page of this server has sent the request, as the browser says.
    package var isFromOwnPage = false
    /// Whether a page of another server has sent the request, as the browser says.
    package var isFromOtherPage = false

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
