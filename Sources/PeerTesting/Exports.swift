@_exported public import NearbyPeers
