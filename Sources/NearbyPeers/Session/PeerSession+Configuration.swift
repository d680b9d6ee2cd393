public import FoundationEssentials
public import Logging
public import PeerCore

extension PeerSession {
    /// The settings of a session.
    ///
    /// ```swift
    /// let local = LocalPeer(
    ///     application: application,
    ///     identity: try .load(orCreateAt: keyPath, for: application),
    ///     displayName: "Anna",
    ///     software: "chat 1.0"
    /// )
    /// var configuration = PeerSession.Configuration(local: local, messages: [ChatLine.self])
    /// configuration.admission = .trusted { peer, digits in await person.compares(digits, with: peer) }
    /// ```
    public struct Configuration: Sendable {
        /// This machine, and the application.
        ///
        /// Peers of different applications do not see each other.
        public var local: LocalPeer
        /// The messages that this application understands.
        public var messages: [any PeerMessage.Type]
        /// The requests that this application answers.
        public var requests: [any PeerRequest.Type]
        /// The peers that are trusted from earlier sessions; peers that pair are added.
        public var trust: any TrustStore = EmptyTrustStore()
        /// Which peers are connected without a question, and who is asked about the others.
        public var admission: AdmissionPolicy = .ask(comparing: nil)
        /// Which peers are invited as soon as they are found.
        public var invites: InvitationPolicy = .manually
        /// Decides by the certificate whether a peer is refused, before any person is asked; nil accepts the peer.
        ///
        /// The certificate is in DER form. The relation says why the peer connects. No person is asked about a peer that a
        /// member of the group introduces, so this is the place to refuse such a peer.
        public var checkCertificate: @Sendable (RemotePeer, _ certificate: Data, PeerRelation) async -> Refusal? =
            { _, _, _ in nil }
        /// Whether the members of the group are introduced to one another.
        public var topology = Topology.mesh
        /// With how many peers this machine may have links when it invites or is invited, from 1 to 63.
        ///
        /// Peers that members introduce are accepted beyond this number, up to 63.
        public var maximumPeers = 7
        /// How long a link is kept without a connection, and how often to try to connect.
        public var reconnection = ReconnectionPolicy()
        /// The largest resource that this side accepts, in bytes; peers do not offer larger ones.
        public var maximumResourceSize = UInt64.max
        /// Where incomplete files are kept; nil to keep none after the session.
        ///
        /// If a file is offered again, its transfer resumes after the received part, even from another peer or after a restart
        /// of the program.
        public var partialResources: PartialResources?
        /// How much data may wait for one peer.
        public var buffers = BufferLimits()
        /// The port on which this machine listens; 0 for any free port.
        public var port = 0
        /// Whether announcements contain this machine's peer id.
        ///
        /// Without the id, others cannot follow this machine from network to network, and known peers recognise it only when it
        /// is connected.
        public var announcesIdentity = true
        /// Logs each state, attempt, connection and problem, with the peer's short id.
        public var logger = Logger(label: "NearbyPeers")
        /// The limits and timers of connections.
        package var connections = ConnectionConfiguration()

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - local: This machine, and the application.
        ///   - messages: The messages that this application understands; at most 64 together with the requests.
        ///   - requests: The requests that this application answers.
        public init(local: LocalPeer, messages: [any PeerMessage.Type] = [], requests: [any PeerRequest.Type] = []) {
            self.local = local
            self.messages = messages
            self.requests = requests
        }

        /// Returns the settings with limits that agree with one another.
        func checked() throws(PeerError) -> Configuration {
            guard (1...63).contains(maximumPeers) else {
                throw PeerError(.invalidArgument, "The number of peers must be from 1 to 63.")
            }
            guard (1024...16_777_216).contains(buffers.maximumMessageLength), buffers.outboxLength > 0 else {
                throw PeerError(.invalidArgument, "The longest message must have from 1,024 to 16,777,216 bytes.")
            }
            guard (.zero ... .seconds(60)).contains(buffers.readerPatience) else {
                throw PeerError(.invalidArgument, "Messages can wait for their first reader for 0 to 60 seconds.")
            }
            var checked = self
            checked.maximumResourceSize = min(maximumResourceSize, connections.limits.maximumResourceSize)
            // Every hello names this limit, so that peers do not offer larger resources.
            checked.connections.limits.maximumResourceSize = checked.maximumResourceSize
            return checked
        }
    }
}

/// Which members of a group are linked with one another.
///
/// See <doc:Groups> for an example.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum Topology: Hashable, Sendable {
    /// All members are linked with one another: each member introduces the peers with which it is linked.
    case mesh
    /// Each peer is linked only with the peers that it invited or that invited it.
    case star
}

/// A person's answer to the question whether the digits on two screens are the same.
///
/// See <doc:GettingStarted> for an example.
public enum DigitComparison: Hashable, Sendable {
    /// They are the same: the peer is trusted from now on if the person at the other side confirms this too.
    case same
    /// They are different or were not compared: the connection ends.
    case different
}
