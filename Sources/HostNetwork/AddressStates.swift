import Glibc

/// What the kernel has found out about the IPv6 addresses of this machine (RFC 4862, section 5.4).
///
/// `getifaddrs` does not tell it.
enum AddressStates {
    /// An address of an interface; the same link-local address may be on several.
    struct Key: Hashable {
        var interface: UInt32
        var address: IPAddress
    }

    // From linux/rtnetlink.h and linux/if_addr.h.
    private static let request: UInt16 = 22
    private static let headerLength = 8
    private static let address: UInt16 = 1
    /// The own address, if the other attribute has that of the other end.
    private static let local: UInt16 = 2
    private static let flags: UInt16 = 8
    private static let isOptimistic: UInt32 = 0x04
    private static let isDuplicate: UInt32 = 0x08
    private static let isTentative: UInt32 = 0x40

    /// Asks the kernel for the addresses that cannot be used; empty if it does not answer.
    static func read() -> [Key: HostInterface.Address.State] {
        let header = [UInt8(AF_INET6)] + [UInt8](repeating: 0, count: headerLength - 1)
        let messages = Netlink.ask(request, header, isDump: true) ?? []
        return Dictionary(messages.compactMap { entry($0.body) }) { first, _ in first }
    }

    /// Reads a message about an address; nil if the address can be used.
    static func entry(_ body: [UInt8]) -> (Key, HostInterface.Address.State)? {
        // ifaddrmsg: family, prefix length, the lower flags, scope, and the number of the interface.
        guard body.count >= headerLength, let interface = body.number(UInt32.self, at: 4) else { return nil }
        let attributes = Netlink.attributes(in: body.dropFirst(headerLength))
        guard let address = (attributes[local] ?? attributes[address]).flatMap({ IPAddress(bytes: $0) }) else {
            return nil
        }
        let flags = attributes[flags]?.number(UInt32.self, at: 0) ?? UInt32(body[2])
        let key = Key(interface: interface, address: address)
        if flags & isDuplicate != 0 { return (key, .duplicate) }
        // An optimistic address is used while it is tested (RFC 4429).
        return flags & isTentative != 0 && flags & isOptimistic == 0 ? (key, .tentative) : nil
    }
}
