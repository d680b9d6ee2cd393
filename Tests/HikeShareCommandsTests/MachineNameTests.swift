import PeerTestSupport
import Testing

@testable import HikeShareCommands

@Suite(.timeLimit(.minutes(10))) struct MachineNameTests {
    @Test func areTwoWordsOfTheLists() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let name = MachineName.random(using: &generator)
            let adjective = name.prefix { $0 != " " }
            #expect(MachineName.adjectives.contains(String(adjective)), "\(name)")
            #expect(MachineName.animals.contains(String(name.dropFirst(adjective.count + 1))), "\(name)")
        }
    }

    @Test func differFromTimeToTime() {
        let names = Set((0..<100).map { _ in MachineName.random() })
        #expect(names.count > 80)
    }

    @Test func haveWordsThatAreEquallyLikely() {
        #expect(MachineName.adjectives.count == 64)
        #expect(MachineName.animals.count == 64)
        #expect(Set(MachineName.adjectives).count == 64)
        #expect(Set(MachineName.animals).count == 64)
    }
}
