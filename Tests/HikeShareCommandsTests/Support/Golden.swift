import Foundation
import SharingReports
import Testing

/// Expected screens, as text files in the folder Screens/Expected.
///
/// To write the files anew, run the tests with `HIKESHARE_WRITE_SCREENS=1`, and look at the difference.
enum Golden {
    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Screens/Expected")

    /// Expects that a screen is the one in the file of that name.
    static func expect(
        _ screen: String,
        is name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appendingPathComponent(name + ".txt")
        let text = screen + "\n"
        if ProcessInfo.processInfo.environment["HIKESHARE_WRITE_SCREENS"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? "(there is no file \(file.path))\n"
        #expect(
            text == expected,
            "\(name) has changed. Expected:\n\(expected)Now:\n\(text)",
            sourceLocation: sourceLocation
        )
    }
}
