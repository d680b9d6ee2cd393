/// What a device tells the group of LocalSend by UDP.
///
/// Anybody can say it, of any device and from any address: nothing is known of a device but where to ask.
package struct LocalSendAnnouncement: Hashable, Sendable {
    /// The device that is claimed to be there.
    package var device: LocalSendDevice
    /// Whether the device wants to be told who is there.
    package var asksForAnswer: Bool

    /// Creates an announcement.
    package init(_ device: LocalSendDevice, asksForAnswer: Bool) {
        (self.device, self.asksForAnswer) = (device, asksForAnswer)
    }

    /// Reads a datagram.
    package init(_ datagram: [UInt8]) throws(LocalSendFault) {
        let fields = try LocalSendDeviceFields.read(datagram, atMost: LocalSendLimits.announcementLength)
        self.init(try fields.device(), asksForAnswer: fields.asksForAnswer)
    }

    /// The datagram.
    package var datagram: [UInt8] { device.json(announce: asksForAnswer) }
}
