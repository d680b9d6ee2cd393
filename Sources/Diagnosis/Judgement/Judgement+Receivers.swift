import HostNetwork

/// Judges why a machine that hears this one cannot connect to it.
extension Judgement {
    /// Judges it by what this machine sees of the other one.
    package static func receiver(_ name: String, _ view: PeerView, at port: Int, on machine: MachineFacts) -> Finding {
        let place = Finding.Place(name, port: port)
        let said = [Evidence.fromHere(view.arrivals, view.back)]
        let firewall = machine.firewall.map { [Evidence.firewallHere($0)] } ?? []
        func finding(_ kind: Finding.Kind, against: [Evidence] = []) -> Finding {
            var finding = Finding(kind, .problem, for: said + firewall, against: against)
            finding.isFirewallOpened = machine.isFirewallOpened
            return finding
        }
        switch (view.arrivals, view.back) {
        case (_, .kept), (_, .noRoute):
            if let tunnel = machine.tunnelToInternet ?? machine.interfaces.first(where: \.isTunnel) {
                return finding(.tunnelBlocks(tunnel.name))
            }
            return finding(view.back == .kept ? .outgoingBlocked(place) : .noRoute(place, own: []))
        case (.halfOpen, _), (.accepted, _): return finding(.answersLost(place))
        case (.none, .silent) where machine.firewall == nil:
            return finding(.clientIsolation(place), against: [.noFirewallHere])
        case (.none, _): return finding(.incomingBlocked(place), against: firewall.isEmpty ? [.noFirewallHere] : [])
        }
    }
}
