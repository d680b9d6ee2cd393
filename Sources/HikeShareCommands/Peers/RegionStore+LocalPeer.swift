import PeerCore
import RegionStore

extension RegionStore {
    /// Describes this machine; its key and its name are made on first use.
    ///
    /// Nothing of it comes from the person or the system: the name is drawn by lot unless one is given.
    func localPeer(name: String?) throws -> LocalPeer {
        LocalPeer(
            application: .hikeshare,
            identity: try PeerIdentity.load(orCreateAt: path + "/identity.pem", for: .hikeshare),
            displayName: try name ?? displayName(orElse: MachineName.random),
            software: Software.description
        )
    }
}
