import Foundation
import Testing

/// Compares the examples in the documentation with code that is compiled: the application of Tests/PackageTests, which sees what an
/// application outside the package sees.
@Suite struct ExampleTests {
    @Test(arguments: ["PeerStorage", "PeerCore", "RegionStore", "RegionSharing"])
    func examplesAreCompiled(_ library: String) throws {
        let code = try Self.withoutSpace(Repository.code(below: "Tests/PackageTests/Application/Sources/Application"))
        var count = 0
        for path in try Repository.paths(below: "Sources/" + library)
        where path.hasSuffix(".swift") || path.hasSuffix(".md") {
            for example in try Self.examples(in: Repository.text(path)) {
                count += 1
                let isCompiled = code.contains(Self.withoutSpace(example))
                #expect(isCompiled, "\(path): Copy this example to Tests/PackageTests/Application:\n\(example)")
            }
        }
        #expect(count > 0)
    }

    /// The Swift examples of a page, or of the comments of a file; without imports, and without lines of a manifest.
    private static func examples(in text: String) -> [String] {
        var (examples, example): ([String], [String]?) = ([], nil)
        for line in text.split(separator: "\n") {
            let code = line.trimmingCharacters(in: .whitespaces.union(["/"]))
            switch code {
            case "```swift": example = []
            case "```": (examples, example) = (examples + [(example ?? []).joined(separator: "\n")], nil)
            case _ where !code.hasPrefix("import "): example?.append(String(line.trimmingPrefix(/\ *\/\/\//)))
            default: break
            }
        }
        return examples.filter { !$0.isEmpty && !$0.hasPrefix(".executableTarget") }
    }

    private static func withoutSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
