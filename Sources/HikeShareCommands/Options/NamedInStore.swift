import RegionStore

extension RegionStore {
    /// Finds the region that a person names on the command line.
    ///
    /// - Throws: ``RegionStoreError``, which says how to list the regions if none matches.
    func region(named text: String, isExact: Bool = false) throws -> RegionSummary {
        do {
            return try region(matching: text, isExact: isExact)
        } catch var error as RegionStoreError where error.code == .notFound {
            error.remedy = ProgramRemedy.forRegion(isExact: isExact, isStoreEmpty: try regions().isEmpty)
            throw error
        }
    }

    /// Does something with the trusted machine that a person names on the command line.
    ///
    /// - Throws: The error of `body`, which says how to list the machines if none matches.
    func withTrustedPeers<Result>(_ body: (TrustedPeers) throws -> Result) throws -> Result {
        do {
            return try body(trustedPeers)
        } catch var error as RegionStoreError where error.code == .notFound {
            error.remedy = ProgramRemedy.forTrustedPeer
            throw error
        }
    }
}
