/// The limits of the content of a request, in place of those of the server.
package struct WebContentLimits: Hashable, Sendable {
    /// The maximum length, in bytes.
    package var length: UInt64
    /// Whether a client may send content whose length it does not announce (`Transfer-Encoding: chunked`).
    package var allowsUnknownLength: Bool
    /// Whether the request counts among those with content at once; a short one need not.
    package var isUpload: Bool
    /// How long a client may send nothing; a client that sends slowly gets this time in all.
    package var stallTime: Duration

    package init(
        length: UInt64,
        allowsUnknownLength: Bool = false,
        isUpload: Bool = true,
        stallTime: Duration = .seconds(60)
    ) {
        self.length = length
        self.allowsUnknownLength = allowsUnknownLength
        self.isUpload = isUpload
        self.stallTime = stallTime
    }
}
