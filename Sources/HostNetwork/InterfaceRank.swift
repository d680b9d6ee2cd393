/// The rank of a network interface: how likely it leads to another person's machine.
///
/// Lower is better.
package enum InterfaceRank: Int, Comparable, Sendable {
    /// Hardware: a network card, Wi-Fi, a phone on USB.
    case hardware
    /// Something that may lead to hardware, such as a bond, a VLAN, or a bridge with a network card in it.
    case other
    /// An interface to containers or virtual machines on this machine, or to nothing.
    case virtual
    /// A tunnel, such as that of a VPN.
    case tunnel
    /// An interface that is switched off or has no cable.
    case down

    /// The prefixes of the names of tunnels.
    private static let tunnels = ["tun", "tap", "wg", "ppp", "ipsec", "utun", "tailscale", "zt", "nordlynx", "proton"]
    /// The prefixes of the names of interfaces that container engines and hypervisors create.
    private static let virtuals = [
        "veth", "br-", "docker", "podman", "virbr", "vnet", "vmnet", "vboxnet", "lxc", "lxd", "incus", "cni", "cali",
        "flannel", "kube", "dummy", "ifb",
    ]
    /// The folder in which the kernel describes each interface in a folder of its own.
    private static let systemFolder = "/sys/class/net"

    /// Ranks an interface by its name and its description in the kernel.
    package init(of name: String?, in folder: String = systemFolder, ignoringState ignoresState: Bool = false) {
        // The name becomes a component of a path.
        guard let name, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            self = .other
            return
        }
        let path = folder + "/" + name
        let state = SystemFile.word(path + "/operstate")
        let isVirtual = Self.virtuals.contains { name.hasPrefix($0) }
        if !ignoresState, let state, state != "up", state != "unknown" {
            self = .down
        } else if SystemFile.exists(path + "/device") {
            self = .hardware
        } else if Self.tunnels.contains(where: { name.hasPrefix($0) }) || SystemFile.exists(path + "/tun_flags") {
            self = .tunnel
        } else if SystemFile.exists(path + "/bridge") {
            let ports = SystemFile.names(in: path + "/brif")
            self = ports.contains { Self.hasHardware($0, in: folder) } ? .other : .virtual
        } else if isVirtual || SystemFile.exists(path + "/brport") || Self.endsHere(name, in: folder) {
            self = .virtual
        } else {
            self = .other
        }
    }

    package static func < (left: InterfaceRank, right: InterfaceRank) -> Bool { left.rawValue < right.rawValue }

    /// Returns whether an interface is a network card, or a VLAN or a bond that stands on another interface.
    private static func hasHardware(_ name: String, in folder: String) -> Bool {
        SystemFile.exists("\(folder)/\(name)/device")
            || SystemFile.names(in: folder + "/" + name).contains { $0.hasPrefix("lower_") }
    }

    /// Returns whether an interface is one end of a virtual cable whose other end is on this machine too.
    private static func endsHere(_ name: String, in folder: String) -> Bool {
        let path = folder + "/" + name
        guard let index = SystemFile.word(path + "/ifindex"), let partner = SystemFile.word(path + "/iflink"),
            index != partner, !SystemFile.names(in: path).contains(where: { $0.hasPrefix("lower_") })
        else { return false }
        return SystemFile.names(in: folder).contains { other in
            SystemFile.word("\(folder)/\(other)/ifindex") == partner
                && SystemFile.word("\(folder)/\(other)/iflink") == index
        }
    }
}
