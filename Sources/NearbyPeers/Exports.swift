// `import NearbyPeers` is enough for an application.
@_exported public import PeerCore
