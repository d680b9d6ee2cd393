import Testing

@testable import MapPages

@Suite struct UploadRefusalsTests {
    private static let now = ContinuousClock.now

    /// A full table: the first client has the oldest fault.
    private static func full(refusedByPerson: Bool) -> UploadRefusals {
        var refusals = UploadRefusals()
        for number in 0..<UploadRefusals.maximumClients {
            if refusedByPerson {
                refusals.refused("\(number)", at: now)
            } else {
                refusals.unusable("\(number)", at: now)
            }
        }
        return refusals
    }

    @Test func faultsOfManyClientsDoNotKeepOutOthers() {
        var refusals = Self.full(refusedByPerson: false)
        refusals.unusable("0", at: Self.now)
        #expect(refusals.takesFiles(of: "new", at: Self.now))
        refusals.refused("new", at: Self.now)
        #expect(refusals.faults(of: "1") == 0, "the oldest gives way")
        #expect(refusals.faults(of: "0") == 2 && refusals.faults(of: "2") == 1)
        refusals.refused("new", at: Self.now)
        #expect(!refusals.takesFiles(of: "new", at: Self.now))
    }

    @Test func whomAPersonHasRefusedIsNotForgotten() {
        let refusals = Self.full(refusedByPerson: true)
        #expect(!refusals.takesFiles(of: "new", at: Self.now + .seconds(86400)))
    }

    @Test func onlyFaultsLapse() {
        var refusals = UploadRefusals()
        for _ in 0..<UploadRefusals.maximumFaults {
            for client in ["a", "b"] { refusals.unusable(client, at: Self.now) }
        }
        refusals.refused("b", at: Self.now)
        #expect(!refusals.takesFiles(of: "a", at: Self.now + .seconds(599)))
        #expect(!refusals.takesFiles(of: "a"), "nothing lapses without a time")
        let later = Self.now + .seconds(600)
        #expect(refusals.takesFiles(of: "a", at: later) && !refusals.takesFiles(of: "b", at: later))
        refusals.unusable("a", at: later)
        #expect(refusals.faults(of: "a") == 1 && refusals.takesFiles(of: "a", at: later))
    }
}
