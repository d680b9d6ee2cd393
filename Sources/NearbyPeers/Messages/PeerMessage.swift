import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// A value that is sent to peers as one message, in JSON.
///
/// The name identifies the message on the network. So you can rename the type, but not the message.
///
/// ```swift
/// struct ChatLine: PeerMessage {
///     static let messageName = "chat.line"
///     var text: String
/// }
/// ```
///
/// Dates are sent as seconds since 1970, and `Data` is sent as base64.
public protocol PeerMessage: Codable, Sendable {
    /// The name on the network: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`, a letter first.
    static var messageName: String { get }

    /// The version of the message's form, 1 to 65,535; a peer that knows only a lower version does not get the message.
    static var messageVersion: Int { get }
}

extension PeerMessage {
    /// Version 1.
    public static var messageVersion: Int { 1 }
}

/// A message to which the peer answers.
///
/// ```swift
/// struct Greeting: PeerRequest {
///     static let messageName = "greeting"
///     typealias Response = String
///     var name: String
/// }
/// ```
public protocol PeerRequest: PeerMessage {
    /// The type of the answer.
    associatedtype Response: Codable & Sendable
}

/// A named sequence of messages between two peers.
///
/// The messages of one peer on one channel are delivered in the order in which they were sent, whatever their types. So a
/// message waits until those before it on its channel are read. It does not wait for messages on other channels.
///
/// A session sends on at most 16 channels to each peer. A message on the 17th channel is not sent: the peer is in
/// ``SendResult/missed``, with `PeerError.Code.invalidArgument`.
///
/// See <doc:SendingMessages> for an example.
public struct MessageChannel: Hashable, Sendable {
    /// The channel for messages without a channel of their own.
    public static let main = MessageChannel(name: .main)

    let name: LinkName

    /// Creates a channel.
    ///
    /// - Parameter name: 1 to 64 of `a`–`z`, `0`–`9`, `.` and `-`, a letter first; the same at both sides.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the name has another form.
    public init(_ name: String) throws(PeerError) {
        self.name = try .checked(name)
    }

    private init(name: LinkName) {
        self.name = name
    }
}

/// A message and the peer that sent it.
///
/// See <doc:SendingMessages> for an example.
public struct Received<Message: Sendable>: Sendable {
    /// The message.
    public var message: Message
    /// The peer.
    public var peer: PeerID
}

/// How a message is sent.
///
/// See <doc:SendingMessages> for an example.
public enum DeliveryMode: Hashable, Sendable {
    /// In order and exactly once, as long as the link lives.
    case reliable
    /// At once or not at all: a newer message with the same key replaces one that was not sent yet, and a message that is older
    /// than `maximumAge` when its turn comes is dropped.
    ///
    /// At most 16 KiB.
    case droppable(key: String = "", maximumAge: Duration = .milliseconds(100))
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

/// Messages and the values of streams as JSON.
enum MessageCoding {
    static func encode(_ value: some Encodable, named name: LinkName, version: Int) throws(PeerError) -> Message {
        guard let version = UInt16(exactly: version), version > 0 else {
            throw PeerError(.invalidArgument, "The version of “\(name.text)” must be from 1 to 65535.")
        }
        let data = try json(of: value, for: "message “\(name.text)”")
        return Message(.json(name, version: version), payload: ByteBuffer(bytes: data))
    }

    /// Writes a value on one line; errors call it `what`.
    static func json(of value: some Encodable, for what: @autoclosure () -> String) throws(PeerError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(value)
        } catch {
            throw PeerError(.invalidArgument, "The \(what()) cannot be written as JSON.", cause: error)
        }
        guard !hasTooManyValues(data) else {
            throw PeerError(
                .invalidArgument,
                "The \(what()) has more than \(ControlJSON.maximumMessageValueCount) values: "
                    + "the other side would reject it.",
                remedy: "Send large data as a resource."
            )
        }
        return data
    }

    private static func hasTooManyValues(_ data: Data) -> Bool {
        // Each value takes at least a byte.
        guard data.count > ControlJSON.maximumMessageValueCount else { return false }
        do {
            try ControlJSON.checkMessage(data)
            return false
        } catch {
            return error as? JSONFault == .manyValues
        }
    }

    /// Reads a value; nil if the peer has sent anything else.
    static func decode<Value: Decodable>(_ type: Value.Type, from message: Message) -> Value? {
        value(type, in: Data(message.payload.readableBytesView))
    }

    /// Reads a value; nil if the data are anything else.
    static func value<Value: Decodable>(_ type: Value.Type, in data: Data) -> Value? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard (try? ControlJSON.checkMessage(data)) != nil else { return nil }
        return try? decoder.decode(type, from: data)
    }
}
