import NIOCore
import Testing

@testable import PeerCore

@Suite struct WritePacingTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000)

    @Test func aShortWriteRightAfterAnotherWaits() {
        var pacing = WritePacing()
        #expect(pacing.pause(afterWriting: 100, at: start) == nil)
        #expect(pacing.pause(afterWriting: 100, at: start + .microseconds(10)) == .microseconds(100))
        // It counts from the end of the pause.
        #expect(pacing.pause(afterWriting: 100, at: start + .microseconds(190)) == .microseconds(100))
    }

    @Test func whatComesAfterAPauseDoesNotWait() {
        var pacing = WritePacing()
        for number in 0..<5 { #expect(pacing.pause(afterWriting: 100, at: start + .microseconds(100) * number) == nil) }
    }

    @Test func aLongWriteDoesNotWait() {
        var pacing = WritePacing()
        for _ in 0..<5 { #expect(pacing.pause(afterWriting: WritePacing.shortLength, at: start) == nil) }
    }
}
