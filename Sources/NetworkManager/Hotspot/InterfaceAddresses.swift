import Glibc

/// The addresses of a network interface. (getifaddrs(3).)
enum InterfaceAddresses {
    /// Returns the IP addresses of an interface as text, without zones.
    static func hosts(of interface: String) -> Set<String> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var hosts: Set<String> = []
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let name = entry.pointee.ifa_name, String(cString: name) == interface,
                let address = entry.pointee.ifa_addr, let host = host(of: address)
            else { continue }
            hosts.insert(host)
        }
        return hosts
    }

    private static func host(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch CInt(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(buffer.count)
        guard getnameinfo(address, socklen_t(length), &buffer, size, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        let text = buffer.prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: "%")) }
        return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
