import RegionModel

/// What is wrong with the bytes of an archive, in words that follow “is damaged: ”.
struct ArchiveFault: Error, Hashable {
    var what: String

    init(_ what: String) { self.what = what }

    /// Runs `body`, and names the archive in its faults.
    static func naming<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let fault as ArchiveFault { throw fault.error(name) }
    }

    /// The error for a person.
    func error(_ name: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "\(name) is damaged: \(what).", remedy: "Get a new copy of the file.")
    }
}

extension RegionStoreError {
    /// Returns the error for an archive with too many tiles.
    static func tooManyTiles(_ name: String, remedy: String) -> RegionStoreError {
        let limit = ArchiveLimits.tileCount / 1_000_000
        return RegionStoreError(.invalidFile, "\(name) has more than \(limit) million tiles.", remedy: remedy)
    }
}
