import Diagnosis

extension Finding {
    /// What was found about another machine.
    var peerMessage: String {
        switch kind {
        case .noPeers: "No other machine is announced nearby at the moment."
        case .peerReached(let place, let time, let isSlow, let onlySmall):
            "\(place.name) answers at \(place.text ?? "") within \(time) ms."
                + (isSlow ? " The way there is slow or loses packets." : "")
                + (onlySmall ? " The network loses large packets, so small ones are sent, which is slower." : "")
        case .portBlocked(let place, let isRejected):
            "The machine of \(place.name) is there, but does not answer at TCP port \(place.port ?? 0) (\(place.text ?? "")). "
                + "Its firewall \(isRejected ? "rejects" : "drops") connections"
                + (isRejected || reachesBack ? "." : ", or the network keeps its devices apart (client isolation).")
        case .answersKept(let place):
            "The machine of \(place.name) lets no packets out to this one (\(place.text ?? "")): its firewall keeps the answers back."
        case .answersLost(let place):
            "\(place.full) hears this one, but cannot connect to it: it does not get the answers of this machine. Its firewall drops "
                + "them, or the network loses them."
        case .noWayBack(let place):
            "The machine of \(place.name) has no way back to this one (\(place.text ?? "")): a VPN there blocks its local network, or it has an address "
                + "of another or a narrower network."
        case .portRefused(let place):
            "The machine of \(place.name) is there, but refuses connections to TCP port \(place.port ?? 0) (\(place.text ?? "")). "
                + "No program listens there, or a firewall rejects connections."
        case .addressTaken(let place, let card):
            "Another machine in this network has the address of \(place.name), too (\(place.address ?? ""), network card "
                + "\(Self.text(ofCard: card))), and answers in its place."
        case .clientIsolation(let place):
            "\(place.name) can be heard on \(place.link), but not reached (\(place.text ?? "")). "
                + "The network blocks connections between its devices, as many guest networks do (client isolation)."
        case .signInPage(let place):
            "A web page of this network answers in the place of \(place.full), as before signing in to a guest network. The network "
                + "blocks connections between its devices."
        case .encryptionBlocked(let place):
            "\(place.name) accepts a connection (\(place.text ?? "")), but encryption cannot be set up: the network inspects or "
                + "blocks encrypted connections, or is very slow."
        case .onlyWebPorts(let place): "The network lets web pages through, but no connection to \(place.full)."
        case .peerGone(let place, wasAnnounced: true):
            "\(place.name) was announced a while ago, but its machine is no longer on \(place.link) (\(place.text ?? ""))."
        case .peerGone(let place, wasAnnounced: false):
            "No machine with the address \(place.text ?? "") answers on \(place.link). It is switched off or on another network, or the "
                + "network blocks connections between its devices (client isolation)."
        case .otherSubnet(let place, let own, _):
            "\(place.name) is on the same cable or Wi-Fi, but has an address of another network (\(place.address ?? "")). "
                + "This machine has \(own.isEmpty ? "no address of that kind" : own.joined(separator: ", ")) on \(place.link)."
        case .noRoute(let place, _) where place.address == nil:
            "\(place.name) hears this one, but this machine has no way to it: it has an address of another network."
        case .noRoute(let place, let own):
            "This machine is on no network that leads to \(place.address ?? "")."
                + (place.isHostName ? " That is the address of \(place.name), as a name server says." : "")
                + (own.isEmpty ? "" : " It has \(own.joined(separator: ", ")).")
        case .behindRouter(let place):
            "\(place.name) does not answer at \(place.text ?? ""). The address is not in a network of this machine, and a router "
                + "or a firewall on the way lets no connection through."
        case .peerSilent(let place):
            "\(place.name) does not answer\(place.text.map { " at \($0)" } ?? ""). Its firewall or that of this machine drops "
                + "connections, or the network blocks connections between its devices. Which one was not tested."
        case .packetsLost(let place):
            "\(place.name) accepts a connection at \(place.text ?? ""), but encryption is not set up in time. The network loses many "
                + "packets or is very slow, or another program listens there."
        case .otherProgram(let place): "\(place.name) answers, but another program listens there (\(place.text ?? ""))."
        case .otherKey(let place):
            "Another machine answers at the address of \(place.full): it does not prove that it is the one meant."
        case .ownAddress(let name): "\(name) is this laptop itself."
        case .unknownHost(let name): "The host \(name) cannot be found."
        case .otherDirection: "The way from the other machine to this one was not tested."
        default: ""
        }
    }

    /// Whether the other machine reaches this one, so that the network lets packets through.
    private var reachesBack: Bool {
        speaksFor.contains { if case .otherSide(_, .reached?) = $0 { true } else { false } }
    }

    /// A hardware address as it is written on cards: `02:fc:00:00:00:05`.
    static func text(ofCard bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}

extension Finding.Place {
    /// Whether a person has typed the name of a host, not an address; names that peers claim stand in quotation marks.
    fileprivate var isHostName: Bool { name != address && name.contains(".") && !name.hasPrefix("“") }
}
