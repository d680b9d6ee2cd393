/// A device that answered, or that came by itself.
package struct LocalSendNeighbour: Hashable, Sendable {
    /// The device.
    package var device: LocalSendDevice
    /// The IP address at which it was last there, with the scope of a link-local one.
    package var address: String
    /// Whether it has shown the certificate whose fingerprint it states.
    package var isProven: Bool
    /// A number that it keeps while it is there, from 1; none is used twice.
    package var number: Int

    package init(_ device: LocalSendDevice, at address: String, isProven: Bool, number: Int) {
        (self.device, self.address, self.isProven, self.number) = (device, address, isProven, number)
    }
}
