import NearbyPeers
import Testing

/// What an application gets by `import NearbyPeers` alone.
@Suite struct ExportTests {
    @Test func oneImportIsEnough() {
        #expect(PeerServiceType("chat")?.description == "_chat._tcp")
    }
}
