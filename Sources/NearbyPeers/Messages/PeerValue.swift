import PeerCore
import PeerProtocol

/// A value that crosses the network in JSON, under a name: a ``PeerMessage`` or a ``PeerRequest``.
///
/// The name identifies the value on the network. So you can rename the type, but not the value. Dates are sent as seconds since
/// 1970, and `Data` is sent as base64.
public protocol PeerValue: Codable, Sendable {
    /// The name on the network: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`, a letter first.
    static var messageName: String { get }

    /// The version of the value's form, 1 to 65,535; a peer that knows only a lower version does not get the value.
    static var messageVersion: Int { get }
}

extension PeerValue {
    /// Version 1.
    public static var messageVersion: Int { 1 }
}

extension LinkName {
    /// Checks the name of a message or a channel.
    static func checked(_ text: String) throws(PeerError) -> LinkName {
        guard let name = LinkName(text) else {
            throw PeerError(
                .invalidArgument,
                "“\(text)” cannot be the name of a message, a request or a channel.",
                remedy: "Use 1 to 64 lowercase letters, digits, periods and hyphens, beginning with a letter."
            )
        }
        return name
    }
}
