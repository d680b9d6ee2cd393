/// Who makes a request: an address, and the certificate that was shown.
package struct LocalSendClient: Hashable, Sendable {
    /// The IP address, with the scope of a link-local one.
    package var address: String
    /// The fingerprint of the certificate; nil for none, as from LocalSend until 1.15 and localsend-cli.
    package var certificate: LocalSendFingerprint?

    package init(_ address: String, certificate: LocalSendFingerprint?) {
        (self.address, self.certificate) = (address, certificate)
    }

    /// Returns whether two requests come from one device, as far as can be known.
    func isSameDevice(as other: LocalSendClient) -> Bool {
        certificate == other.certificate && (certificate != nil || address == other.address)
    }
}
