import PeerProtocol

/// Why an application does not answer a request.
///
/// The closure of ``PeerSession/answer(_:atOnce:_:)`` throws it, or ``IncomingRequest/refuse(_:)`` takes it. At the side that asks,
/// ``PeerSession/request(_:from:timeout:)`` throws a `PeerError` with `PeerError.Code.declined`, the message, and the code as its
/// `refusalCode`.
///
/// ```swift
/// try await session.answer(PhotoRequest.self) { request, peer in
///     guard let photo = album[request.name] else {
///         throw RequestRefusal(code: "unknown-photo", message: "There is no photo of this name.")
///     }
///     return photo
/// }
/// ```
public struct RequestRefusal: Error, Hashable, Sendable {
    /// What the application calls the reason, 0 to 64 bytes, for programs to compare; empty if there is no code.
    public let code: String
    /// The reason in words, at most 1,000 bytes.
    public let message: String

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - code: What the application calls the reason; what exceeds 64 bytes of UTF-8 is cut off.
    ///   - message: The reason in words; what exceeds 1,000 bytes of UTF-8 is cut off.
    public init(code: String = "", message: String) {
        let end = RequestEnd(.refused, code: code, reason: message)
        self.code = end.code
        self.message = end.reason
    }

    /// What the other side is told.
    var end: RequestEnd { RequestEnd(.refused, code: code, reason: message) }
}
