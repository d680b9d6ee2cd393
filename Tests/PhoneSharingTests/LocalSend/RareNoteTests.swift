import Testing

@testable import PhoneSharing

@Suite struct RareNoteTests {
    @Test func itIsSaidOnceAMinute() {
        let now = ContinuousClock.now
        var note = RareNote()
        #expect(
            [0, 0, 59, 60, 61, 119, 120].map { note.isDue(at: now + .seconds($0)) }
                == [true, false, false, true, false, false, true]
        )
    }
}
