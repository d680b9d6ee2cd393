// Applications that send or receive write sources, sinks and trust stores: `import PeerCore` is enough for them.
@_exported public import PeerProtocol
@_exported public import PeerStorage
