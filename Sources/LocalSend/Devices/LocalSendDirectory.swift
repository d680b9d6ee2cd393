/// The devices nearby.
///
/// A datagram changes nothing but what this machine asks: anybody can send one, of any device and from any address
/// (CVE-2025-54792). A device is listed when it has answered or registered over TCP. A device with encryption must have shown the
/// certificate whose fingerprint it states. So no claim takes the place of a device that has proven itself.
package struct LocalSendDirectory: Sendable {
    /// Where a device is asked by `register`.
    package struct Place: Hashable, Sendable {
        /// The IP address.
        package var address: String
        /// The TCP port.
        package var port: UInt16
        /// How it is spoken to.
        package var scheme: LocalSendDevice.Scheme
        /// The fingerprint of the certificate that it must show before anything is sent; nil without encryption.
        package var expected: LocalSendFingerprint?

        package init(
            address: String,
            port: UInt16,
            scheme: LocalSendDevice.Scheme,
            expected: LocalSendFingerprint?
        ) {
            (self.address, self.port, self.scheme, self.expected) = (address, port, scheme, expected)
        }
    }

    /// What to do about a device.
    package enum OnDevice: Hashable, Sendable {
        /// Register there, and say what came of it.
        case register(Place)
        /// Nothing.
        case none
    }

    struct Entry: Sendable {
        var device: LocalSendDevice
        /// The addresses, the one heard first in front, so that the list does not change with every word of a device.
        var heard: [(address: String, at: ContinuousClock.Instant)]
        var isProven: Bool
        var number: Int

        func isAt(_ address: String) -> Bool { heard.contains { $0.address == address } }
    }

    private let own: LocalSendFingerprint
    private var confirmed: Set<LocalSendFingerprint>
    private var entries: [Entry] = []
    private var nextNumber = 1
    private var gate = LocalSendGate()

    /// Creates an empty directory.
    ///
    /// - Parameters:
    ///   - own: The fingerprint of this machine, which hears itself.
    ///   - confirmed: The fingerprints that a person has confirmed: these devices find room in a crowd.
    package init(own: LocalSendFingerprint, confirmed: Set<LocalSendFingerprint> = []) {
        (self.own, self.confirmed) = (own, confirmed)
    }

    /// The devices, in the order of their numbers.
    package var neighbours: [LocalSendNeighbour] {
        entries.compactMap { entry in
            entry.heard.first.map {
                LocalSendNeighbour(entry.device, at: $0.address, isProven: entry.isProven, number: entry.number)
            }
        }
    }

    /// A person has confirmed a device.
    package mutating func confirm(_ fingerprint: LocalSendFingerprint) { confirmed.insert(fingerprint) }

    /// Returns whether a datagram from an address is read at all.
    package mutating func admitsDatagram(from address: String, at now: ContinuousClock.Instant) -> Bool {
        gate.admitsDatagram(from: address, at: now)
    }

    /// Returns whether what a device at an address says of itself is read when it registers.
    package mutating func admitsRegistration(from address: String, at now: ContinuousClock.Instant) -> Bool {
        gate.admitsRegistration(from: address, at: now)
    }

    /// The expected device was not found at an address.
    ///
    /// - `start`: When it was asked. A machine that refuses at once costs nothing, and a device may just be starting.
    package mutating func failed(
        at address: String,
        since start: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) {
        if now - start >= LocalSendLimits.slowness { gate.wasSilent(address, at: now) }
    }

    /// An announcement of a device has arrived.
    package mutating func heard(
        _ announcement: LocalSendAnnouncement,
        from address: String,
        at now: ContinuousClock.Instant
    ) -> OnDevice {
        let device = announcement.device
        guard device.fingerprint != own, !contradictsProof(device), !gate.isSilent(address, at: now),
            // Anybody can send a datagram: it must not make this machine talk to any service of any machine.
            device.scheme == .https || device.port == LocalSendLimits.usualPort
        else { return .none }
        if !announcement.asksForAnswer, isKnown(device, at: address) { return .none }
        return register(at: device, address, now)
    }

    /// A device has registered here, or has answered a `register` of this machine.
    ///
    /// - `certificate`: The fingerprint of the certificate that it has shown in this connection; nil for none.
    package mutating func registered(
        _ device: LocalSendDevice,
        at address: String,
        provenBy certificate: LocalSendFingerprint?,
        at now: ContinuousClock.Instant
    ) -> OnDevice {
        guard device.fingerprint != own, certificate == nil || certificate == device.fingerprint,
            !contradictsProof(device)
        else { return .none }
        if device.scheme == .https, certificate == nil {
            // LocalSend until 1.15 shows none when it registers. Its server does.
            return isKnown(device, at: address) ? .none : register(at: device, address, now)
        }
        add(device, at: address, isProven: device.scheme == .https, now)
        return .none
    }

    /// A device is no longer at an address: nothing answers there, or another device does.
    package mutating func lost(_ number: Int, at address: String) {
        for index in entries.indices where entries[index].number == number {
            entries[index].heard.removeAll { $0.address == address }
        }
        entries.removeAll { $0.heard.isEmpty }
    }

    /// Time has passed: devices that were not heard for long are no longer there.
    package mutating func tick(at now: ContinuousClock.Instant) {
        for index in entries.indices {
            entries[index].heard.removeAll { now - $0.at > LocalSendLimits.absence }
        }
        entries.removeAll { $0.heard.isEmpty }
    }

    /// Returns whether a device claims what cannot be true of it: no encryption, although it is known with it.
    private func contradictsProof(_ device: LocalSendDevice) -> Bool {
        guard device.scheme == .http else { return !device.fingerprint.isCertificate }
        return confirmed.contains(device.fingerprint)
            || entries.contains { $0.isProven && $0.device.fingerprint == device.fingerprint }
    }

    private func isKnown(_ device: LocalSendDevice, at address: String) -> Bool {
        entries.contains {
            $0.device.fingerprint == device.fingerprint && $0.device.port == device.port && $0.isAt(address)
        }
    }

    private mutating func register(
        at device: LocalSendDevice,
        _ address: String,
        _ now: ContinuousClock.Instant
    ) -> OnDevice {
        guard gate.admitsAnswer(to: address, at: now) else { return .none }
        let expected = device.scheme == .https ? device.fingerprint : nil
        return .register(Place(address: address, port: device.port, scheme: device.scheme, expected: expected))
    }
}

