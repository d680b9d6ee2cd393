// Sources, sinks and trust stores use the types of PeerProtocol. So `import PeerStorage` is enough to write one.
@_exported public import PeerProtocol
