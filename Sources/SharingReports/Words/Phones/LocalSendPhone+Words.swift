package import RegionSharing

extension LocalSendPhone {
    /// The phone, as it is called everywhere.
    ///
    /// A name that nobody has confirmed is what the phone says of itself.
    package var title: DisplayText {
        let name = DisplayText(quoting: name)
        switch recognition {
        case .confirmed: return "\(name) (LocalSend)"
        case .new where !isEncrypted: return "\(name) (LocalSend, new, not encrypted)"
        case .new: return "\(name) (LocalSend, new)"
        case .changed: return "\(name) (LocalSend, another device than before)"
        }
    }
}
