import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// A message of this side before it is in an outbox.
struct OutgoingMessage: Sendable {
    let message: Message
    /// The name and the version of its type; nil for raw bytes.
    private let type: (name: String, version: Int)?
    /// Why no peer would read it, whichever it is; nil if there is no such reason.
    private let fault: PeerError?

    /// Raw bytes.
    init(_ bytes: Data) {
        message = Message(.bytes, payload: ByteBuffer(bytes: bytes))
        (type, fault) = (nil, nil)
    }

    /// A value in JSON.
    ///
    /// A value that is too large is a message that all peers miss. Another one would throw for the longest messages, and be missed
    /// for those in between, because each peer has its own limit for the length.
    init<Value: PeerMessage>(_ value: Value) throws(PeerError) {
        let name = try LinkName.checked(Value.messageName)
        message = try MessageCoding.write(value, named: name, version: Value.messageVersion)
        type = (name.text, Value.messageVersion)
        fault = MessageCoding.fault(of: message)
    }

    /// Why a peer does not get the message; nil if it can be put into the outbox.
    func refusal(by link: LinkDriver) -> PeerError? {
        fault ?? type.flatMap { link.refusal(of: $0.name, version: $0.version) }
    }
}
