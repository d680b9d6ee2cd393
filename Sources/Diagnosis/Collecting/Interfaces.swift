import Glibc
import HostNetwork

/// Reads the network interfaces of this machine.
enum Interfaces {
    /// The maximum number of interfaces, and of addresses of an interface.
    ///
    /// Each of them costs reads of the kernel's files and a question about its route.
    private static let maximumCount = 256

    /// Returns the interfaces in the kernel's order, without loopback.
    static func read(in system: String = "/sys/class/net") -> [InterfaceFacts] {
        let interfaces = HostInterface.all().filter { !$0.has(IFF_LOOPBACK) }
        return interfaces.prefix(maximumCount).map { describe($0, in: system) }
    }

    private static func describe(_ interface: HostInterface, in system: String) -> InterfaceFacts {
        let path = system + "/" + interface.name
        let isEthernet =
            SystemFile.word(path + "/type") == ethernet && !SystemFile.exists(path + "/master")
            && !interface.has(IFF_NOARP) && !interface.has(IFF_POINTOPOINT)
        return InterfaceFacts(
            name: interface.name,
            index: interface.index,
            kind: InterfaceRank(of: interface.name, in: system, ignoringState: true),
            isEthernet: isEthernet,
            isUp: interface.has(IFF_UP),
            hasCarrier: interface.has(IFF_RUNNING),
            hasMulticast: interface.has(IFF_MULTICAST),
            isWireless: SystemFile.exists(path + "/wireless") || SystemFile.exists(path + "/phy80211"),
            // A kernel without IPv6 does not have the file, and the switch would not help.
            isIPv6Off: SystemFile.word("/proc/sys/net/ipv6/conf/\(interface.name)/disable_ipv6") == "1",
            hardwareAddress: hardwareAddress(SystemFile.word(path + "/address") ?? ""),
            addresses: Array(interface.addresses.prefix(maximumCount))
        )
    }

    /// ARPHRD_ETHER of linux/if_arp.h, which Wi-Fi has too.
    private static let ethernet = "1"

    /// Reads an address of the form `02:fc:00:00:00:05`; empty for any other text.
    static func hardwareAddress(_ text: String) -> [UInt8] {
        let bytes = text.split(separator: ":", omittingEmptySubsequences: false).compactMap { UInt8($0, radix: 16) }
        return bytes.count == 6 && text.utf8.count == 17 ? bytes : []
    }
}

/// Reads the switches of Wi-Fi radios.
enum Radios {
    /// Returns the switches of all Wi-Fi radios.
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
