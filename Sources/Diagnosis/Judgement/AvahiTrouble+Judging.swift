import HostNetwork

extension AvahiTrouble {
    /// Judges Avahi.
    ///
    /// Machines that it has found prove that it works where it has found them.
    ///
    /// - Parameters:
    ///   - multicast: What was heard without Avahi; nil if that was not tried.
    ///   - peersOn: The names of the interfaces on which Avahi has just found other machines.
    /// - Returns: The troubles, those that explain others first; none if there is no network on which it could work.
    package static func judge(
        avahi: AvahiFacts,
        machine: MachineFacts,
        multicast: MulticastFacts?,
        peersOn: Set<String>
    ) -> [AvahiTrouble] {
        let configuration = avahi.configuration
        switch avahi.state {
        case .stopped where !avahi.isInstalled, .noBus where !avahi.isInstalled, .portTaken where !avahi.isInstalled,
            .portShared where !avahi.isInstalled:
            return [.missing]
        case .stopped where avahi.unit == .masked: return [.masked]
        case .stopped where avahi.unit == .failed || !configuration.startBlockers.isEmpty:
            return [.unstartable(configuration.startBlockers)]
        case .stopped: return [.stopped]
        case .portTaken: return [.portTaken([])]
        case .portShared: return [.portTaken(configuration.portBlockers)]
        case .offBus: return [.offBus(configuration.busBlockers)]
        case .noBus: return [.noBus]
        case .busDenied: return [.busDenied]
        case .denied: return [.denied]
        case .silent: return [.silent]
        case .failed(let reason): return [.failed(reason)]
        case .running: break
        }
        guard !machine.usableInterfaces.isEmpty else { return [] }
        if peersOn.isEmpty, let domain = configuration.otherDomain { return [.otherDomain(domain)] }
        var troubles: [AvahiTrouble] = []
        if avahi.deniesPublishing { troubles.append(.publishingDenied(configuration.announcingBlockers)) }
        if var limit = avahi.limit {
            limit.hindersFinding = limit.hindersFinding && peersOn.isEmpty
            let isFelt = limit.hindersFinding || limit.hindersAnnouncing
            if isFelt { troubles.append(.full(limit, configuration.setting(limit.setting))) }
        }
        troubles += absences(avahi, machine, multicast, peersOn)
        if !troubles.contains(where: { $0.severity == .problem }) {
            troubles += versions(avahi, machine, peersOn)
        }
        guard troubles.isEmpty, peersOn.isEmpty, let multicast else { return troubles }
        let others = Set(multicast.announcers.map(\.address)).filter { !machine.has($0) }
        return others.isEmpty ? [] : [.unaware(others.sorted { $0.description < $1.description })]
    }

    /// Judges on which interfaces the daemon does not work.
    ///
    /// What the daemon says of itself outweighs its file, which may have changed since it started.
    private static func absences(
        _ avahi: AvahiFacts,
        _ machine: MachineFacts,
        _ multicast: MulticastFacts?,
        _ peersOn: Set<String>
    ) -> [AvahiTrouble] {
        let configuration = avahi.configuration
        let missing = machine.usableInterfaces.filter { interface in
            // Where multicast is blocked, Avahi may work, and only the packets are lost.
            avahi.interfaces?.contains(interface.name) != true && !peersOn.contains(interface.name)
                && multicast?.isBlocked(on: interface) != true
        }
        // Others do not reach this machine, even if it has found some of them.
        let isUnserved = machine.usableInterfaces.contains { avahi.interfaces?.contains($0.name) != true }
        let isWithheld = isUnserved && !configuration.addressBlockers.isEmpty
        let withheld: [AvahiTrouble] = isWithheld ? [.addressesWithheld(configuration.addressBlockers)] : []
        guard !missing.isEmpty else { return withheld }
        let excluded = missing.compactMap { interface in
            configuration.exclusion(of: interface).map { AvahiTrouble.excluded(interface: interface.name, $0) }
        }
        guard excluded.isEmpty else { return excluded }
        guard withheld.isEmpty else { return withheld }
        if !configuration.packetBlockers.isEmpty { return [.hindered(configuration.packetBlockers)] }
        if avahi.interfaces != nil, let setting = configuration.objectBlocker {
            let limit = AvahiFacts.Limit(setting: setting.name, hindersAnnouncing: false, hindersFinding: true)
            return peersOn.isEmpty ? [.full(limit, setting)] : []
        }
        // A daemon that repeats what it hears does not list the services of this machine.
        let isUnknown = avahi.interfaces == nil || configuration.reflects
        return isUnknown ? [] : missing.map { .excluded(interface: $0.name, nil) }
    }

    /// Judges the IP versions that the daemon does not use, on interfaces where it found no machine with the other one.
    private static func versions(
        _ avahi: AvahiFacts,
        _ machine: MachineFacts,
        _ peersOn: Set<String>
    ) -> [AvahiTrouble] {
        avahi.configuration.versions.compactMap { isIPv6, setting in
            let interfaces = machine.usableInterfaces.filter { interface in
                !peersOn.contains(interface.name) && interface.readyAddresses.contains { $0.address.isIPv6 == isIPv6 }
            }
            guard !interfaces.isEmpty else { return nil }
            return .versionOff(isIPv6: isIPv6, setting, interfaces: interfaces.map(\.name))
        }
    }
}

extension MulticastFacts {
    /// Whether multicast does not work on an interface with any IP version.
    func isBlocked(on interface: InterfaceFacts) -> Bool {
        let fates = echoes.filter { $0.interface == interface.name }.map(\.fate)
        guard interface.hasMulticast else { return true }
        return !fates.contains(.returned) && (fates.contains(.lost) || fates.contains(.forbidden))
    }
}
