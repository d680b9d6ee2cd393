/// Why the explorations do not visit a transition.
extension MeetingTransition {
    /// Why the machine is never in this state.
    var reasonWhyImpossible: String? {
        if link == .connected, outgoing != .none || incoming != .none {
            return "a connection that carries the link closes all attempts"
        }
        if outgoing != .none, incoming == .asking || incoming == .accepted {
            return "an invitation that counts closes the outgoing connection"
        }
        if outgoing == .none || outgoing == .dialing || outgoing == .testing,
            incoming == .parkedInvite || incoming == .parkedLink
        {
            return "only what the peer may have heard parks an incoming connection"
        }
        if link == .waiting, outgoing == .none {
            return "a link without a connection is dialed, and an invitation ends it"
        }
        if link == .waiting, outgoing == .inviting { return "a link is resumed without an invitation" }
        if link == .waiting, incoming == .parkedInvite { return "an invitation ends the link" }
        return nil
    }

    /// Why the state and the event never meet, or only after more faults than are explored.
    var reasonWhyNotExplored: String? {
        switch event {
        case .wished where link == .none && [.dialing, .testing, .inviting].contains(outgoing):
            "the wish for which this side dials is pending; another one joins it"
        case .wishExpired where link == .connected || outgoing == .none && incoming != .accepted:
            "no wish is pending"
        case .answered where link == .connected || incoming == .accepted:
            "the question is answered"
        case .replaced where outgoing == .testing:
            "the peer does not know a connection before its first frame"
        case .newcomerDecline:
            "a dialer that is tested declines only after a restart, if it has met another program of this side"
        case .crossed where link == .none && outgoing == .linking && incoming == .parkedInvite,
            .replaced where link == .none && outgoing == .linking && incoming == .parkedLink,
            .answered where link == .waiting && outgoing == .testing:
            "no exploration has it; it needs more faults"
        default: nil
        }
    }

    /// Whether only the larger explorations have it.
    var isOnlyInLargerExplorations: Bool {
        switch (link, outgoing, incoming) {
        case (.none, .inviting, .parkedLink):
            [.incomingDecline, .link, .newcomerClosed, .newcomerPong, .replaced].contains(event)
        case (.none, .linking, .none): [.refused, .wished].contains(event)
        case (.none, .linking, .parkedInvite): [.refused].contains(event)
        case (.none, .linking, .parkedLink): [.incomingDecline, .refused, .wished].contains(event)
        case (.none, .testing, .none): [.newcomerClosed, .outgoingClosed, .wishExpired].contains(event)
        case (.waiting, .dialing, .none): [.newcomerClosed].contains(event)
        case (.waiting, .linking, .none): [.newcomerClosed, .newcomerPong, .replaced].contains(event)
        case (.waiting, .linking, .parkedLink):
            [.incomingDecline, .newcomerClosed, .newcomerPong, .replaced].contains(event)
        case (.waiting, .testing, .none):
            [.linkGivenUp, .newcomerClosed, .outgoingClosed, .wishExpired].contains(event)
        default: false
        }
    }
}
