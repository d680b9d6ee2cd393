import PeerTestSupport
import Testing

/// The window in each browser, from the list of maps to a map on the other laptop.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WindowInBrowsersTests {
    @Test(arguments: Browser.Engine.allCases) func aMapGoesFromWindowToWindow(engine: Browser.Engine) async throws {
        try await TwoHosts.with(.v4, rate: "200mbit", repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let anna = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let ben = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: anna)
                try await anna.window(in: engine) { sending in
                    try await ben.window(in: engine, width: 360) { receiving in
                        try await Self.send(Example.name, from: sending, to: receiving)
                        #expect(try await sending.problems() == [])
                        #expect(try await receiving.problems() == [])
                    }
                }
                try Example.expectSame(anna, ben)
            }
        }
    }

    private static func send(
        _ region: String,
        from sending: BrowserPage,
        to receiving: BrowserPage
    ) async throws {
        try await receiving.wait(for: "You have no maps yet.")
        try await sending.click(.button("Send \(region)"))
        try await sending.click(.button("Start sending"))
        try await sending.name("Anna")
        try await sending.wait(for: "Sending \(region)")

        try await receiving.click(.button("Receive a map"))
        try await receiving.name("Ben")
        try await sending.wait(for: "Send it to")
        try await receiving.wait(for: "must show the same digits:")
        let digits = [try await sending.digits(), try await receiving.digits()]
        #expect(digits[0] != nil && digits[0] == digits[1])
        try await sending.click(.button("Yes"))
        try await receiving.wait(for: "Take it?")
        // By keyboard alone: the question has the focus. Its choices come first, then Yes.
        try await receiving.wait(until: "document.activeElement.id === 'window-question'")
        let focused = "document.activeElement.type === 'checkbox' ? 'choice' : document.activeElement.textContent"
        var passed: [String] = []
        repeat {
            try await receiving.press("Tab")
            passed.append(try await receiving.evaluate(focused)?.string ?? "")
        } while passed.last == "choice"
        #expect(passed.count > 1 && passed.last == "Yes", "\(passed)")
        try await receiving.press("Enter")
        try await sending.wait(for: "has received")

        try await receiving.wait(for: "Received \(region)")
        #expect(try await receiving.evaluate("document.documentElement.scrollWidth <= innerWidth")?.bool == true)
        try await receiving.click(.link("Show the map"))
        try await receiving.wait(until: "document.documentElement.dataset.ready === 'yes' && \(Browser.tiles) > 0")
        #expect(try await receiving.text(of: "h1").contains(region))
        try await sending.click(.button("Stop"))
        try await sending.wait(for: "no longer sending.")
    }
}

extension Laptop {
    /// Opens the window in a browser until `body` returns.
    func window<Result>(
        in engine: Browser.Engine,
        width: Int = 1000,
        _ body: (BrowserPage) async throws -> Result
    ) async throws -> Result {
        try await map(nil, ["--window", "--no-browser"]) { _, url in
            try await BrowserPage.with(url, in: engine, on: self, width: width) { try await body($0) }
        }
    }
}

extension BrowserPage {
    /// The digits that are compared.
    fileprivate func digits() async throws -> String? {
        try await text(of: "#window").firstMatch(of: /\d \d \d\s+\d \d \d/).map { String($0.0) }
    }

    /// Answers the question for the name of this machine.
    func name(_ name: String) async throws {
        let field = Target.field("What should others call you?")
        try await type(name, into: field)
        try await click(.button("OK"))
        try await wait(until: "document.querySelector('#window-lines .given')?.textContent === '\(name)'")
    }
}
