/// The addresses and the port to which the members of a multicast group send.
package struct MulticastGroup: Hashable, Sendable {
    /// The group of multicast DNS (RFC 6762, sections 3 and 11).
    package static let dns = MulticastGroup(
        ofIPv4: "224.0.0.251",
        ofIPv6: "ff02::fb",
        port: MulticastSocket.port,
        hops: 255
    )

    /// The address of IPv4; nil for none.
    var ofIPv4: IPAddress?
    /// The address of IPv6; nil for none.
    var ofIPv6: IPAddress?
    var port: UInt16
    /// How many routers a packet may pass, and one more.
    var hops: UInt8

    package init(ofIPv4: String? = nil, ofIPv6: String? = nil, port: UInt16, hops: UInt8 = 1) {
        (self.ofIPv4, self.ofIPv6) = (ofIPv4.flatMap { IPAddress($0) }, ofIPv6.flatMap { IPAddress($0) })
        (self.port, self.hops) = (port, hops)
    }
}
