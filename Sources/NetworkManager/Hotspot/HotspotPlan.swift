/// A plan for a Wi-Fi network: the card, the channel, and the consequences for the person.
///
/// A plain value, made from NetworkManager's state.
package struct HotspotPlan: Hashable, Sendable {
    /// How other machines get an address.
    package enum Addresses: Hashable, Sendable {
        /// By DHCP, which phones need. They can also reach the networks behind the other network cards of this machine.
        case shared
        /// By choosing link-local IPv6 addresses. They can reach only this machine.
        case linkLocal(Reason)
    }

    /// Why there is no DHCP.
    package enum Reason: Hashable, Sendable {
        /// The program dnsmasq is not installed.
        case noDnsmasq
        /// This machine has a default route over this interface, and strangers must not use it.
        case uplink(String)
    }

    /// The wishes of a person.
    package struct Wishes: Hashable, Sendable {
        /// The band; nil for any.
        package var band: WiFiChannel.Band?
        /// Whether other machines may use this machine's default route.
        package var sharesUplink: Bool

        package init(band: WiFiChannel.Band? = nil, sharesUplink: Bool = false) {
            self.band = band
            self.sharesUplink = sharesUplink
        }
    }

    /// The card.
    package var device: WiFiDevice
    package var channel: WiFiChannel
    package var addresses: Addresses
    /// Whether the desktop will ask for the password of an administrator.
    package var asksForPassword: Bool

    /// The network that the card leaves; nil for none.
    package var leaves: WiFiDevice.Connection? { device.connection }

    /// Plans a network.
    package init(_ state: NetworkState, hasDnsmasq: Bool, wishes: Wishes = Wishes()) throws(NetworkManagerError) {
        try state.checkSwitches()
        let candidates = try state.usableDevices()
        try Self.checkAccessPoint(candidates)
        guard state.sharing != .no else { throw .noPermission }
        asksForPassword = state.sharing == .auth
        let able = candidates.filter { $0.capabilities.isSuperset(of: [.accessPoint, .ccmp, .rsn]) }
        // Prefer a free card, because the person keeps the current network.
        let sorted = able.filter { !$0.state.isInUse } + able.filter(\.state.isInUse)
        var refusal: NetworkManagerError?
        for device in sorted {
            do throws(NetworkManagerError) {
                channel = try Self.channel(for: device, state, wishes.band)
                self.device = device
                addresses = Self.addresses(beside: device, state, hasDnsmasq, wishes)
                return
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? .noAccessPoint(candidates.first?.interface ?? "")
    }

    private static func checkAccessPoint(_ devices: [WiFiDevice]) throws(NetworkManagerError) {
        let isAble = devices.contains { $0.capabilities.isSuperset(of: [.accessPoint, .ccmp, .rsn]) }
        guard isAble || devices.isEmpty else { throw .noAccessPoint(devices.first?.interface ?? "") }
    }

    /// Returns the channel for a card.
    private static func channel(
        for device: WiFiDevice,
        _ state: NetworkState,
        _ band: WiFiChannel.Band?
    ) throws(NetworkManagerError) -> WiFiChannel {
        // A radio has one channel, which all of its interfaces share.
        let neighbour = state.devices.first { other in
            other.path != device.path && other.radio != nil && other.radio == device.radio && other.state.isInUse
        }
        if let neighbour, let frequency = neighbour.frequency {
            guard let channel = WiFiChannel(frequency: frequency), channel.band == band ?? channel.band else {
                throw .otherChannel(device.interface, neighbour)
            }
            return channel
        }
        let band = band ?? .band2GHz
        guard device.canUse(band) else { throw .noBand(device.interface, band) }
        return .usual(in: band)
    }

    private static func addresses(
        beside device: WiFiDevice,
        _ state: NetworkState,
        _ hasDnsmasq: Bool,
        _ wishes: Wishes
    ) -> Addresses {
        guard hasDnsmasq else { return .linkLocal(.noDnsmasq) }
        // The card's own default route ends when the card becomes an access point, so it cannot be shared.
        guard !wishes.sharesUplink, let uplink = state.uplinks.first(where: { $0 != device.interface }) else {
            return .shared
        }
        return .linkLocal(.uplink(uplink))
    }
}

extension WiFiDevice {
    /// Whether the card can use a band, according to its driver.
    func canUse(_ band: WiFiChannel.Band) -> Bool {
        guard capabilities.contains(.knowsBands) else { return true }
        switch band {
        case .band2GHz: return capabilities.contains(.band2GHz)
        case .band5GHz: return capabilities.contains(.band5GHz)
        }
    }
}
