import PeerCore
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct KindWordsTests {
    @Test func everyKindOfTheStoreHasWords() {
        #expect(ResourceKind.shown == ResourceKind.regionKinds)
        #expect(ResourceKind.files == ResourceKind.regionFiles)
    }

    @Test func noKindAndNoWordIsThereTwice() {
        #expect(Set(ResourceKind.regionKinds).count == ResourceKind.regionKinds.count)
        #expect(Set(KindWords.all.map(\.argument)).count == KindWords.all.count)
    }
}
