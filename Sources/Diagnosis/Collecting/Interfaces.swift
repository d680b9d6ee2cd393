import Glibc
import HostNetwork

/// Reads the network interfaces of this machine.
enum Interfaces {
    /// The maximum number of interfaces, and of addresses of one.
    private static let maximumCount = 256

    /// The interfaces, in the kernel's order, without loopback.
    static func read(in system: String = "/sys/class/net") -> [InterfaceFacts] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [InterfaceFacts] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let rawName = entry.ifa_name, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0 else { continue }
            let name = String(cString: rawName)
            let index: Int
            if let known = found.firstIndex(where: { $0.name == name }) {
                index = known
            } else {
                guard found.count < maximumCount else { continue }
                index = found.count
                found.append(describe(name, flags: entry.ifa_flags, in: system))
            }
            guard let address = entry.ifa_addr.flatMap({ IPAddress(UnsafePointer($0)) }),
                found[index].addresses.count < maximumCount
            else { continue }
            let mask = entry.ifa_netmask.flatMap { IPAddress(UnsafePointer($0)) }
            let length = mask.map(prefixLength) ?? address.bytes.count * 8
            found[index].addresses.append(.init(address, prefixLength: length))
        }
        return found
    }

    private static func describe(_ name: String, flags: UInt32, in system: String) -> InterfaceFacts {
        let path = system + "/" + name
        func has(_ flag: UInt32) -> Bool { flags & flag != 0 }
        let isEthernet =
            SystemFile.word(path + "/type") == ethernet && !SystemFile.exists(path + "/master")
            && !has(UInt32(IFF_NOARP)) && !has(UInt32(IFF_POINTOPOINT))
        return InterfaceFacts(
            name: name,
            index: if_nametoindex(name),
            kind: InterfaceRank(of: name, in: system, ignoringState: true),
            isEthernet: isEthernet,
            isUp: has(UInt32(IFF_UP)),
            hasCarrier: has(UInt32(IFF_RUNNING)),
            hasMulticast: has(UInt32(IFF_MULTICAST)),
            isWireless: SystemFile.exists(path + "/wireless") || SystemFile.exists(path + "/phy80211"),
            // A kernel without IPv6 does not have the file, and the switch would not help.
            isIPv6Off: SystemFile.word("/proc/sys/net/ipv6/conf/\(name)/disable_ipv6") == "1",
            hardwareAddress: hardwareAddress(SystemFile.word(path + "/address") ?? "")
        )
    }

    /// ARPHRD_ETHER of linux/if_arp.h, which Wi-Fi has too.
    private static let ethernet = "1"

    /// The number of ones at the start of a mask.
    private static func prefixLength(_ mask: IPAddress) -> Int {
        var length = 0
        for byte in mask.bytes {
            length += (~byte).leadingZeroBitCount
            guard byte == 0xFF else { break }
        }
        return length
    }

    /// Reads an address of the form `02:fc:00:00:00:05`; empty for any other text.
    static func hardwareAddress(_ text: String) -> [UInt8] {
        let bytes = text.split(separator: ":", omittingEmptySubsequences: false).compactMap { UInt8($0, radix: 16) }
        return bytes.count == 6 && text.utf8.count == 17 ? bytes : []
    }
}

/// Reads the switches of Wi-Fi radios.
enum Radios {
    /// The switches of all Wi-Fi radios.
    static func read(in system: String = "/sys/class/rfkill") -> [RadioFacts] {
        SystemFile.names(in: system).sorted().compactMap { name in
            let path = system + "/" + name
            guard SystemFile.word(path + "/type") == "wlan" else { return nil }
            return RadioFacts(
                isOffBySoftware: SystemFile.word(path + "/soft") == "1",
                isOffBySwitch: SystemFile.word(path + "/hard") == "1"
            )
        }
    }
}
