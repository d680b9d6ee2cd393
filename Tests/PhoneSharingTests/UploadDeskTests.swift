import Dispatch
import Testing

@testable import PhoneSharing

/// In which order files of phones are examined.
@Suite(.timeLimit(.minutes(10))) struct UploadDeskTests {
    private struct TooMany: Error {}

    /// What a person has agreed to may take long.
    @Test func aLongExaminationHoldsUpNoOtherFile() async throws {
        let (desk, other) = (UploadDesk(), DispatchSemaphore(value: 0))
        async let long = desk.examineAgreed { _ in
            other.wait()
            return 1
        }
        let short = try await desk.examine { _ in
            other.signal()
            return 2
        }
        #expect(try await long == 1 && short == 2)
    }

    @Test func theErrorOfAnExaminationIsPassedOnAndTheNextOneBegins() async throws {
        let desk = UploadDesk()
        await #expect(throws: TooMany.self) { try await desk.examine { _ in throw TooMany() } }
        #expect(try await desk.examine { _ in 1 } == 1)
    }
}