extension LocalSendDirectory {
    private mutating func add(
        _ device: LocalSendDevice,
        at address: String,
        isProven: Bool,
        _ now: ContinuousClock.Instant
    ) {
        if isProven { entries.removeAll { !$0.isProven && $0.device.fingerprint == device.fingerprint } }
        // Without encryption, only the address tells a device from another one that says the same.
        let known = entries.firstIndex {
            $0.isProven == isProven && $0.device.fingerprint == device.fingerprint && (isProven || $0.isAt(address))
        }
        guard let known else { return addNew(device, at: address, isProven: isProven, now) }
        entries[known].device = device
        if let index = entries[known].heard.firstIndex(where: { $0.address == address }) {
            entries[known].heard[index].at = now
        } else if entries[known].heard.count < LocalSendLimits.addressesOfDevice,
            entries.count(where: { $0.isAt(address) }) < LocalSendLimits.devicesOfAddress
        {
            entries[known].heard.append((address, now))
        }
    }

    private mutating func addNew(
        _ device: LocalSendDevice,
        at address: String,
        isProven: Bool,
        _ now: ContinuousClock.Instant
    ) {
        // A device without encryption has a new fingerprint each time it starts.
        if !isProven { entries.removeAll { !$0.isProven && $0.device.port == device.port && $0.isAt(address) } }
        let isConfirmed = isProven && confirmed.contains(device.fingerprint)
        guard
            makeRoom(LocalSendLimits.devicesOfAddress, isProven, isConfirmed, among: { $0.isAt(address) }),
            makeRoom(LocalSendLimits.deviceCount, isProven, isConfirmed, among: { _ in true })
        else { return }
        entries.append(Entry(device: device, heard: [(address, now)], isProven: isProven, number: nextNumber))
        nextNumber += 1
    }

    /// Removes a device that matters less, if there are as many as allowed; returns whether there is room.
    ///
    /// Among devices that matter alike, those that came first stay: who floods the list must not push others out.
    private mutating func makeRoom(
        _ maximum: Int,
        _ isProven: Bool,
        _ isConfirmed: Bool,
        among isAmong: (Entry) -> Bool
    ) -> Bool {
        let indices = entries.indices.filter { isAmong(entries[$0]) }
        guard indices.count >= maximum else { return true }
        let unproven = indices.last { !entries[$0].isProven }
        let unconfirmed = indices.last { !confirmed.contains(entries[$0].device.fingerprint) }
        guard let index = isProven ? unproven ?? (isConfirmed ? unconfirmed : nil) : nil else { return false }
        entries.remove(at: index)
        return true
    }
}
