/// Why something that was to be shared was not, as a value without words.
///
/// Errors of the libraries below (`PeerError`, `RegionStoreError`, `NetworkManagerError`) keep their types.
public protocol SharingError: Error, Sendable {}
