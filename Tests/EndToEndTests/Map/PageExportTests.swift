import Foundation
import GRDB
import PeerTestSupport
import Testing

/// The export to one HTML file, opened from the disk.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PageExportTests {
    @Test func theFileShowsTheMapFromTheDisk() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("map.html")
            let line = try #require(
                try await laptop.must("export", Example.name, "--html", path).lines("exported").first
            )
            #expect(line["content"]?.string == "html" && line["file"]?.string == path)
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            #expect(line["size"]?.int == size)
            // The store is not needed any more.
            try FileManager.default.removeItem(atPath: directory.path("a"))
            let report = try await Browser.open(
                "file://" + path,
                evaluating: [
                    Browser.tiles, "document.title", "document.getElementById('navigation')",
                    "document.querySelectorAll('#panel li').length",
                    "document.querySelectorAll('#panel li button')[1].click(), document.querySelector('.profile svg').tagName",
                    // A hike as a GPX file, made of the data of the page.
                    """
                    (() => {
                        const [line] = view.data.lines;
                        const made = new DOMParser().parseFromString(gpx(line), 'application/xml');
                        const points = [...made.querySelectorAll('trk > trkseg > trkpt')];
                        const heights = points.map((point) => Number(point.querySelector('ele').textContent));
                        const ends = [heights[0] - line.profile[0][1], heights.at(-1) - line.profile.at(-1)[1]];
                        return [made.querySelector('trk > name').textContent === line.name,
                            points.length === line.segments[0].length / 2, ends.every((end) => Math.abs(end) < 0.2)];
                    })()
                    """,
                    "view.map.setView([42.59, 1.46], 14, { animate: false }), view.address.write(), location.hash",
                ],
                pixels: Browser.places(along: "hike")
            )
            #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
            #expect(report.values[0].int ?? 0 >= 4 && report.values[1].string == Example.name)
            #expect(report.values[2] == .null && report.values[3].int == 48 && report.values[4].string == "svg")
            #expect(report.values[5] == .array([.bool(true), .bool(true), .bool(true)]), "\(report.values)")
            // The middle of the map is between two points of the screen.
            let address = try #require(report.values[6].string?.wholeMatch(of: /#14\/(.+)\/(.+)\/[0-9a-f]{12}/))
            let (latitude, longitude) = (Double(address.1) ?? 0, Double(address.2) ?? 0)
            #expect(abs(latitude - 42.59) < 0.001 && abs(longitude - 1.46) < 0.001, "\(address.0)")
            #expect(report.hues > 1_000)
        }
    }

    /// As the engine of Safari opens the file, and as iPhones show it from their own files: without scripts.
    @Test func theFileOpensInWebKitAndWithoutScripts() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("map.html")
            try await laptop.must("export", Example.name, "--html", path)
            let map = try await Browser.open("file://" + path, engine: .webKit, evaluating: [Browser.tiles])
            #expect(map.ready == "yes" && map.values.first?.int ?? 0 >= 2 && map.hues > 1_000, "\(map)")
            for engine in Browser.Engine.allCases {
                let still = try await Browser.open("file://" + path, width: 390, engine: engine, runsScripts: false)
                // The picture of the map has many colours.
                #expect(still.ready == nil && still.hues > 5_000 && still.problems.isEmpty, "\(still)")
            }
        }
    }

    @Test func changedDataRunNoScripts() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("map.html")
            try await laptop.must("export", Example.name, "--html", path, "--max-zoom", "12")
            let page = try String(contentsOfFile: path, encoding: .utf8)
            let changed = page.replacing(
                "<body",
                with: "<script>document.title = 'pwned'; window.pwned = 1</script><body"
            )
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
            let report = try await Browser.open("file://" + path, evaluating: ["typeof pwned"])
            #expect(report.ready == "yes" && report.values.first?.string == "undefined")
        }
    }

    @Test func aFileWithoutAMapIsNotSilentlyOne() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let other =
                "UPDATE metadata SET value = 'tiff' WHERE name = 'format'; UPDATE tiles SET tile_data = x'49492A00'"
            try MapMaker.make(directory.path("v.mbtiles"), more: other)
            try await laptop.must("import", directory.path("v.mbtiles"))
            let words = try await laptop.tell("export", "Nordkette", "--html", directory.path("1.html"))
            #expect(words.code == 0 && words.output.last?.hasPrefix("It has no map") == true, "\(words)")
            let line = try await laptop.must("export", "Nordkette", "--html", directory.path("2.html")).lines(
                "exported"
            ).first
            #expect(line?["hasTiles"]?.bool == false)
        }
    }

    @Test func aRegionThatIsTooLargeIsRefusedWithAWayOut() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try MapMaker.makeLarge(directory.path("l.mbtiles"))
            let queue = try DatabaseQueue(path: directory.path("l.mbtiles"))
            try await queue.write {
                try $0.execute(sql: "INSERT INTO tiles VALUES (11, 1088, 1328, x'89504E470D0A1A0A')")
            }
            try queue.close()
            try await laptop.must("import", directory.path("l.mbtiles"))
            let path = directory.path("map.html")
            let ending = try await laptop.run("export", "Great Traverse", "--html", path, "--max-zoom", "12")
            #expect(ending.code == 64 && !FileManager.default.fileExists(atPath: path), "\(ending)")
            let problem = try ending.problem()
            #expect(problem["message"]?.string?.contains("50.0 MB") == true, "\(problem)")
            #expect(problem["remedy"]?.string?.contains("--max-zoom 11") == true, "\(problem)")
            try await laptop.must("export", "Great Traverse", "--html", path, "--max-zoom", "11")
            // Without a zoom level, it chooses one that fits.
            let words = try await laptop.tell("export", "Great Traverse", "--html", directory.path("phone.html"))
            #expect(words.code == 0 && words.output.contains("It does not have zoom 12."), "\(words)")
            let wrong = try await laptop.run("export", "Great Traverse", "--html", path, "--max-zoom", "16")
            #expect(wrong.code == 64, "\(wrong)")
            #expect(try wrong.problem()["remedy"]?.string == "Its map has zooms 11-12.")
        }
    }
}
