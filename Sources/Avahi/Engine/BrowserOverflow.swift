import CAvahi

/// The services that a full browser cannot resolve yet, the oldest first.
///
/// The daemon reports each service once, so a service that is not kept here would never be found.
struct BrowserOverflow {
    /// The maximum number of services that wait; a machine on the network can announce any number.
    static let maximumCount = 4096

    private var flags: [ServiceKey: AvahiLookupResultFlags] = [:]
    private var order: [ServiceKey] = []

    /// The number of services that wait.
    var count: Int { flags.count }

    /// Keeps a service until there is room; drops it if too many wait.
    mutating func keep(_ key: ServiceKey, _ flags: AvahiLookupResultFlags) {
        guard self.flags.count < Self.maximumCount, self.flags.updateValue(flags, forKey: key) == nil else { return }
        order.append(key)
    }

    /// Removes a service that has disappeared; returns the next one to resolve, if there is room for it.
    mutating func forget(_ key: ServiceKey, hasRoom: Bool) -> (key: ServiceKey, flags: AvahiLookupResultFlags)? {
        if flags.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
        guard hasRoom, let first = order.first, let flags = flags.removeValue(forKey: first) else { return nil }
        order.removeFirst()
        return (first, flags)
    }
}
