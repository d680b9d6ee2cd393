import PeerStorage
import RegionStore

/// A phone, or another device, that was found by LocalSend.
///
/// Its name is what it says of itself, until a person has confirmed it once and given it a name.
public struct LocalSendPhone: Hashable, Sendable {
    /// What this machine knows of a device.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Recognition: Hashable, Sendable {
        /// Nobody has confirmed it.
        case new
        /// A person has confirmed it, and given it the name.
        case confirmed
        /// It says the name of a confirmed device and has another certificate: another device, or a new installation.
        case changed
    }

    /// A number that it keeps while the search lasts, from 1.
    public var number: Int
    /// The name that a person has given it, or else the one that it claims.
    public var name: String
    /// The name that it claims.
    public var claimedName: String
    /// What this machine knows of it.
    public var recognition: Recognition
    /// The model that it claims; nil if it says none.
    public var model: String?
    /// Its IP address, with the scope of a link-local one.
    public var address: String
    /// The SHA-256 digest of its certificate in hexadecimal digits; nil if it speaks without encryption.
    public var fingerprint: String?

    /// Whether what is sent to it is encrypted.
    public var isEncrypted: Bool { fingerprint != nil }

    /// Creates it.
    public init(
        number: Int,
        name: String,
        recognition: Recognition,
        model: String? = nil,
        address: String,
        fingerprint: String?,
        claimedName: String? = nil
    ) {
        (self.number, self.name, self.recognition) = (number, name, recognition)
        self.claimedName = claimedName ?? name
        (self.model, self.address, self.fingerprint) = (model, address, fingerprint)
    }

    /// Returns what names have in common that a person takes for the same.
    ///
    /// It is the comparison by which a device that claims the name of a confirmed one is noticed, so nobody has a name that is the
    /// same in one way and another in the other.
    package static func key(of name: String) -> String { PeerName.skeleton(name) }
}
