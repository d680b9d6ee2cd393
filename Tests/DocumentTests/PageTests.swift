import Foundation
import Testing

/// Keeps the pages short, and what they name true.
@Suite struct PageTests {
    @Test(arguments: [("Design", 20_000), ("CLI", 35_000), ("Threats", 30_000)])
    func aPageIsReadToItsEnd(_ name: String, _ limit: Int) throws {
        #expect(
            try Repository.text("Docs/\(name).md").utf8.count <= limit,
            "Move what only one target needs to its page."
        )
    }

    @Test func cellsOfContributingFitOnTwoLines() throws {
        for line in try Repository.text("Docs/CONTRIBUTING.md").split(separator: "\n") where line.hasPrefix("|") {
            for cell in line.split(separator: "|") { #expect(cell.count <= 2 * 132, "\(cell)") }
        }
    }

    @Test func linksLeadSomewhere() throws {
        let catalogs = try Repository.targets().map { "Sources/\($0)/\($0).docc" }.filter(Repository.exists)
        let pages = try ["README.md"] + (["Docs"] + catalogs).flatMap { try Repository.paths(below: $0, suffix: ".md") }
        var count = 0
        for page in pages {
            let folder = page.split(separator: "/").dropLast().joined(separator: "/")
            for match in try Repository.text(page).matches(of: /\]\((?!http|doc:|mailto:)([^)#\s]*)#?([^)\s]*)\)/) {
                count += 1
                let path = match.1.isEmpty ? page : "\(folder)/\(match.1)"
                let exists = Repository.exists(path)
                #expect(exists, "\(page) links to \(match.1).")
                guard exists, !match.2.isEmpty, path.hasSuffix(".md") else { continue }
                let hasHeading = try Self.anchors(in: Repository.text(path)).contains(match.2.lowercased())
                #expect(hasHeading, "\(page) links to \(match.1)#\(match.2).")
            }
        }
        #expect(count > 100)
    }

    @Test func aTargetHasAPageThatNamesItsFolders() throws {
        let targets = try Repository.targets()
        #expect(targets.count >= 15)
        for target in targets {
            let page = try Repository.text(Self.page(of: target))
            #expect(page.hasPrefix("# Inside \(target)\n"))
            let named = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Rooms\n") } ?? ""
            let folders = Set(named.matches(of: /`([\w\/]+)\/`/).map { String($0.1) })
            // Catalogs of documentation are no rooms.
            let all = try Repository.paths(below: "Sources/" + target).filter { !$0.contains(".") }
            for folder in folders where !folder.hasPrefix("Sources/") && !folder.hasPrefix("Tests/") {
                #expect(all.contains { $0.hasSuffix("/" + folder) }, "\(target) has no folder \(folder).")
            }
            for path in all where path.split(separator: "/").count == 3 {
                let folder = path.split(separator: "/").last.map(String.init) ?? ""
                #expect(folders.contains(folder), "The page of \(target) does not name \(folder).")
            }
        }
    }

    @Test func typesThatPagesNameExist() throws {
        let declared = try Self.declaredTypes().union(
            FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources")
        )
        #expect(declared.count > 1000)
        for page in try ["Docs/Design.md"] + Repository.targets().map(Self.page) {
            for match in try Repository.text(page).matches(of: /`([A-Z]\w*[a-z]\w*)[.`]/) {
                let name = String(match.1)
                // Words of other programs begin like this, too: one capital letter is no type.
                guard name.count(where: \.isUppercase) > 1 else { continue }
                let exists = declared.contains(name)
                #expect(exists, "\(page) names \(name).")
            }
        }
    }

    /// The anchors that a page has for its headings.
    private static func anchors(in page: String) -> Set<String> {
        Set(
            page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" || $0 == " " }.lowercased().filter {
                    $0.isLetter || $0.isNumber || " -_".contains($0)
                }
                .replacing(" ", with: "-")
            }
        )
    }

    private static func page(of target: String) -> String { "Sources/\(target)/\(target).docc/Inside.md" }

    /// The names of all types of the code and its tests.
    private static func declaredTypes() throws -> Set<String> {
        let grep = Process()
        grep.executableURL = URL(fileURLWithPath: "/usr/bin/grep")
        let pattern = #"\b(struct|class|enum|actor|protocol|typealias) [A-Z]\w*"#
        grep.arguments = ["-rhoE", "--include=*.swift", pattern] + ["/Sources", "/Tests"].map { Repository.root + $0 }
        let output = Pipe()
        grep.standardOutput = output
        try grep.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return Set(lines.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
    }
}
