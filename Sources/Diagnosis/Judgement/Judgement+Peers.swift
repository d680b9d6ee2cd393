import HostNetwork

/// Judges the ways to other machines.
extension Judgement {
    /// Judges the ways to one machine.
    static func peer(_ peer: PeerFacts, in facts: NetworkFacts) -> Finding {
        answered(peer)
            ?? ownAddress(of: peer, on: facts.machine)
            ?? keptHere(peer, in: facts.machine)
            ?? refused(peer)
            ?? onTheWay(peer, in: facts.machine)
            ?? notAnswered(peer, in: facts.machine)
    }

    /// What is known where something answered.
    private static func answered(_ peer: PeerFacts) -> Finding? {
        for way in peer.ways {
            guard case .accepted(let duration, let onlySmall) = way.connection else { continue }
            let isSlow = duration >= slowness
            let kind = Finding.Kind.peerReached(
                Finding.Place(of: peer, at: way),
                milliseconds: Int(clamping: Int64(duration / .milliseconds(1))) + 1,
                isSlow: isSlow,
                // Where packets of any size are lost, the small ones were only luckier.
                onlySmallPackets: onlySmall && !isSlow
            )
            return Finding(kind, isSlow || onlySmall ? .note : .ok)
        }
        // Who is announced or linked is a peer, whatever answers in its place.
        let isPeer = peer.source != .named || peer.view != nil
        for way in peer.ways {
            let place = Finding.Place(of: peer, at: way)
            switch way.connection {
            case .webPage where isPeer || way.otherPorts?.otherOpens == true:
                return Finding(.signInPage(place), .problem)
            case .reset where isPeer: return Finding(.encryptionBlocked(place), .problem)
            case .otherKey: return Finding(.otherKey(place), .problem)
            case .otherProgram, .webPage, .reset: return Finding(.otherProgram(place), .problem)
            case .speechless where way.isLossy == true:
                return Finding(.packetsLost(place), .problem, for: [.connectionsLost])
            case .speechless:
                return Finding(
                    isPeer ? .encryptionBlocked(place) : .packetsLost(place),
                    .problem,
                    for: [.smallPacketsLost]
                )
            default: continue
            }
        }
        return nil
    }

    /// The time to open a connection after which a way is slow; the kernel repeats a lost packet after a second.
    private static let slowness: Duration = .milliseconds(900)

    /// Two machines with one address never meet there.
    private static func ownAddress(of peer: PeerFacts, on machine: MachineFacts) -> Finding? {
        guard !peer.shared.isEmpty, !peer.ways.contains(where: { $0.network != nil }) else { return nil }
        let isOther = peer.source != .named || peer.view != nil
        return Finding(
            isOther ? sharedAddress(peer.shared, peer: peer.name, on: machine) : .ownAddress(peer.name),
            .problem
        )
    }

    /// What on this machine keeps packets to the other one.
    private static func keptHere(_ peer: PeerFacts, in machine: MachineFacts) -> Finding? {
        for way in peer.ways {
            if let network = way.network, let taker = machine.interface(way.interface),
                let taken = taken(network, by: taker)
            {
                return taken
            }
            if let heard = way.heardOn, let used = way.interface, heard != used, way.isUnanswered,
                machine.interface(used)?.isLocalNetwork == true
            {
                return Finding(.cardTakesNetwork(card: used, network: heard), .problem, for: [.heardOn(heard)])
            }
            guard way.connection == .noOwnAddress, let network = machine.interface(way.network ?? way.interface) else {
                continue
            }
            guard let duplicate = network.duplicateAddresses.first else {
                return Finding(.noAddress(network), .problem)
            }
            return Finding(.duplicateAddress(duplicate.description, interface: network.name), .problem)
        }
        let onLink = peer.ways.filter { $0.network != nil }
        // A view proves that something leaves this machine, but not that connections do.
        guard let kept = onLink.first(where: \.isKeptHere), peer.view?.arrivals != .halfOpen,
            !onLink.contains(where: { $0.isKeptBack == false || $0.neighbour == .present && $0.isKeptBack != true })
        else { return nil }
        var evidence = [kept.connection == .forbidden ? Evidence.systemRefused : .nothingLeft]
        if let firewall = machine.firewall { evidence.append(.firewallHere(firewall)) }
        return Finding(.outgoingBlocked(Finding.Place(of: peer, at: kept)), .problem, for: evidence)
    }

