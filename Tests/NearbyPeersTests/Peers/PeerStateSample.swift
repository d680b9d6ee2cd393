import PeerCore
import PeerProtocol

@testable import NearbyPeers

/// Machines of peers in every kind of state, and every event.
enum PeerStateSample: String, CaseIterable, Sendable {
    case fresh, dialing, inviting, asking, accepted, linked, resuming, unreachable, member, blocked

    static let now = ContinuousClock.now
    static let id = PeerID(digest: ContentDigest(hashing: [1]))
    static let other = PeerID(digest: ContentDigest(hashing: [2]))
    static let incarnation = Incarnation(high: 1, low: 1)
    private static let theirs = MeetingConnection.incoming(1)

    static func refused(_ connection: MeetingConnection) -> MeetingStep.Closing {
        // The meeting machine makes it: its initializer belongs to it.
        var machine = MeetingStateMachine(decides: true)
        _ = machine.receivedInvite(Invite(connectionCount: 0, wish: 1), connection, from: incarnation)
        return machine.answered(false).closings[0]
    }

    /// A machine in this state; call 1 waits, if a call waits.
    static func machine(_ state: PeerStateSample) -> PeerStateMachine {
        var peer = PeerStateMachine(id: id, decides: true)
        let invite = Invite(connectionCount: 0, wish: 1)
        switch state {
        case .fresh:
            break
        case .dialing:
            _ = peer.invited(PeerStateMachine.Request(), by: 1, at: now)
        case .inviting:
            peer = machine(.dialing)
            _ = peer.opened(.outgoing(1))
            _ = peer.meet(at: now) { $0.dialed(.outgoing(1), incarnation) }
            _ = peer.progressed(.asking)
        case .asking:
            _ = peer.meet(at: now) { $0.receivedInvite(invite, theirs, from: incarnation) }
            _ = peer.progressed(.asking)
        case .accepted:
            peer = machine(.asking)
            _ = peer.invited(PeerStateMachine.Request(), by: 1, at: now)
        case .linked:
            let request = Link(epoch: 1, connectionCount: 0)
            _ = peer.meet(at: now) { $0.receivedLink(request, theirs, from: incarnation, isMember: true) }
            _ = peer.established(at: now)
        case .resuming:
            peer = machine(.linked)
            _ = peer.closed(theirs, at: now)
        case .unreachable:
            peer = machine(.resuming)
            _ = peer.linkLost(hasLeft: false, at: now)
        case .member:
            _ = peer.introduced(at: now)
        case .blocked:
            peer = machine(.linked)
            _ = peer.disconnected(by: 5, at: now)
        }
        return peer
    }

    /// An event, with its name.
    struct Event: Sendable {
        let name: String
        let happens: @Sendable (inout PeerStateMachine) -> [PeerAction]
    }

    private static func event(
        _ name: String,
        _ happens: @escaping @Sendable (inout PeerStateMachine) -> [PeerAction]
    ) -> Event { Event(name: name, happens: happens) }

    private static let error = PeerError(.connectionLost, "The connection broke.")

    static let events: [Event] = [
        event("invited") { $0.invited(PeerStateMachine.Request(), by: 2, at: now) },
        event("adopted") { $0.adopted(PeerStateMachine.Request(), by: 2, at: now).actions },
        event("accepted") { $0.accepted(on: theirs, by: 2, at: now) ?? [] },
        event("disconnected") { $0.disconnected(by: 9, at: now) },
        event("introduced") { $0.introduced(at: now) ?? [] },
        event("left, its word") { $0.removed(isOwnWord: true, at: now) },
        event("left, others' word") { $0.removed(isOwnWord: false, at: now) },
        event("forgotten") { $0.forgotten(at: now) },
        event("patience is over") { $0.tick(patience: .zero, isInRoster: false, at: now) },
        event("call ended") { $0.callEnded(1, .invitationTimedOut, at: now) },
        event("dial failed") { $0.dialFailed($0.outgoing, error, isInRoster: false, at: now) },
        event("outgoing failed") { $0.failed($0.outgoing, error, isInRoster: false, at: now) },
        event("outgoing refused") { $0.failed($0.outgoing, PeerError(.declined, "No."), isInRoster: false, at: now) },
        event("outgoing closed") { $0.closed($0.outgoing, at: now) },
        event("incoming closed") { $0.closed(theirs, at: now) },
        event("no by this side, outgoing") {
            $0.declined(Refusal(.declined, "No."), error, on: $0.outgoing, isOutgoing: true, at: now)
        },
        event("no by this side, incoming") {
            $0.declined(Refusal(.declined, "No."), error, on: theirs, isOutgoing: false, at: now)
        },
        event("no by the peer") { $0.declinedByPeer(Refusal(.declined, "No."), on: $0.outgoing, at: now) },
        event("replaced") { $0.declinedByPeer(Refusal(.replaced, "Replaced."), on: $0.outgoing, at: now) },
        event("comparison broke") { $0.comparisonBroke(at: now) },
        event("not established") {
            $0.meeting.link?.connection == theirs ? $0.notEstablished(theirs, at: now) : []
        },
        event("link lost") { $0.hasLink ? $0.linkLost(hasLeft: false, at: now) : [] },
        event("given up") { $0.giveUp(error, .failed(error), at: now) },
        event("session ends") { $0.finishCalls(.taskCancelled) },
    ]
}

extension PeerStateMachine {
    /// The connection that this side dials, or one that the machine does not know.
    fileprivate var outgoing: MeetingConnection { meeting.outgoing?.connection ?? .outgoing(99) }
}
