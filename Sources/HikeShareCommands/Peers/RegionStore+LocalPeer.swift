import PeerCore
import RegionStore

extension RegionStore {
    /// Returns the description of this machine.
    ///
    /// Its key and its name are created on first use.
    ///
    /// The description contains nothing about the person or the system. The name is random unless one is given.
    func localPeer(name: String?) throws -> LocalPeer {
        LocalPeer(
            application: .hikeshare,
            identity: try PeerIdentity.load(orCreateAt: path + "/identity.pem", for: .hikeshare),
            displayName: try name ?? displayName(orElse: MachineName.random),
            software: Software.description
        )
    }
}