    /// A refusal proves that packets get through in both directions, but not who has refused.
    private static func refused(_ peer: PeerFacts) -> Finding? {
        guard let way = peer.ways.first(where: { $0.connection == .refused }) else { return nil }
        let place = Finding.Place(of: peer, at: way)
        if let view = peer.view, way.isOtherCard(than: view) {
            let kind = Finding.Kind.addressTaken(place, hardwareAddress: way.hardwareAddress)
            return Finding(kind, .problem, for: [.otherHardware(way.hardwareAddress)])
        }
        guard peer.source == .named, peer.view == nil else {
            // It is heard, so it listens; a firewall there has answered in its place, or another machine has its address.
            let known = peer.view.map { [Evidence.otherSide($0.arrivals, $0.back)] } ?? []
            return Finding(
                peer.view == nil && !way.isHeard ? .portRefused(place) : .portBlocked(place, isRejected: true),
                .problem,
                for: known,
                against: peer.view == nil ? [.otherSideUnknown] : []
            )
        }
        return Finding(.portRefused(place), .warning)
    }

    /// What the other machine says of the packets of this one.
    private static func onTheWay(_ peer: PeerFacts, in machine: MachineFacts) -> Finding? {
        // Between two networks on one link, both machines lack the way.
        guard let view = peer.view, let way = peer.ways.first(where: { $0.isUnanswered && $0.network != nil }) else {
            return nil
        }
        let place = Finding.Place(of: peer, at: way)
        let said = [Evidence.otherSide(view.arrivals, view.back)]
        func finding(_ kind: Finding.Kind, _ more: [Evidence] = [], against: [Evidence] = []) -> Finding {
            Finding(kind, .problem, for: said + more, against: against)
        }
        let firewall = machine.firewall.map { [Evidence.firewallHere($0)] } ?? []
        switch (view.arrivals, view.back) {
        case (_, .noRoute): return finding(.noWayBack(place))
        case (_, .kept): return finding(.answersKept(place))
        case (.halfOpen, _): return finding(.answersBlocked(place), firewall)
        case (.none, .silent) where way.isOnlyWeb: return finding(.onlyWebPorts(place), [.onlyWebAnswers])
        case (.none, .silent) where way.neighbour == .absent:
            return finding(.clientIsolation(place), [.neighbourSilent])
        // An access point that answers in the place of its devices (proxy ARP) has another card.
        case (.none, .silent) where way.isOtherCard(than: view):
            return finding(.clientIsolation(place), [.otherHardware(way.hardwareAddress)])
        // Nothing here drops what the other machine tries, and not even multicast DNS passes by unicast.
        case (.none, .silent) where machine.firewall == nil && way.answersDirectly != true:
            let answers: [Evidence] = way.neighbour == .present ? [.neighbourAnswers] : []
            return finding(.clientIsolation(place), [.noFirewallHere], against: answers)
        case (.none, _), (.accepted, _):
            let answers: [Evidence] = way.otherPorts?.otherAnswers == true ? [.closedPortsAnswer] : []
            return finding(.portBlocked(place, isRejected: way.isRejected), against: answers + firewall)
        }
    }

