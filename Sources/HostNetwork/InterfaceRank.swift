import Glibc

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
    ///
    /// - Parameters:
    ///   - name: The name, such as `wlan0`; nil if the interface is not known.
    ///   - folder: The folder with the descriptions, such as `/sys/class/net`.
    ///   - ignoresState: Whether an interface that is switched off or has no cable gets the rank that it has otherwise.
    package init(of name: String?, in folder: String = systemFolder, ignoringState ignoresState: Bool = false) {
        // The name becomes a component of a path.
        guard let name, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            self = .other
            return
        }
        let path = folder + "/" + name
        let state = Self.text(path + "/operstate")
        let isVirtual = Self.virtuals.contains { name.hasPrefix($0) }
        if !ignoresState, let state, state != "up", state != "unknown" {
            self = .down
        } else if Self.exists(path + "/device") {
            self = .hardware
        } else if Self.tunnels.contains(where: { name.hasPrefix($0) }) || Self.exists(path + "/tun_flags") {
            self = .tunnel
        } else if Self.exists(path + "/bridge") {
            let ports = Self.names(in: path + "/brif")
            self = ports.contains { Self.exists("\(folder)/\($0)/device") } ? .other : .virtual
        } else if isVirtual || Self.exists(path + "/brport") || Self.endsHere(name, in: folder) {
            self = .virtual
        } else {
            self = .other
        }
    }

    package static func < (left: InterfaceRank, right: InterfaceRank) -> Bool { left.rawValue < right.rawValue }

    /// Returns whether an interface is one end of a virtual cable whose other end is on this machine too.
    private static func endsHere(_ name: String, in folder: String) -> Bool {
        let path = folder + "/" + name
        guard let index = text(path + "/ifindex"), let partner = text(path + "/iflink"), index != partner,
            !names(in: path).contains(where: { $0.hasPrefix("lower_") })
        else { return false }
        return names(in: folder).contains { other in
            text("\(folder)/\(other)/ifindex") == partner && text("\(folder)/\(other)/iflink") == index
        }
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// The first word of a file; nil if it cannot be read.
    private static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
    }
}

/// The default routes of this machine.
package enum DefaultRoute {
    /// The names of the interfaces that have a default route for IPv4, as `/proc/net/route` lists them.
    static func interfaceNames(in table: String) -> Set<String> {
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(whereSeparator: \.isWhitespace) }
        return Set(rows.filter { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }.map { String($0[0]) })
    }

    /// The names of the interfaces that have a default route now.
    package static func interfaceNames() -> Set<String> {
        guard let file = fopen("/proc/net/route", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return interfaceNames(in: String(decoding: bytes[..<count], as: UTF8.self))
    }
}
