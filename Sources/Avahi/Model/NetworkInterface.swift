import CAvahi
import Glibc

/// A network interface of this machine.
public struct NetworkInterface: Hashable, Sendable {
    /// The kernel's number of the interface, above 0; also the zone of link-local addresses.
    public let index: UInt32

    /// The name, such as `wlan0`; nil if the interface no longer exists or this process cannot see it.
    public var name: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let start = buffer.baseAddress, let name = if_indextoname(index, start) else { return nil }
            return String(cString: name)
        }
    }

    /// Creates an interface from its number; nil for 0, which is not an interface.
    public init?(index: UInt32) {
        guard index > 0, index <= UInt32(Int32.max) else { return nil }
        self.index = index
    }

    /// Creates an interface from its name; nil if there is no such interface.
    public init?(name: String) { self.init(index: if_nametoindex(name)) }

    init?(_ number: AvahiIfIndex) {
        guard number > 0 else { return nil }
        self.index = UInt32(number)
    }

    /// Avahi's number for an interface; nil stands for all.
    static func number(_ interface: NetworkInterface?) -> AvahiIfIndex {
        interface.map { AvahiIfIndex($0.index) } ?? AvahiIfIndex(AVAHI_IF_UNSPEC)
    }
}
