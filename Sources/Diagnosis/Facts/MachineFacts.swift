package import HostNetwork
import PeerStorage

/// The state of this machine, as far as it is known without sending anything.
package struct MachineFacts: Hashable, Sendable {
    /// The way of packets to a neighbour in a local network.
    package struct LocalRoute: Hashable, Sendable {
        /// The interface that has an address in the network.
        package var interface: String
        /// The network, such as `192.168.1.7/24`, by this machine's address.
        package var network: String
        /// The interface over which the kernel sends to a neighbour; nil if there is no route.
        package var used: String?

        package init(interface: String, network: String, used: String?) {
            self.interface = interface
            self.network = network
            self.used = used
        }
    }

    /// The interfaces.
    package var interfaces: [InterfaceFacts]
    /// The switches of Wi-Fi radios.
    package var radios: [RadioFacts]
    /// The ways to neighbours.
    package var localRoutes: [LocalRoute]
    /// The interface over which the kernel sends to the internet; nil if there is no route.
    package var internetInterface: String?
    /// The firewall that seems to be active; nil for none.
    package var firewall: Firewall?
    /// Whether the firewall was opened since the start of the system.
    package var isFirewallOpened = false

    /// Creates the description of a machine.
    package init(
        interfaces: [InterfaceFacts] = [],
        radios: [RadioFacts] = [],
        localRoutes: [LocalRoute] = [],
        internetInterface: String? = nil,
        firewall: Firewall? = nil
    ) {
        self.interfaces = interfaces
        self.radios = radios
        self.localRoutes = localRoutes
        self.internetInterface = internetInterface
        self.firewall = firewall
    }

    /// The interfaces that lead to a local network at the moment.
    package var usableInterfaces: [InterfaceFacts] { interfaces.filter(\.isUsable) }

    /// Whether there is a Wi-Fi radio, and every one is switched off.
    package var isRadioOff: Bool { !radios.isEmpty && radios.allSatisfy { $0.isOffBySoftware || $0.isOffBySwitch } }

    /// Returns the interface with a name.
    package func interface(_ name: String?) -> InterfaceFacts? {
        name.flatMap { name in interfaces.first { $0.name == name } }
    }

    /// Whether this machine has an address; one that another machine has, too, and the kernel therefore does not use, is not its own.
    package func has(_ address: IPAddress) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.address == address && $0.state != .duplicate } }
    }
}

/// The folder in which data are stored, and its disk.
package struct StoreFacts: Hashable, Sendable {
    /// The folder, or the nearest existing folder above it.
    package var path: String
    /// The highest folder on the same disk that is mounted in the same way.
    package var mountPoint: String
    /// The free space for this user in bytes; nil if it is not known.
    package var free: UInt64?
    /// Whether the disk is mounted read-only.
    package var isReadOnly: Bool
    /// Whether this user can write to the folder.
    package var isWritable: Bool
    /// The free space in bytes below which nothing is received.
    package var reserve: UInt64
    /// Whether the disk has room for the names of further files.
    package var hasFreeFiles: Bool
    /// Whether other users can change the folder itself.
    package var isOpenToOthers: Bool

    package init(
        path: String,
        mountPoint: String = "/",
        free: UInt64?,
        isReadOnly: Bool = false,
        isWritable: Bool = true,
        reserve: UInt64 = DiskReserve.size(ofDiskWith: 0),
        hasFreeFiles: Bool = true,
        isOpenToOthers: Bool = false
    ) {
        (self.reserve, self.hasFreeFiles, self.isOpenToOthers) = (reserve, hasFreeFiles, isOpenToOthers)
        self.path = path
        self.mountPoint = mountPoint
        self.free = free
        self.isReadOnly = isReadOnly
        self.isWritable = isWritable
    }
}

/// The clock of this machine, and times with which it can be compared offline.
package struct ClockFacts: Hashable, Sendable {
    /// A time that has certainly passed.
    package enum Reference: Hashable, Sendable {
        /// A file in the store was written.
        case store
        /// The file of the program was written.
        case program
    }

    /// The time of the system, in seconds since 1970.
    package var now: Int64
    /// When the program's file was written.
    package var program: Int64?
    /// When the newest file in the store was written.
    package var store: Int64?
    /// The time of the hardware clock, which is set to local time or to universal time; nil if there is no such clock.
    package var hardware: Int64?

    package init(now: Int64, program: Int64? = nil, store: Int64? = nil, hardware: Int64? = nil) {
        self.now = now
        self.program = program
        self.store = store
        self.hardware = hardware
    }
}
