/// A value to which the peer answers with another one.
///
/// ```swift
/// struct Greeting: PeerRequest {
///     static let messageName = "greeting"
///     typealias Response = String
///     var name: String
/// }
/// ```
public protocol PeerRequest: PeerValue {
    /// The type of the answer.
    associatedtype Response: Codable & Sendable
}
