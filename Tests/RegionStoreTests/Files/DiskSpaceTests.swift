import Testing

@testable import RegionStore

/// The room on a disk, and what is said if it is too little.
@Suite struct DiskSpaceTests {
    private static let disk: UInt64 = 100 << 30

    @Test func sizesOfDisksCanBeRead() throws {
        for (need, available, words) in [
            (1, 2_000_000, ["1.2 GB free", "1.2 GB stays", "; 2 MB available"]),
            (200_000_000_000_000, 73_182_000_000, ["200001.2 GB free", "; 73.2 GB available"]),
            (.max, 999_000_000, ["18446744073.8 GB free", "; 999 MB available"]),
            (.max, 999_000_001, ["; 1.0 GB available"]),
        ] as [(UInt64, UInt64, [String])] {
            let error = #expect(throws: RegionStoreError.self) {
                try DiskSpace.check(need, of: (available, Self.disk), remedy: "")
            }
            for part in words { #expect(error?.message.contains(part) == true, "\(part): \(error?.message ?? "")") }
        }
        try DiskSpace.check(1_000_000, of: (2 << 30, Self.disk), remedy: "")
    }
}
