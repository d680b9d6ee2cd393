import LocalSend
import PeerProtocol
import PeerStorage
import RegionSharing
package import RegionStore

/// Recognises phones that a person has confirmed.
package struct PhoneBook: Hashable, Sendable {
    private let phones: [ConfirmedPhone]

    /// Creates a book of confirmed phones.
    package init(_ phones: [ConfirmedPhone] = []) { self.phones = phones }

    /// The fingerprints of the phones.
    var fingerprints: Set<LocalSendFingerprint> { Set(phones.compactMap { LocalSendFingerprint($0.id.hex) }) }

    /// Returns what a device is called, and what is known of it.
    ///
    /// - Parameters:
    ///   - proven: The fingerprint of the certificate that it has shown; nil for none.
    ///   - alias: What it calls itself.
    func recognise(
        _ proven: LocalSendFingerprint?,
        callingItself alias: String
    ) -> (name: String, recognition: LocalSendPhone.Recognition) {
        let id = proven.flatMap { ContentDigest(hex: $0.text) }
        if let known = phones.first(where: { $0.id == id }) { return (known.name, .confirmed) }
        let isKnownName = phones.contains {
            PeerName.areAlike($0.name, alias) || PeerName.areAlike($0.alias, alias)
        }
        return (alias, isKnownName ? .changed : .new)
    }
}
