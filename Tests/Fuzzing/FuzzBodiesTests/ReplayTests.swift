import Foundation
import FuzzBodies
import Testing

/// Every input that is kept: the seeds of fuzzing, and all that ever failed.
@Suite(.timeLimit(.minutes(60))) struct ReplayTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var target: FuzzTarget
        var name: String
        var bytes: [UInt8]

        var testDescription: String { "\(target)/\(name)" }
    }

    /// The folder of a target's inputs.
    static func folder(_ target: FuzzTarget) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpus/\(target)")
    }

    static func inputs(_ target: FuzzTarget) throws -> [Input] {
        try FileManager.default.contentsOfDirectory(at: folder(target), includingPropertiesForKeys: nil)
            .map { Input(target: target, name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
            .sorted { $0.name < $1.name }
    }

    @Test(arguments: FuzzTarget.allCases) func everyInputIsReadOrRefused(target: FuzzTarget) throws {
        let inputs = try Self.inputs(target)
        #expect(inputs.count >= 5, "there must be inputs in \(Self.folder(target).path)")
        for input in inputs {
            #expect(throws: Never.self, "\(input.testDescription)") { try target.run(input.bytes) }
        }
    }

    @Test func everyFolderOfInputsHasATarget() throws {
        let corpus = Self.folder(.frames).deletingLastPathComponent()
        let folders = try FileManager.default.contentsOfDirectory(atPath: corpus.path)
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
