import FoundationEssentials
import NIOCore
import PeerProtocol

/// The values of the examples of sessions.
extension Sample {
    /// The bytes 0x00 to 0x0F.
    static let incarnation = Incarnation(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    static let sessionsHello: Hello = {
        var hello = Sample.hello
        hello.features = [Hello.sessionsFeature]
        hello.incarnation = incarnation
        return hello
    }()
    static let sessionInvitation = InvitationRequest(timeout: 30, session: session(wish: 1))
    static let crossed: Refusal = {
        var refusal = Refusal(.crossed, "Another connection carries the link.")
        refusal.connectionCount = 3
        refusal.epoch = 1
        return refusal
    }()

    static let terms = LinkTerms(
        epoch: 1,
        connectionCount: 2,
        received: 3,
        window: 65_536,
        maximumMessageLength: 1_048_576,
        messageTypes: [LinkTerms.MessageType(name: linkName("chat.line"), version: 1)],
        addresses: ["192.168.1.7:64453"]
    )
    static let chatLine = Message(
        .json(linkName("chat.line"), version: 1),
        payload: ByteBuffer(string: #"{"text":"hi"}"#)
    )
    static let opening = StreamOpening(
        stream: 2,
        kind: .messages,
        isOneWay: true,
        name: "main",
        metadata: ByteBuffer(bytes: [0x00, 0xFF])
    )
    static let streamEnd = StreamEnd(stream: 7, code: .notTaken, reason: "no ok")
    static let credit = Credit(
        received: 9,
        limits: [Credit.Limit(stream: 2, limit: 131_072), Credit.Limit(stream: 5, limit: 1 << 32)]
    )
    static let droppable = DroppableMessage(
        channel: linkName("main"),
        key: "k",
        message: Message(.bytes, payload: ByteBuffer(bytes: [0xCA, 0xFE]))
    )
    static let resourceOffer = ResourceNotice.Offer(name: "Map", size: 5, count: 1, metadata: Data([1, 2]))
    static let notice = ResourceNotice(transfer: id, verb: .offer(resourceOffer))

    static let member = MemberRecord(
        id: sender,
        incarnation: incarnation,
        counter: 3,
        displayName: "Anna",
        platform: "Linux",
        software: "chat 1.0",
        addresses: ["192.168.1.7:64453"],
        links: [MemberRecord.Mark(of: receiver)]
    )

    static func members() throws -> ByteBuffer {
        guard let payload = try MemberList.payloads(of: [member]).first else { throw Missing() }
        return payload
    }

    private struct Missing: Error {}

    static func session(wish: UInt64) -> SessionInvitation {
        SessionInvitation(members: 1, connectionCount: 0, wish: wish, takesAnyone: false)
    }

    static func terms(epoch: UInt64) -> LinkTerms {
        var terms = Sample.terms
        terms.epoch = epoch
        return terms
    }

    /// The bytes of a message that the peer takes.
    static func streamBytes() throws -> StreamBytes {
        StreamBytes(stream: 2, bytes: try MessageFraming.join(chatLine, maximumPayloadLength: 13))
    }

    static func linkName(_ text: String) -> LinkName {
        guard let name = LinkName(text) else { preconditionFailure("not a name") }
        return name
    }
}
