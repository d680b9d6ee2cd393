import Glibc

/// How many bytes a network of this machine carries, as the kernel says.
///
/// The kernel knows the speed of network cards. It also names one for virtual cables, which means nothing, so only hardware counts.
package struct NetworkRate: Hashable, Sendable {
    /// Whether the network is a radio.
    package var isRadio: Bool
    /// The useful bytes per second.
    package var bytesPerSecond: Double

    /// The folder in which the kernel describes each interface in a folder of its own.
    package static let systemFolder = "/sys/class/net"
    // Ethernet, IP, TCP and TLS take 6 % of packets of the usual length.
    /// The useful share of the speed of a cable.
    private static let cableShare = 0.94
    // A radio sends one way at a time, waits for others, and repeats what is lost.
    /// The useful share of the bit rate of a radio.
    private static let radioShare = 0.5
    /// The speeds that are believed, in Mbit/s.
    private static let speeds = 1...400_000
    // From linux/wireless.h.
    private static let bitRateRequest: UInt = 0x8B21
    private static let requestLength = 32
    private static let valueOffset = 16

    /// Creates the rate of a cable with a speed in Mbit/s; nil for a speed that is none.
    package init?(ofCable megabits: Int) {
        guard Self.speeds.contains(megabits) else { return nil }
        self.isRadio = false
        self.bytesPerSecond = Double(megabits) * 125_000 * Self.cableShare
    }

    /// Creates the rate of a radio with a bit rate in bit/s; nil for a bit rate that is none.
    package init?(ofRadio bits: Int) {
        guard Self.speeds.contains(bits / 1_000_000) else { return nil }
        self.isRadio = true
        self.bytesPerSecond = Double(bits) / 8 * Self.radioShare
    }

    /// Reads the rate of an interface; nil if it is unknown.
    package init?(
        of name: String,
        in folder: String = systemFolder,
        radioBitRate: (String) -> Int? = Self.radioBitRate
    ) {
        guard InterfaceRank(of: name, in: folder) == .hardware else { return nil }
        if Self.isRadio(name, in: folder) {
            guard let bits = radioBitRate(name) else { return nil }
            self.init(ofRadio: bits)
        } else {
            // Without a cable, reading fails or the speed is -1.
            guard let speed = SystemFile.word("\(folder)/\(name)/speed").flatMap({ Int($0) }) else { return nil }
            self.init(ofCable: speed)
        }
    }

    /// Whether this machine has a socket for a cable.
    package static func hasCableSocket(in folder: String = systemFolder) -> Bool {
        SystemFile.names(in: folder).contains { name in
            InterfaceRank(of: name, in: folder, ignoringState: true) == .hardware && !isRadio(name, in: folder)
                && SystemFile.word("\(folder)/\(name)/type") == "1"
        }
    }

    /// Whether an interface is a radio.
    package static func isRadio(_ name: String, in folder: String = systemFolder) -> Bool {
        ["phy80211", "wireless"].contains { SystemFile.exists("\(folder)/\(name)/\($0)") }
    }

    /// Asks the kernel for the bit rate of a radio, in bit/s; nil if it does not know it.
    package static func radioBitRate(of name: String) -> Int? {
        // The name and its end have 16 bytes.
        guard (1..<16).contains(name.utf8.count) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var request = [UInt8](repeating: 0, count: requestLength)
        request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
        let isKnown = request.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { ioctl(descriptor, bitRateRequest, $0) == 0 } ?? false
        }
        return isKnown ? bitRate(in: request) : nil
    }

    /// Reads the kernel's answer; nil if it has no bit rate.
    static func bitRate(in answer: [UInt8]) -> Int? {
        guard answer.count >= valueOffset + 4 else { return nil }
        let value = answer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: valueOffset, as: Int32.self) }
        return value > 0 ? Int(value) : nil
    }
}
