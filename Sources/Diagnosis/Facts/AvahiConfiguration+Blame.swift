import HostNetwork

extension AvahiConfiguration {
    /// The smallest limits with which the daemon starts (avahi-daemon 0.8), with some room.
    private static let smallestLimits = [
        "rlimit-nofile": 20, "rlimit-as": 32 << 20, "rlimit-data": 2 << 20, "rlimit-nproc": 4,
    ]
    /// The settings whose values must be numbers.
    private static let numbers: Set<String> = [
        "cache-entries-max", "clients-max", "objects-per-client-max", "entries-per-entry-group-max",
        "ratelimit-interval-usec", "ratelimit-burst",
    ]
    /// The maximum length of a host name in bytes (RFC 1035, section 2.3.4).
    private static let maximumLabelLength = 63
    /// The records of a few other machines, with their addresses.
    private static let smallestCache = 32
    /// What a search for a few machines with several networks takes.
    private static let smallestObjects = 32
    /// The packets in a second that a daemon sends when a machine comes into a network, with some room.
    private static let smallestRate = 20

    /// The settings that keep the daemon from starting.
    package var startBlockers: [Setting] {
        let isWithoutIP = versions.count == 2
        return settings.filter { setting in
            if setting.isMisspelt { return true }
            switch (setting.section, setting.name) {
            case ("server", "host-name"):
                return setting.value.isEmpty || setting.value.contains(".")
                    || setting.value.utf8.count > Self.maximumLabelLength
            case ("server", "use-ipv4"), ("server", "use-ipv6"): return isWithoutIP
            case ("server", let name) where Self.numbers.contains(name):
                return setting.value.isEmpty || number(setting) == nil
            case ("rlimits", let name):
                guard let smallest = Self.smallestLimits[name] else { return false }
                return number(setting).map { $0 < smallest } ?? true
            default: return false
            }
        }
    }

    /// The settings by which programs do not reach the daemon.
    package var busBlockers: [Setting] {
        filtered("enable-dbus") { !$0.isYes && !$0.value.hasPrefix("w") && !$0.value.hasPrefix("W") }
    }

    /// The settings by which the daemon shares its port with no other program.
    package var portBlockers: [Setting] { filtered("disallow-other-stacks", where: \.isYes) }

    /// The settings by which services are not announced.
    package var announcingBlockers: [Setting] {
        settings.filter {
            $0.section == "publish" && $0.isYes
                && ["disable-publishing", "disable-user-service-publishing"].contains($0.name)
        }
    }

    /// The settings by which the addresses of this machine are not announced.
    package var addressBlockers: [Setting] {
        settings.filter { $0.section == "publish" && $0.name == "publish-addresses" && !$0.isYes }
    }

    /// The setting by which this machine and others are not in one domain; nil if they are.
    package var otherDomain: Setting? {
        filtered("domain-name") { !["local", "local.", ".local"].contains($0.value.lowercased()) }.first
    }

    /// The settings by which the daemon forgets what others announce, or hardly sends anything.
    package var packetBlockers: [Setting] {
        let cache = filtered("cache-entries-max") { number($0).map { $0 < Self.smallestCache } ?? false }
        let interval = filtered("ratelimit-interval-usec").first
        let burst = filtered("ratelimit-burst").first
        guard let interval, let microseconds = number(interval), microseconds > 0 else { return cache }
        // Without the second setting, one packet is sent in each interval.
        let packets = min(burst.flatMap(number) ?? 0, 1_000_000) + 1
        let isEnough = packets * 1_000_000 / Self.smallestRate >= microseconds
        return isEnough ? cache : cache + [interval, burst].compactMap { $0 }
    }

    /// The setting by which a program can ask for so little at a time that it finds hardly anything; nil if there is none.
    package var objectBlocker: Setting? {
        // The daemon takes zero as the default.
        filtered("objects-per-client-max") { number($0).map { (1..<Self.smallestObjects).contains($0) } ?? false }.first
    }

    /// Whether the daemon repeats what it hears on the other interfaces; then it does not list the services of this machine.
    package var reflects: Bool {
        settings.contains { $0.section == "reflector" && $0.name == "enable-reflector" && $0.isYes }
    }

    /// Returns the setting by which the daemon does not use an interface; nil if there is none.
    package func exclusion(of interface: InterfaceFacts) -> Setting? {
        // The daemon checks deny-interfaces first.
        if let denied = filtered("deny-interfaces").first, denied.names.contains(interface.name) { return denied }
        if let allowed = filtered("allow-interfaces").first, !allowed.names.contains(interface.name) { return allowed }
        let own = Set(interface.readyAddresses.map(\.address.isIPv6))
        return versions.first { own == [$0.isIPv6] }?.setting
    }

    /// The IP versions that are switched off.
    package var versions: [(isIPv6: Bool, setting: Setting)] {
        filtered("use-ipv4") { !$0.isYes }.map { (false, $0) } + filtered("use-ipv6") { !$0.isYes }.map { (true, $0) }
    }

    /// Returns the setting in the section `server` with a name.
    package func setting(_ name: String) -> Setting? { filtered(name).first }

    private func filtered(_ name: String, where isWanted: (Setting) -> Bool = { _ in true }) -> [Setting] {
        settings.filter { $0.section == "server" && $0.name == name && isWanted($0) }
    }

    /// The value as a number; nil if it is none.
    private func number(_ setting: Setting) -> Int? {
        setting.value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int(setting.value) : nil
    }
}
