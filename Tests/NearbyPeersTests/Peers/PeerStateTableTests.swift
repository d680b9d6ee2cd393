import PeerProtocol
import Testing

@testable import NearbyPeers

/// Each event in each state.
@Suite struct PeerStateTableTests {
    @Test func eachEventInEachState() {
        var lines: [String] = []
        for event in PeerStateSample.events {
            lines.append(event.name)
            for state in PeerStateSample.allCases {
                var peer = PeerStateSample.machine(state)
                let actions = event.happens(&peer).map(\.word)
                if !actions.isEmpty { lines.append("  \(state): \(actions.joined(separator: ", "))") }
            }
        }
        let expected = Self.table.split(separator: "\n").map(String.init)
        #expect(lines == expected, "\(lines.joined(separator: "\n"))")
    }

    /// Two events in a row keep the promises that the hub relies on.
    @Test func noTwoEventsBreakAPromise() {
        for state in PeerStateSample.allCases {
            for first in PeerStateSample.events {
                for second in PeerStateSample.events {
                    var peer = PeerStateSample.machine(state)
                    for event in [first, second] {
                        let before = peer
                        let actions = event.happens(&peer)
                        let flaw = flaw(of: actions, before: before, after: peer)
                        #expect(flaw == nil, "\(state), \(first.name), \(second.name): \(flaw ?? "")")
                    }
                }
            }
        }
    }

    private func flaw(of actions: [PeerAction], before: PeerStateMachine, after: PeerStateMachine) -> String? {
        var (finished, ends) = (Set<Int>(), 0)
        var shown = before.state
        for action in actions {
            switch action {
            case .finish(let calls, _):
                if !finished.isDisjoint(with: calls) { return "a call is completed twice" }
                finished.formUnion(calls)
            case .endLink: ends += 1
            case .show(let state): shown = state
            default: break
            }
        }
        // The connection of a call that did not know the id takes the place of a dial without being shown.
        if shown != after.state { return "the state is not shown" }
        if !finished.isDisjoint(with: after.calls) { return "a completed call still waits" }
        let forgotten = before.calls.subtracting(after.calls).subtracting(finished)
        if !forgotten.isEmpty { return "a call is forgotten" }
        if ends > 1 || ends == 1 && !before.hasLink { return "a link ends that there is not" }
        if before.hasLink && !after.hasLink && ends == 0 { return "the hub does not hear that the link ends" }
        if after.hasLink && after.meeting.link == nil { return "the meeting does not know the link" }
        if after.isBlocked && (after.meeting.wish != nil || after.hasLink) { return "a blocked peer is wanted" }
        return nil
    }

    /// What each event leads to; states in which it leads to nothing are left out.
    private static let table = """
        invited
          fresh: dial, show connecting
          asking: accept
          linked: complete
          blocked: dial, show connecting
        adopted
          asking: accept
          linked: complete
        accepted
          asking: accept
          linked: complete
        disconnected
          fresh: show left by us
          dialing: close, fail, show left by us
          inviting: close, fail, show left by us
          asking: show left by us
          accepted: fail, show left by us
          linked: end link, close, show left by us
          resuming: end link, close, show left by us
          unreachable: close, show left by us
          member: close, show left by us
          blocked: show left by us
        introduced
          fresh: show connecting, dial, show connecting
        left, its word
          fresh: show left
          dialing: close, fail, show left
          inviting: close, fail, show left
          asking: show left
          accepted: fail, show left
          linked: end link, close, show left
          resuming: end link, close, show left
          unreachable: close, show left
          member: close, show left
          blocked: show left
        left, others' word
          fresh: show left
          dialing: close, fail, show left
          inviting: close, fail, show left
          asking: show left
          accepted: fail, show left
          unreachable: close, show left
          member: close, show left
          blocked: show left
        forgotten
          dialing: close, show lost
          inviting: close, show lost
          asking: show lost
          accepted: show lost
          linked: show lost
          resuming: show lost
          unreachable: close, show lost
          member: close, show lost
        patience is over
          unreachable: close, show lost
        call ended
          dialing: close, show failed, fail
          inviting: close, show failed, fail
          accepted: fail
        dial failed
          dialing: dial, show connecting
          resuming: dial
          unreachable: dial
          member: dial, show connecting
        outgoing failed
          dialing: dial, show connecting
          inviting: dial, show connecting
          resuming: dial
          unreachable: dial
          member: dial, show connecting
        outgoing refused
          dialing: fail, close, show failed
          inviting: fail, close, show failed
          accepted: fail
          resuming: dial
          unreachable: dial
          member: close, show failed
        outgoing closed
          dialing: dial, show connecting
          inviting: dial, show connecting
          resuming: dial
          unreachable: dial
          member: dial, show connecting
        incoming closed
          asking: show lost
          accepted: dial, show connecting
          linked: dial, show reconnecting
        no by this side, outgoing
          dialing: fail, show failed
          inviting: fail, show failed
          accepted: fail
          resuming: dial
          unreachable: show failed
          member: show failed
        no by this side, incoming
          dialing: fail, close, show failed
          inviting: fail, close, show failed
          asking: close, show declined
          accepted: fail, show failed
          linked: dial, show reconnecting
          unreachable: close, show failed
          member: close, show failed
        no by the peer
          fresh: show declined
          dialing: close, fail, show declined
          inviting: close, fail, show declined
          asking: show declined
          resuming: close, end link, show lost, dial, show connecting
          unreachable: close, show declined
          member: close, show declined
          blocked: show declined
        replaced
          fresh: show replaced
          dialing: close, fail, show replaced, show replaced
          inviting: close, fail, show replaced, show replaced
          asking: show replaced
          accepted: show replaced
          linked: end link, show replaced
          resuming: end link, close, show replaced
          unreachable: close, show replaced, show replaced
          member: close, show replaced, show replaced
          blocked: show replaced
        comparison broke
        not established
          linked: dial, show reconnecting
        link lost
          linked: end link, close, show unreachable, dial
          resuming: end link, close, show unreachable, dial
        given up
          fresh: show failed
          dialing: close, fail, show failed
          inviting: close, fail, show failed
          asking: show failed
          accepted: fail, show failed
          linked: end link, close, show failed
          resuming: end link, close, show failed
          unreachable: close, show failed
          member: close, show failed
          blocked: show failed
        session ends
          dialing: fail
          inviting: fail
          accepted: fail
        """
}

extension PeerAction {
    /// The action in a word.
    fileprivate var word: String {
        switch self {
        case .close: "close"
        case .endLink: "end link"
        case .show(let state): "show \(state.word)"
        case .dial: "dial"
        case .ping: "ping"
        case .invite: "invite"
        case .request: "request"
        case .ask: "ask"
        case .accept: "accept"
        case .establish: "establish"
        case .reportReturn: "report return"
        case .finish(_, let error): error == nil ? "complete" : "fail"
        }
    }
}

extension PeerState {
    fileprivate var word: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .unreachable: "unreachable"
        case .disconnected(let reason):
            switch reason {
            case .left: "left"
            case .disconnected: "disconnected by the peer"
            case .endedByUs: "left by us"
            case .lost: "lost"
            case .declined: "declined"
            case .failed: "failed"
            case .replaced: "replaced"
            }
        }
    }
}
