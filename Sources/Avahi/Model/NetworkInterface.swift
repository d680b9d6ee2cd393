import CAvahi
import Glibc

/// A network interface of this machine.
public struct NetworkInterface: Hashable, Sendable {
    /// The kernel's number of the interface, above 0; also the zone of link-local addresses.
    public let index: UInt32

    /// The name, as in `wlan0`; nil if this process cannot see the interface (any more).
    public var name: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let start = buffer.baseAddress, let name = if_indextoname(index, start) else { return nil }
            return String(cString: name)
        }
    }

    /// Creates the interface of a number; nil for 0, which stands for none.
    public init?(index: UInt32) {
        guard index > 0, index <= UInt32(Int32.max) else { return nil }
        self.index = index
    }

    /// Creates the interface of a name; nil if there is none.
    public init?(name: String) {
        self.init(index: if_nametoindex(name))
    }

    init?(_ number: AvahiIfIndex) {
        guard number > 0 else { return nil }
        self.index = UInt32(number)
    }

    /// Avahi's number for an interface; nil stands for all.
    static func number(_ interface: NetworkInterface?) -> AvahiIfIndex {
        interface.map { AvahiIfIndex($0.index) } ?? AvahiIfIndex(AVAHI_IF_UNSPEC)
    }
}
