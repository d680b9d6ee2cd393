import NIOHTTP1

/// The limits of the header fields of a request or an answer.
enum HeaderLimits {
    /// The maximum size of all fields, in bytes.
    static let maximumSize = 16 * 1024
    /// The maximum number of fields.
    static let maximumCount = 64

    /// The limits as NIO takes them.
    static var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (maximumSize, maximumSize)
        limits.maxHeaderFieldCount = maximumCount
        return limits
    }
}
