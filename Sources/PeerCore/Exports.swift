@_exported public import PeerProtocol
