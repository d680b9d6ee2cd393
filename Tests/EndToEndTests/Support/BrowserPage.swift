import Foundation
import PeerTestSupport
import Testing

/// A page that stays open in a browser, used as a person uses it: clicks, types, and waits for what appears.
///
/// Each step waits until it can be done; only a hang takes as long as ``Duration/patience``. A step that fails says which words are on
/// the page. The browser runs on the machine of a ``Laptop``, because the pages of the program are for browsers of that machine alone.
final class BrowserPage: Sendable {
    /// What a step is about.
    enum Target: ExpressibleByStringLiteral, Sendable {
        /// The first element of a CSS selector that is shown.
        case selector(String)
        /// An element of this role whose name is, or begins with, this one.
        case role(String, String)

        init(stringLiteral value: String) { self = .selector(value) }

        static func button(_ name: String) -> Target { .role("button", name) }

        static func checkbox(_ name: String) -> Target { .role("checkbox", name) }

        static func field(_ name: String) -> Target { .role("textbox", name) }

        static func link(_ name: String) -> Target { .role("link", name) }

        fileprivate var value: Any {
            switch self {
            case .selector(let selector): selector
            case .role(let role, let name): [role, name]
            }
        }
    }

    private let child: ChildProcess
    private let count = Locked(0)

    private init(_ child: ChildProcess) { self.child = child }

    /// Opens an address until `body` returns.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - engine: The browser.
    ///   - laptop: The machine on which it runs; nil for that of the tests.
    ///   - width: The width of the page.
    ///   - height: The height of the page.
    ///   - isDark: Whether the desktop prefers dark colours.
    ///   - runsScripts: Whether the page may run scripts; if not, nothing is waited for but the page.
    ///   - body: What is done on the page.
    /// - Returns: What `body` returned.
    /// - Throws: If the browser cannot be started, or the page is not shown, and what `body` throws.
    @discardableResult
    static func with<Result>(
        _ url: String,
        in engine: Browser.Engine = .chromium,
        on laptop: Laptop? = nil,
        width: Int = 1200,
        height: Int = 760,
        isDark: Bool = false,
        runsScripts: Bool = true,
        _ body: (BrowserPage) async throws -> Result
    ) async throws -> Result {
        var arguments = [Place.repository + "/Tests/Browser", "--steps", "--engine", engine.rawValue]
        arguments += ["--width", "\(width)", "--height", "\(height)"]
        arguments += ["--patience", "\(Duration.patience.components.seconds)"]
        if isDark { arguments.append("--dark") }
        if !runsScripts { arguments.append("--no-scripts") }
        let machine = laptop ?? Laptop(store: "")
        return try await machine.beside("python3", arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"]) { child in
            do {
                let page = BrowserPage(child)
                try await page.open(url)
                let result = try await body(page)
                // It removes its profile.
                let ending = await child.ending()
                #expect(ending.code == 0, "\(ending)")
                return result
            } catch {
                _ = await child.ending()
                throw error
            }
        }
    }

    /// Opens another address, and waits until the page says that it is ready; returns the seconds that this took.
    @discardableResult
    func open(_ url: String) async throws -> Double {
        let result = try await perform("open", ["url": url])
        // The page for phones is ready only in part while its files are made.
        try #require(result["value"] != .string("failed"), "\(result)")
        return result["seconds"]?.double ?? 0
    }

    /// Loads the page again.
    func reload() async throws { _ = try await perform("reload") }

    /// Waits until an expression in JavaScript is true, and returns its value.
    @discardableResult
    func wait(until expression: String) async throws -> JSONValue {
        try await perform("until", ["expression": expression])["value"] ?? .null
    }

    /// Waits until the page shows some words.
    func wait(for words: String) async throws {
        let text = String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
        try await wait(until: "document.body.innerText.includes(\(text))")
    }

    /// Evaluates an expression in JavaScript; waits for a promise.
    @discardableResult
    func evaluate(_ expression: String) async throws -> JSONValue? {
        try await perform("evaluate", ["expression": expression])["value"]
    }

    /// Returns the words of an element.
    func text(of selector: String) async throws -> String {
        try await evaluate("document.querySelector('\(selector)').innerText")?.string ?? ""
    }

    /// Clicks an element when it is shown and can be used.
    func click(_ target: Target) async throws { _ = try await perform("click", ["at": target.value]) }