    /// What is left if nothing answers, and the other machine says nothing.
    private static func notAnswered(_ peer: PeerFacts, in machine: MachineFacts) -> Finding {
        let onLink = peer.ways.filter { $0.network != nil }
        guard !onLink.isEmpty else { return offLink(peer, machine) }
        func finding(_ way: WayFacts?, _ kind: (Finding.Place) -> Finding.Kind, _ evidence: [Evidence]) -> Finding {
            Finding(kind(Finding.Place(of: peer, at: way)), .problem, for: evidence, against: [.otherSideUnknown])
        }
        if let way = onLink.first(where: { $0.neighbour == .present }) {
            if way.isOnlyWeb { return finding(way, { .onlyWebPorts($0) }, [.neighbourAnswers, .onlyWebAnswers]) }
            // The question where the other machine is has left this machine, so a firewall of this one is unlikely.
            let left: [Evidence] = way.isKeptBack == false ? [.packetsLeft] : []
            return finding(way, { .portBlocked($0, isRejected: way.isRejected) }, [.neighbourAnswers] + left)
        }
        guard let way = onLink.first(where: { $0.neighbour == .absent }) else {
            return finding(onLink.first, { .peerSilent($0) }, [])
        }
        if let heard = onLink.lazy.compactMap(\.heardOn).first {
            return finding(way, { .clientIsolation($0) }, [.heardOn(heard), .neighbourSilent])
        }
        var gone = finding(
            way,
            { .peerGone($0, wasAnnounced: peer.source == .announced) },
            [.neighbourSilent, .notHeard]
        )
        if peer.source == .announced { gone.severity = .warning }
        return gone
    }

    /// Returns an address with which this machine would be in the network of another IPv4 address.
    ///
    /// Networks of homes and phones have prefixes of 24 bits, and those without a router 16 (RFC 3927). The last number comes from the
    /// hardware address, so that two machines hardly choose the same.
    static func furtherAddress(
        beside other: IPAddress,
        _ prefixLength: Int,
        _ interface: InterfaceFacts?
    ) -> String? {
        guard !other.isIPv6, other.bytes.count == 4, (8...24).contains(prefixLength),
            let last = interface?.hardwareAddress.last
        else { return nil }
        let number = 2 + last % 250
        var bytes = other.bytes
        bytes[3] = number == other.bytes[3] ? number + 1 : number
        return IPAddress(bytes: bytes).map { "\($0)/\(prefixLength)" }
    }

    /// None of the addresses is in a network of this machine.
    private static func offLink(_ peer: PeerFacts, _ machine: MachineFacts) -> Finding {
        guard let way = peer.ways.first else {
            return Finding(.peerSilent(Finding.Place(of: peer, at: nil)), .problem)
        }
        let place = Finding.Place(of: peer, at: way)
        if let heard = peer.ways.first(where: \.isHeard) {
            let own = machine.usableInterfaces.flatMap(\.addresses).map(\.address)
                .filter { $0.isIPv6 == heard.address.isIPv6 }.map(\.description)
            var place = Finding.Place(of: peer, at: heard)
            place.interface = heard.heardOn
            let prefix = heard.address.isLinkLocal ? 16 : 24
            let further = furtherAddress(beside: heard.address, prefix, machine.interface(heard.heardOn))
            return Finding(
                .otherSubnet(place, own: own, further: further),
                .problem,
                for: heard.heardOn.map { [.heardOn($0)] } ?? []
            )
        }
        guard !peer.ways.allSatisfy(\.hasNoRoute) else {
            let own = machine.usableInterfaces.flatMap { interface in
                interface.addresses.filter { !$0.address.needsZone }
                    .map { "\($0.address)/\($0.prefixLength) on \(interface.name)" }
            }
            return Finding(.noRoute(place, own: own), .problem)
        }
        // What a router passes on between two networks is heard, but does not come from the address that it names.
        return Finding(.behindRouter(place), .problem, for: peer.source == .announced ? [.notHeard] : [])
    }
}

extension WayFacts {
    /// Whether the firewall of the other machine answered that it lets nothing in.
    var isRejected: Bool { connection == .rejected || connection == .unreachable }

    /// Whether the card that answers at the address is another one than that of the machine that says what it sees.
    func isOtherCard(than view: PeerView) -> Bool {
        !hardwareAddress.isEmpty && !view.hardwareAddress.isEmpty && hardwareAddress != view.hardwareAddress
    }

    /// Whether only ports of web pages answer.
    var isOnlyWeb: Bool { otherPorts.map { $0.webAnswers && !$0.otherAnswers } ?? false }
}
