import Foundation
import PeerTestSupport
import Testing

/// A headless browser that opens one page.
enum Browser {
    /// The browsers.
    enum Engine: String, CaseIterable {
        case chromium
        /// WebKitGTK, the engine family of Safari.
        case webKit = "webkit"
        case firefox
    }

    /// What it found.
    struct Report {
        /// What the page says of itself: `yes` when everything is drawn.
        var ready: String?
        /// The results of the expressions.
        var values: [JSONValue]
        /// The colours around each place, as `#rrggbb`.
        var colors: [[String]]
        /// The number of different colours in the screenshot.
        var hues: Int
        /// Errors and warnings of the console, and requests that failed; none of WebKit.
        var problems: [String]
    }

    /// Opens an address, waits until the page is ready, evaluates expressions, and looks at a screenshot.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - width: The width of the window.
    ///   - isDark: Whether the desktop prefers dark colours.
    ///   - engine: The browser.
    ///   - runsScripts: Whether the page may run scripts; if not, nothing is waited for but the page.
    ///   - expressions: Expressions in JavaScript, evaluated in their order.
    ///   - pixels: An expression that returns places on the screen.
    /// - Returns: What was found.
    /// - Throws: If the browser cannot be started.
    static func open(
        _ url: String,
        width: Int = 1200,
        isDark: Bool = false,
        engine: Engine = .chromium,
        runsScripts: Bool = true,
        evaluating expressions: [String] = [],
        pixels: String? = nil
    ) async throws -> Report {
        var arguments = [Place.repository + "/Tests/Browser", url, "--width", "\(width)"]
        arguments += ["--engine", engine.rawValue]
        if isDark { arguments.append("--dark") }
        if !runsScripts { arguments.append("--no-scripts") }
        for expression in expressions { arguments += ["--evaluate", expression] }
        if let pixels { arguments += ["--pixels", pixels] }
        // It gives up by itself before that.
        return try await ChildProcess.with("python3", arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"]) {
            child in
            let ending = await child.ending()
            try #require(ending.code == 0, "\(ending)")
            let report = try JSONValue(parsing: try #require(ending.output.last, "\(ending)"))
            try #require(report["failure"] == nil, "\(ending)")
            return Report(
                ready: report["ready"]?.string,
                values: report["values"]?.array ?? [],
                colors: (report["colors"]?.array ?? []).map { $0.array.compactMap(\.string) },
                hues: report["hues"]?.int ?? 0,
                problems: (report["problems"]?.array ?? []).compactMap(\.string)
            )
        }
    }

    /// An expression for places on the screen along a line of a kind, `hike` or `planned`.
    static func places(along kind: String) -> String {
        """
        (() => {
            const box = document.getElementById('map').getBoundingClientRect();
            const line = view.data.lines.find((line) => line.kind === '\(kind)').segments[0];
            const step = 2 * Math.max(1, Math.floor(line.length / 60));
            const places = [];
            for (let index = 0; index + 1 < line.length; index += step) {
                const place = view.map.latLngToContainerPoint([line[index], line[index + 1]]);
                places.push([box.left + place.x, box.top + place.y]);
            }
            return places;
        })()
        """
    }

    /// Whether all tiles are complete images, and how many there are; 0 if one is not.
    static let tiles = """
        (() => {
            const tiles = [...document.querySelectorAll('.leaflet-tile img')];
            return tiles.every((tile) => tile.complete && tile.naturalWidth === 256) ? tiles.length : 0;
        })()
        """
}

extension Laptop {
    /// Shows a map until `body` returns; it is called with the address.
    func map<Result>(
        _ region: String? = nil,
        _ arguments: [String] = ["--no-browser"],
        environment: [String: String?] = [:],
        _ body: (ChildProcess, String) async throws -> Result
    ) async throws -> Result {
        let line = ["map"] + (region.map { [$0] } ?? []) + arguments + ["--format", "json"]
        return try await start(line, environment: environment) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"map""#) }
            let result = try await body(child, try #require(try JSONValue(parsing: line)["url"]?.string))
            child.kill(SIGINT)
            let ending = await child.ending()
            #expect(ending.code == 130, "\(ending)")
            return result
        }
    }
}
