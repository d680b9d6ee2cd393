package import FoundationEssentials
package import PeerProtocol

/// A phone, or another device with LocalSend, to which a person has given a name.
///
/// It is not trusted for anything: it is only known to be the same device as before.
package struct ConfirmedPhone: Hashable, Sendable, Identifiable {
    /// The SHA-256 digest of its certificate.
    package var id: ContentDigest
    /// The name here; no other phone has it, and no machine that was trusted then.
    package var name: String
    /// What it called itself.
    package var alias: String
    /// The time at which the person confirmed it.
    package var confirmedAt: Date
    /// The time at which it was last found.
    package var seenAt: Date

    package init(id: ContentDigest, name: String, alias: String, confirmedAt: Date, seenAt: Date) {
        (self.id, self.name, self.alias) = (id, name, alias)
        (self.confirmedAt, self.seenAt) = (confirmedAt, seenAt)
    }
}
