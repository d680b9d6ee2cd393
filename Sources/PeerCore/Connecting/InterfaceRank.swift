import Glibc

/// How likely a network interface leads to another person's machine.
///
/// Lower is better.
package enum InterfaceRank: Int, Comparable, Sendable {
    /// Hardware: a network card, Wi-Fi, a phone on USB.
    case hardware
    /// Something that may lead to hardware, such as a bond, a VLAN, or a bridge with a network card in it.
    case other
    /// It leads to containers and virtual machines of this machine, or nowhere.
    case virtual
    /// It leads through a tunnel.
    case tunnel
    /// It is switched off, or no cable is in it.
    case down

    /// How the names of interfaces begin that lead through a tunnel.
    private static let tunnels = ["tun", "tap", "wg", "ppp", "ipsec", "utun", "tailscale", "zt", "nordlynx", "proton"]
    /// How the names of interfaces begin that container engines and hypervisors make.
    private static let virtuals = [
        "veth", "br-", "docker", "podman", "virbr", "vnet", "vmnet", "vboxnet", "lxc", "lxd", "incus", "cni", "cali",
        "flannel", "kube", "dummy", "ifb",
    ]
    /// Where the kernel describes interfaces, each in a folder of its name.
    private static let systemFolder = "/sys/class/net"

    /// Ranks an interface by its name and by what the kernel says of it.
    ///
    /// - Parameters:
    ///   - name: The name, such as `wlan0`; nil if the interface is not known.
    ///   - folder: Where the interfaces are described, as in `/sys/class/net`.
    package init(of name: String?, in folder: String = systemFolder) {
        guard let name, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            self = .other
            return
        }
        let path = folder + "/" + name
        let state = Self.text(path + "/operstate")
        let isVirtual = Self.virtuals.contains { name.hasPrefix($0) }
        if let state, state != "up", state != "unknown" {
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

    /// Whether an interface is one end of a pair whose other end is in the same network: no cable leads out of it.
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

/// The networks of this machine to which packets go that have nowhere else to go.
enum DefaultRoute {
    /// The names of the interfaces that have a default route for IPv4, as `/proc/net/route` lists them.
    static func interfaceNames(in table: String) -> Set<String> {
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(whereSeparator: \.isWhitespace) }
        return Set(rows.filter { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }.map { String($0[0]) })
    }

    /// The names of the interfaces that have a default route now.
    static func interfaceNames() -> Set<String> {
        guard let file = fopen("/proc/net/route", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return interfaceNames(in: String(decoding: bytes[..<count], as: UTF8.self))
    }
}
