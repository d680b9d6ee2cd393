/// Why LocalSend does not work, or not fully.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum LocalSendTrouble: Hashable, Sendable {
    /// The network does not carry multicast, so phones are not found and do not find this machine.
    case noMulticast
    /// There is no IPv4 address, which LocalSend needs.
    case noNetwork
    /// No port can be opened, for a reason in the system's words.
    case port(reason: String)
}
