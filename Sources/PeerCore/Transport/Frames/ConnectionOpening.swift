/// How a connection becomes open for frames, and what has happened of it so far.
///
/// A plain value.
struct ConnectionOpening {
    /// The condition on which a connection is open.
    enum Condition {
        /// When the TLS handshake is complete, or a listener has detected plain text.
        case byEvent
        /// Immediately, in plain text.
        case whenActive
        /// When the peer has sent its preface, in plain text. This side sends its preface and this hello first.
        case byPreface(Hello)
    }

    let condition: Condition
    /// The first bytes of both sides.
    let preface: Preface
    /// The protocol that the TLS handshake must negotiate; nil without TLS.
    let applicationProtocol: String?
    /// Has the peer's id after the TLS handshake.
    let peerCertificate: PeerCertificate

    private(set) var isEncrypted = false
    /// Whether the connection opens when the peer's preface arrives.
    private var awaitsPreface = false
    /// Whether the preface and the hello have been sent already.
    private(set) var hasGreeted = false

    init(
        _ condition: Condition,
        preface: Preface,
        applicationProtocol: String? = nil,
        peerCertificate: PeerCertificate = PeerCertificate()
    ) {
        self.condition = condition
        self.preface = preface
        self.applicationProtocol = applicationProtocol
        self.peerCertificate = peerCertificate
    }

    /// The TLS handshake is complete; returns nil if the peer cannot be used.
    mutating func secured(_ negotiated: String?) -> ConnectionSecurity? {
        guard let negotiated, negotiated == applicationProtocol, let id = peerCertificate.id else { return nil }
        isEncrypted = true
        return .encrypted(id)
    }

    /// The preface and the hello are on their way, before the driver sends them.
    mutating func greeted() { (awaitsPreface, hasGreeted) = (true, true) }

    /// The peer's preface has arrived; returns whether the connection opens with it.
    mutating func receivedPreface() -> Bool {
        defer { awaitsPreface = false }
        return awaitsPreface
    }

    /// The driver's preface and hello were not written, because they are on their way already; what it sends later is written.
    mutating func greetingSkipped() { hasGreeted = false }
}
