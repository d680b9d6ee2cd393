/// Another machine in a network, as the kernel knows it (ARP and IPv6 neighbour discovery).
package struct Neighbour: Hashable, Sendable {
    /// What the kernel knows of the machine.
    package enum State: Hashable, Sendable {
        /// It has answered within the last seconds.
        case present
        /// It was asked for and did not answer.
        case absent
        /// The kernel does not know, or the machine is in another network.
        case unknown
        /// Nothing was ever sent to it, not even the question where it is.
        case unasked
    }

    /// The number of the interface that leads to the network.
    package let interface: UInt32
    package let address: IPAddress
    package let state: State
    /// The hardware address of the machine that answers at the address; empty if it is not known.
    package let hardwareAddress: [UInt8]
    /// Whether the kernel is about to check whether the machine is still there.
    package let isBeingChecked: Bool

    // From linux/rtnetlink.h and linux/neighbour.h.
    private static let request: UInt16 = 30
    private static let destination: UInt16 = 1
    private static let linkLayerAddress: UInt16 = 2
    private static let headerLength = 12
    private static let absent: UInt16 = 0x01 | 0x20
    private static let present: UInt16 = 0x02 | 0x80
    private static let inDoubt: UInt16 = 0x08 | 0x10

    /// The machines that the kernel knows.
    package static func all() -> [Neighbour] {
        let messages = Netlink.ask(request, [UInt8](repeating: 0, count: headerLength), isDump: true) ?? []
        return messages.compactMap { Neighbour($0.body) }
    }

    /// Reads one machine; nil if the message is not complete.
    init?(_ body: [UInt8]) {
        // ndmsg: family, padding, number of the interface, state, flags, type.
        guard let interface = body.number(UInt32.self, at: 4), let state = body.number(UInt16.self, at: 8),
            body.count >= Self.headerLength
        else { return nil }
        let attributes = Netlink.attributes(in: body.dropFirst(Self.headerLength))
        guard let address = attributes[Self.destination].flatMap({ IPAddress(bytes: $0) }) else { return nil }
        hardwareAddress = attributes[Self.linkLayerAddress] ?? []
        self.interface = interface
        self.address = address
        self.state = state & Self.present != 0 ? .present : state & Self.absent != 0 ? .absent : .unknown
        self.isBeingChecked = state & Self.inDoubt != 0
    }
}