    /// Clicks an element that opens a dialog of the browser, and answers: `true`, `false`, or the text that is typed.
    func click(_ target: Target, answering dialog: Any) async throws {
        _ = try await perform("click", ["at": target.value, "dialog": dialog])
    }

    /// Types a text in the place of what is in a field.
    func type(_ text: String, into target: Target) async throws {
        _ = try await perform("type", ["at": target.value, "text": text])
    }

    /// Presses keys: `Tab`, `Enter`, `Space`, `Escape`, arrows and the like, a character, or keys together as `Shift+Tab`.
    func press(_ keys: String...) async throws { _ = try await perform("press", ["keys": keys]) }

    /// Chooses files in a field for files.
    func choose(_ paths: [String], in target: Target) async throws {
        _ = try await perform("choose", ["at": target.value, "paths": paths])
    }

    /// Drops files on an element.
    func drop(_ paths: [String], on target: Target) async throws {
        _ = try await perform("drop", ["at": target.value, "paths": paths])
    }

    /// Drags the mouse over an element, along places that are fractions of its width and height.
    func drag(over target: Target, along places: [(Double, Double)]) async throws {
        _ = try await perform("drag", ["at": target.value, "along": places.map { [$0.0, $0.1] }])
    }

    /// Moves a finger over an element as ``drag(over:along:)`` does the mouse, in Chromium only.
    func touch(_ target: Target, along places: [(Double, Double)]) async throws {
        let along = places.map { [$0.0, $0.1] }
        _ = try await perform("drag", ["at": target.value, "along": along, "finger": true])
    }

    /// Sets the size of the window, in its own pixels, and the zoom of the page, which WebKitGTK cannot change.
    func setSize(width: Double, height: Double = 760, zoom: Double = 1) async throws {
        _ = try await perform("size", ["width": width, "height": height, "zoom": zoom])
    }

    /// Sets features of media, such as `forced-colors`, which WebKitGTK takes from the desktop when it starts.
    func setMedia(_ features: [String: String]) async throws { _ = try await perform("media", ["features": features]) }

    /// Lets the person read other languages, as in `de-AT,de;q=0.9`; pages that are opened from then on are in them, in Chromium only.
    func setLanguage(_ list: String) async throws { _ = try await perform("language", ["tag": list]) }

    /// What axe finds in the page as it is now, one text each; of a page that is right, nothing.
    func accessibilityProblems() async throws -> [String] {
        try await perform("axe")["value"]?.array.compactMap(\.string) ?? []
    }

    /// Waits for a file that the page has saved, whose name has this pattern; returns its path.
    func download(_ pattern: String) async throws -> String {
        try #require(try await perform("download", ["name": pattern])["value"]?.string)
    }

    /// Writes a picture of the page.
    func screenshot(_ file: String) async throws { _ = try await perform("screenshot", ["file": file]) }

    /// Errors and warnings of the console so far; WebKitGTK tells of none.
    func problems() async throws -> [String] {
        (try await perform("problems")["value"]?.array ?? []).compactMap(\.string)
    }

    private func perform(_ step: String, _ fields: [String: Any] = [:]) async throws -> JSONValue {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let message = fields.merging(["id": number, "do": step]) { _, new in new }
        let line = try JSONSerialization.data(withJSONObject: message)
        try child.write(String(decoding: line, as: UTF8.self) + "\n")
        let answer = try JSONValue(parsing: try await child.waitForOutput { $0.hasPrefix(#"{"id": \#(number),"#) })
        if let failure = answer["failure"]?.string {
            throw ChildProcess.Failure(
                description: "\(message): \(failure). The page:\n\(answer["page"]?.string ?? "")"
            )
        }
        return answer
    }
}

extension Laptop {
    /// Starts another program on the machine, and kills it if it still runs when `body` has returned.
    func beside<Result>(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let watched: (ChildProcess) async throws -> Result = { child in
            try await Self.impatiently(child) { try await body(child) }
        }
        switch network {
        case .own: return try await ChildProcess.with(executable, arguments, environment: environment, watched)
        case .loopback(let avahi):
            return try await avahi.run(executable, arguments, environment: environment, watched)
        case .managed(let manager):
            return try await manager.run(executable, arguments, environment: environment, watched)
        case .host(let hosts, let side):
            return try await hosts.run(on: side, executable, arguments, environment: environment, watched)
        case .member(let host):
            return try await host.run(executable, arguments, environment: environment, watched)
        }
    }
}
