import LocalSend
import PeerTestSupport
import RegionSharing
import SharingTestSupport
import Testing
import WebServer

@testable import PhoneSharing

/// Many lists of files at once, which must not fill the memory.
@Suite(.timeLimit(.minutes(10))) struct ManyListsTests {
    private static let tracks = TestPhone.File("p.gpx", TakingBench.gpx())

    /// What is no list is refused as such only if it is read.
    @Test func whileAQuestionIsOpenNoOtherListIsRead() async throws {
        let person = PatientPerson { $0 is PhoneFilesQuestion }
        try await TakingBench.with(asked: person) { bench in
            let phone = try bench.phone()
            #expect(try await phone.prepare(json: [0x7B]).status == 400)
            async let first = phone.send([Self.tracks])
            try await bench.wait { person.isAsking }
            #expect(try await phone.prepare(json: [0x7B]).status == 409)
            person.answer(true)
            #expect(try await first == [200, 200])
            try await bench.settle()
            #expect(try await phone.prepare(json: [0x7B]).status == 400)
        }
    }

    @Test func fewListsAreReadAtOnce() async throws {
        struct Unreadable: Error {}
        try await TakingBench.with { bench in
            let taker = bench.taker
            // Each is given back, also after an error.
            for _ in 1...3 {
                #expect(nested(taker) == LocalSendLimits.listsReadAtOnce)
                #expect(throws: Unreadable.self) { try taker.reading { throw Unreadable() } }
            }
        }
    }

    /// Returns how many lists can be read while others are.
    private func nested(_ taker: LocalSendTaker) -> Int { taker.reading { 1 + nested(taker) } ?? 0 }
}
