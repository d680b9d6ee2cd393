import Foundation
import PeerTestSupport
import Testing

@testable import Diagnosis

@Suite struct ClockJudgementTests {
    private static let now: Int64 = 1_800_000_000
    private static let day: Int64 = 86_400

    @Test(arguments: [
        (ClockFacts(now: now), Finding.Code.clock), (ClockFacts(now: now, program: now + day), .clock),
        (ClockFacts(now: now, program: now + day + 1), .clockBehind), (ClockFacts(now: 0, program: now), .clockBehind),
        (ClockFacts(now: now, program: now - 9999 * day, store: now + 3 * day), .clockBehind),
        (ClockFacts(now: now, store: now - day), .clock), (ClockFacts(now: now, hardware: now + 14 * 3600), .clock),
        (ClockFacts(now: now, hardware: now - 3 * day), .clockDiffers),
        (ClockFacts(now: now, hardware: now + 3 * day), .clockDiffers),
        // Times from damaged files.
        (ClockFacts(now: now, program: .max), .clockBehind), (ClockFacts(now: .max, program: .min), .clock),
        (ClockFacts(now: .max, hardware: .min), .clockDiffers), (ClockFacts(now: .min, hardware: .max), .clockDiffers),
    ])
    func comparesTimes(clock: ClockFacts, code: Finding.Code) {
        let finding = Judgement.clock(clock)
        #expect(finding.code == code)
        #expect(finding.severity == (code == .clock ? .ok : .warning))
    }

    @Test func readsTheTimesOfFiles() async throws {
        try await TemporaryDirectory.with { directory in
            #expect(ClockFacts(reading: directory.url.path).store == nil)
            let later = Date(timeIntervalSinceNow: 30 * 86_400)
            for (name, date) in [("a", Date()), ("b", later), (".hidden", later.addingTimeInterval(86_400))] {
                let path = directory.path(name)
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
            let clock = ClockFacts(reading: directory.url.path)
            #expect(clock.store == Int64(later.timeIntervalSince1970))
            #expect(Judgement.clock(clock).code == .clockBehind)
        }
    }
}
