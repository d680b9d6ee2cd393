import Diagnosis

extension Evidence {
    /// The observation in words, as a part of a sentence.
    var words: String {
        switch self {
        case .tunnelHasRoute(let tunnel): "\(tunnel) has the way to the internet"
        case .nothingLeft: "no packet has left this machine"
        case .packetsLeft: "packets have left this machine"
        case .heardOn(let interface): "the other machine is heard on \(interface)"
        case .notHeard: "the other machine is not heard"
        case .neighbourAnswers: "the network card with that address answers"
        case .neighbourSilent: "no network card with that address answers"
        case .otherSide(let arrivals, let back): Self.words(arrivals, back)
        case .fromHere(let arrivals, let back): Self.own(arrivals, back)
        case .otherSideUnknown: "the other machine has not said what it sees"
        case .otherHardware(let card):
            "the network card \(Finding.text(ofCard: card)) answers, which is not that of the other machine"
        case .firewallHere(let firewall): "the firewall \(firewall.rawValue) is active on this machine"
        case .noFirewallHere: "no firewall service seems to be active on this machine"
        case .closedPortsAnswer: "other ports of the other machine answer"
        case .onlyWebAnswers: "only the ports of web pages answer"
        case .connectionsLost: "of several connections, some do not open at once"
        case .smallPacketsLost: "small packets are lost, too"
        case .systemRefused: "the system refuses the connection itself"
        case .reachedOther(let name): "\(name) was reached"
        }
    }

    /// What this machine has seen of the other one's packets, and whether it reaches it.
    private static func own(_ arrivals: PeerView.Arrivals, _ back: PeerView.Back?) -> String {
        let came =
            switch arrivals {
            case .none: "no packet of the other machine to the port has come"
            case .halfOpen: "packets of the other machine have come, and it does not get the answers"
            case .accepted: "a connection of the other machine was accepted"
            }
        return came + words(back, "; this machine", it: "it", kept: "; nothing to it leaves this machine")
    }

    /// What the other machine has seen of this one's packets, and whether it reaches this one.
    private static func words(_ arrivals: PeerView.Arrivals, _ back: PeerView.Back?) -> String {
        let came =
            switch arrivals {
            case .none: "the other machine gets no packet of this one"
            case .halfOpen: "the other machine gets packets of this one, but no answer to its own"
            case .accepted: "the other machine has just accepted a connection of this one"
            }
        return came + words(back, ", and", it: "this one", kept: ", and does not let its own out")
    }

    private static func words(_ back: PeerView.Back?, _ lead: String, it: String, kept: String) -> String {
        switch back {
        case .reached?: "\(lead) reaches \(it)"
        case .silent?: "\(lead) does not reach \(it)"
        case .kept?: kept
        case .noRoute?: "\(lead) has no way to \(it)"
        case nil: ""
        }
    }
}

extension Finding {
    /// What makes it uncertain, in a sentence; nil for nothing.
    var doubts: String? {
        guard !speaksAgainst.isEmpty else { return nil }
        if speaksAgainst == [.otherSideUnknown] { return "(The other machine has not said what it sees.)" }
        let seen = speaksFor.isEmpty ? "" : "Seen: \(speaksFor.map(\.words).joined(separator: "; ")). "
        return "(\(seen)But: \(speaksAgainst.map(\.words).joined(separator: "; ")).)"
    }
}
