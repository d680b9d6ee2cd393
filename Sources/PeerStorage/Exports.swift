// A source, a sink or a trust store is written in the types of PeerProtocol, so `import PeerStorage` is enough for one.
@_exported public import PeerProtocol
