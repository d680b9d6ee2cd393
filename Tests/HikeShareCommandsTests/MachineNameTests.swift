import Testing

@testable import HikeShareCommands

@Suite struct MachineNameTests {
    @Test func staysTheSameForAnID() {
        #expect(MachineName.make(for: Sample.peerID(1)) == MachineName.make(for: Sample.peerID(1)))
    }

    @Test func differsBetweenMachines() {
        let names = Set((0...99).map { MachineName.make(for: Sample.peerID($0)) })
        #expect(names.count > 90)
    }

    @Test func hasWordsThatAreEquallyLikely() {
        #expect(MachineName.adjectives.count == 64)
        #expect(MachineName.animals.count == 64)
        #expect(Set(MachineName.adjectives).count == 64)
        #expect(Set(MachineName.animals).count == 64)
    }
}
