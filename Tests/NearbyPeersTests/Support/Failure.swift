import NearbyPeers

/// The error that something throws; nil if it succeeds.
func failure(of body: () async throws(PeerError) -> Void) async -> PeerError? {
    do throws(PeerError) {
        try await body()
        return nil
    } catch {
        return error
    }
}
