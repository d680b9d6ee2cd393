import CAvahi

/// The services that a full browser cannot resolve yet, the oldest first.
///
/// The daemon reports each service once; what is not kept here would never be seen.
struct BrowserOverflow {
    /// How many services are kept: anybody on the network can announce any number.
    static let maximumCount = 4096

    private var flags: [ServiceKey: AvahiLookupResultFlags] = [:]
    private var order: [ServiceKey] = []

    /// How many services wait.
    var count: Int { flags.count }

    /// Keeps a service until there is room; leaves it out if too many wait.
    mutating func keep(_ key: ServiceKey, _ flags: AvahiLookupResultFlags) {
        guard self.flags.count < Self.maximumCount, self.flags.updateValue(flags, forKey: key) == nil else { return }
        order.append(key)
    }

    /// Forgets a service that has disappeared; returns the next one to resolve if there is room for it.
    mutating func forget(_ key: ServiceKey, hasRoom: Bool) -> (key: ServiceKey, flags: AvahiLookupResultFlags)? {
        if flags.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
        guard hasRoom, let first = order.first, let flags = flags.removeValue(forKey: first) else { return nil }
        order.removeFirst()
        return (first, flags)
    }
}
