import Foundation
import PeerCore
import Testing

@Suite struct PeerErrorTests {
    /// What Foundation and frameworks above it show of any error.
    @Test func itsWordsAreThoseThatAnyErrorIsShownWith() throws {
        let error: any Error = PeerError(.busy, "The kitchen is closed.", remedy: "Come back at six.")
        #expect(error.localizedDescription == "The kitchen is closed.")
        #expect((error as? any LocalizedError)?.recoverySuggestion == "Come back at six.")
        #expect("\(error)" == "busy: The kitchen is closed. Come back at six.")
    }

    @Test func itsCauseAloneMakesNoDifference() {
        let error = PeerError(.declined, "No.", remedy: "Ask.", refusalCode: "full")
        #expect(error == PeerError(.declined, "No.", remedy: "Ask.", refusalCode: "full", cause: CancellationError()))
        #expect(error != PeerError(.declined, "No.", remedy: "Ask."))
        #expect(error != PeerError(.busy, "No.", remedy: "Ask.", refusalCode: "full"))
        #expect(error.saying("Yes.") == PeerError(.declined, "Yes.", remedy: "Ask.", refusalCode: "full"))
        #expect(error.advising(nil) == PeerError(.declined, "No.", refusalCode: "full"))
    }

    /// The page of the codes has one list for sessions and one for transfers.
    @Test(arguments: PeerError.Code.all) func eachCodeIsInAList(_ code: PeerError.Code) throws {
        let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = project + "/Sources/PeerCore/PeerCore.docc/PeerErrorCodes.md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let parts = page.components(separatedBy: "\n## Topics\n")
        #expect(parts.first?.contains("\n| ``\(code)`` |") == true)
        #expect(parts.last?.contains("\n- ``\(code)``\n") == true)
    }
}
