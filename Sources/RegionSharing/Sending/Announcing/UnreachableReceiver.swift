package import Diagnosis
import PeerCore
import RegionStore

/// A machine that hears this one and cannot connect to it, as it says itself, and why.
public struct UnreachableReceiver: Hashable, Sendable {
    /// Its address.
    public var address: String
    /// Why it cannot connect.
    public var cause: NetworkCause
    /// What this machine sees of it.
    package var view: PeerView

    /// Judges why a machine cannot connect to a port of this one.
    package init(address: String, view: PeerView, port: Int, on machine: MachineFacts) {
        (self.address, self.view) = (address, view)
        cause = NetworkCause(finding: Judgement.receiver("A machine nearby (\(address))", view, at: port, on: machine))
    }
}
