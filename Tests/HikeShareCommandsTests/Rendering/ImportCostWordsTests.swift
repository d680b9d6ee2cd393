import RegionSharing
import RegionStore
import SharingReports
import Testing

@testable import HikeShareCommands

/// What a person is told of an import that takes long.
@Suite struct ImportCostWordsTests {
    @Test func whatItTakesIsToldInWords() {
        let run = ImportCost(tileCount: 49_999_999, contentSize: 8, fileSize: 262)
        #expect(
            run.words.string
                == "It has up to 49999999 tiles. To import it takes about 3 minutes, and up to 2.80 GB of the disk."
        )
        let unknown = ImportCost(tileCount: nil, contentSize: 3_000_000_000, fileSize: 3_000_000_000)
        #expect(
            unknown.words.string == "To import it takes about 20 s, and up to 3.00 GB of the disk."
        )
    }
}
