import Foundation
import PeerTestSupport
import Testing

/// The sheet of paper, and the picture of a file without scripts, with more waypoints than a map has room for.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PaperTests {
    /// A word of a page, and where it is.
    private struct Word {
        var text: String
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double

        func covers(_ other: Word) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    private static let count = 336

    /// Puts the example with many waypoints on a laptop: some alone, some in crowds, and some at one place.
    private static func put(on laptop: Laptop, in directory: TemporaryDirectory) async throws {
        var generator = SeededGenerator(seed: 53)
        let waypoints = (0..<count).map { index in
            let crowd = Double(index % 7)
            let spread = index.isMultiple(of: 3) ? 0.02 : index.isMultiple(of: 5) ? 0 : 0.002
            let latitude = 42.565 + crowd * 0.004 + Double.random(in: 0...1, using: &generator) * spread
            let longitude = 1.43 + crowd * 0.01 + Double.random(in: 0...1, using: &generator) * spread
            return #"<wpt lat="\#(latitude)" lon="\#(longitude)"><name>Q\#(index)</name></wpt>"#
        }
        let path = directory.path("many.gpx")
        let gpx = #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">"# + waypoints.joined()
        try (gpx + "</gpx>").write(toFile: path, atomically: true, encoding: .utf8)
        try await laptop.must("import", Example.map, "--name", Example.name, path)
    }

    /// The words of each page, as another program reads them.
    private static func pages(of path: String) async throws -> [[Word]] {
        let (status, output, _) = try await ChildProcess.with("pdftotext", ["-bbox", path, "-"]) { await $0.complete() }
        try #require(status == .exited(0), "\(status)")
        let parts = output.split { $0.contains("<page ") }.dropFirst()
        return parts.map { lines in
            lines.compactMap { line in
                guard
                    let match = line.firstMatch(of: /xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.+)<\/word>/)
                else { return nil }
                let numbers = [match.1, match.2, match.3, match.4].compactMap { Double($0) }
                guard numbers.count == 4 else { return nil }
                return Word(
                    text: String(match.5),
                    left: numbers[0],
                    top: numbers[1],
                    right: numbers[2],
                    bottom: numbers[3]
                )
            }
        }
    }

    private static func numbers(_ text: String) -> ClosedRange<Int>? {
        guard let match = text.wholeMatch(of: /([0-9]+)(?:–([0-9]+))?/), let first = Int(match.1) else { return nil }
        return first...(match.2.flatMap { Int($0) } ?? first)
    }

    @Test func eachNumberOnThePaperIsInItsLegend() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Self.put(on: laptop, in: directory)
            let path = directory.path("sheet.pdf")
            try await laptop.must("export", Example.name, "--pdf", path)
            let pages = try await Self.pages(of: path)
            #expect(pages.count == 3)
            let first = try #require(pages.first)
            // The legend is at the right; above the map is the title, and in its corner the scale.
            let legend = try #require(first.first { $0.text == "More" }).left
            let title = try #require(first.first { $0.text == "waypoints" })
            let scale = try #require(first.last { $0.text == "km" })
            let marks = first.filter { word in
                Self.numbers(word.text) != nil && word.left < legend && word.top > title.bottom
                    && abs(word.top - scale.top) + abs(word.right - scale.left) > 10
            }
            let shown = marks.compactMap { Self.numbers($0.text) }.flatMap { Array($0) }
            #expect(shown.sorted() == Array(1...Self.count))
            #expect(marks.count > 20 && marks.count < 200, "\(marks.count)")
            for (index, mark) in marks.enumerated() {
                #expect(!marks[..<index].contains(where: mark.covers), "\(mark)")
            }
            // Each number is in the legend once, beside one name.
            let names = pages.enumerated().map { index, words in
                words.filter { $0.text.hasPrefix("Q") && (index > 0 || $0.left >= legend) }
            }
            #expect(Set(names.joined().map(\.text)) == Set((0..<Self.count).map { "Q\($0)" }))
            let numbers = zip(pages, names).flatMap { words, names in
                names.flatMap { name in
                    words.filter { word in
                        (0...22).contains(name.left - word.right) && word.top < name.bottom && name.top < word.bottom
                    }.compactMap { Int($0.text) }
                }
            }
            #expect(numbers.sorted() == Array(1...Self.count))
        }
    }

    /// Without scripts, marks and names lie beside each other, and the list has each number.
    @Test(arguments: Browser.Engine.allCases)
    func thePictureWithoutScriptsCanBeRead(engine: Browser.Engine) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Self.put(on: laptop, in: directory)
            let path = directory.path("map.html")
            try await laptop.must("export", Example.name, "--html", path)
            let report = try await Browser.open(
                "file://" + path,
                width: 390,
                engine: engine,
                runsScripts: false,
                evaluating: [
                    """
                    (() => {
                        const boxes = (name) => [...document.querySelectorAll('.still-map ' + name)]
                            .map((each) => each.getBoundingClientRect());
                        // Firefox counts the edge that is drawn around a mark.
                        const edge = 2;
                        const covers = (one, other) => one.left + edge < other.right && other.left + edge < one.right
                            && one.top + edge < other.bottom && other.top + edge < one.bottom;
                        const [marks, texts] = [boxes('rect'), boxes('text')];
                        const pairs = (all) => all.flatMap(
                            (one, index) => all.slice(index + 1).filter((other) => covers(one, other)),
                        );
                        const most = Math.max(...texts.map((text) => marks.filter((mark) => covers(mark, text)).length));
                        return [marks.length, pairs(marks).length, pairs(texts).length, most];
                    })()
                    """,
                    "[...document.querySelectorAll('.still ol li')].map((each, index) => "
                        + "each.textContent.startsWith(`${index + 1}. Q`)).filter((isRight) => isRight).length",
                ]
            )
            let counts = report.values.first?.array.compactMap(\.int) ?? []
            try #require(counts.count == 4, "\(report)")
            #expect(counts[0] > 20 && counts[0] < 200 && Array(counts.dropFirst()) == [0, 0, 1], "\(counts)")
            #expect(report.values.last?.int == Self.count)
        }
    }
}
