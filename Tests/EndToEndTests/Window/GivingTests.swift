import Foundation
import PeerTestSupport
import Testing

/// What the window sends: parts that are drawn, several maps, to several receivers, and to sticks.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct GivingTests {
    /// Runs a test with a window on one host, and the machine that receives on the other.
    private static func with(
        rate: String = "200mbit",
        _ body: (_ anna: Laptop, _ hosts: TwoHosts, _ directory: TemporaryDirectory) async throws -> Void
    ) async throws {
        try await TwoHosts.with(.v4, rate: rate, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let anna = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await body(anna, hosts, directory)
            }
        }
    }

    /// Opens the drawing of a part of the example region.
    private static func draw(on page: BrowserPage) async throws {
        try await page.click(.button("Send \(Example.name)"))
        try await page.click(.link("Send a part of the map …"))
        try await measured(page)
    }

    /// Waits until the page says how large the part is, and nothing newer is asked; returns the words.
    @discardableResult
    private static func measured(_ page: BrowserPage) async throws -> String {
        try await page.wait(
            until: """
                document.querySelector('#part .size')?.textContent.includes(' tiles')
                    && !view.tools.mode.isMeasuring
                """
        )
        return try await page.text(of: "#part .size")
    }

    /// Receives what the window sends, and answers its questions; returns what the store has then of the map.
    private static func receive(
        from page: BrowserPage,
        on receiver: Laptop
    ) async throws -> (region: JSONValue, said: String) {
        if try await page.evaluate("appWindow.isList && document.querySelector('#window-name').hidden")?.bool == true {
            try await page.name("Anna")
        }
        try await page.wait(for: "Sending a part of \(Example.name)")
        try await receiver.start(["receive", "--yes", "--timeout", "300", "--format", "json"]) { child in
            try await page.wait(for: "Send it to")
            try await page.click(.button("Yes"))
            let ending = await child.ending()
            #expect(ending.code == 0, "\(ending)")
        }
        try await page.wait(until: "document.querySelector('#window-receivers .received') !== null")
        let region = try #require(try await receiver.must("list").lines("region").first)
        let routing = try Data(contentsOf: URL(fileURLWithPath: Example.routing)).count
        let size = try #require(region["mapSize"]?.int) + routing
        return (region, try await page.evaluate("Words.size(\(size))")?.string ?? "")
    }

    /// The size that is said before is the size of what the other side has then.
    @Test func aRectangleHasTheSizeThatWasSaid() async throws {
        try await Self.with { anna, hosts, directory in
            try await Example.put(on: anna)
            try await anna.window(in: .chromium) { page in
                try await Self.draw(on: page)
                #expect(try await page.accessibilityProblems() == [])
                try await page.drag(over: .selector("#map"), along: [(0.4, 0.4), (0.5, 0.5), (0.6, 0.6)])
                let words = try await Self.measured(page)
                let drawn = try await page.evaluate("view.tools.mode.part.area")?.array.compactMap(\.double) ?? []
                try #require(drawn.count == 4 && drawn[0] < drawn[2] && drawn[1] < drawn[3], "\(drawn)")
                try await page.click(.button("Send this part"))
                try await page.wait(
                    until: "document.body.classList.contains('list-page') && appWindow.hasLooked === true"
                )
                let ben = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                let (region, size) = try await Self.receive(from: page, on: ben)
                #expect(words.hasPrefix("\(size) · "), "\(words) is not \(size)")
                #expect(words.contains("\(region["tiles"]?.int ?? 0) of "), "\(words): \(region)")
                let area = try #require(region["part"]?["area"])
                #expect(area["west"]?.double == drawn[0] && area["north"]?.double == drawn[3], "\(area)")
                #expect(try await page.problems() == [])
            }
        }
    }

    /// By keyboard alone, from the list to the transfer.
    @Test func aStripIsDrawnWithTheKeyboard() async throws {
        try await Self.with { anna, hosts, directory in
            try await Example.put(on: anna)
            try await anna.window(in: .chromium) { page in
                func go(to condition: String) async throws {
                    for _ in 0..<200 {
                        try await page.press("Tab")
                        if try await page.evaluate("Boolean((\(condition))(document.activeElement))")?.bool == true {
                            return
                        }
                    }
                    Issue.record("The focus does not come to \(condition).")
                }
                try await go(to: "(at) => at.matches('.send > summary')")
                try await page.press("Enter")
                try await go(to: "(at) => at.textContent.startsWith('Send a part')")
                try await page.press("Enter")
                try await page.wait(until: "document.activeElement.id === 'part-title'")
                try await Self.measured(page)
                // A rectangle, by its field and by its corner.
                try await go(to: "(at) => at.matches('#part input[type=number]')")
                let north = try await page.evaluate("view.tools.mode.edge('north')")?.double ?? 0
                try await page.press("ArrowDown", "ArrowDown")
                #expect(try await page.evaluate("view.tools.mode.edge('north')")?.double ?? 90 < north)
                #expect(try await Self.measured(page).contains(" of "))
                try await page.evaluate("document.querySelector('.part-handle').focus()")
                let edge = "Number(view.tools.mode.edge('west').toFixed(5))"
                let former = try await page.evaluate(edge)?.double
                let west = try #require(former)
                try await page.press("ArrowRight")
                #expect(try await page.evaluate(edge)?.double ?? 0 > west)
                // A strip: the choice of the form is one stop of the Tab key.
                try await page.evaluate("document.getElementById('part-title').focus()")
                try await go(to: "(at) => at.matches('#part input[type=radio]')")
                try await page.press("ArrowDown")
                try await go(to: "(at) => at.matches('#part input[type=range]')")
                for _ in 0..<5 { try await page.press("ArrowLeft") }
                let shown = try await page.evaluate("document.activeElement.getAttribute('aria-valuetext')")?.string
                #expect(shown == "300 m to each side")
                let words = try await Self.measured(page)
                try await go(to: "(at) => at.textContent === 'Send this part'")
                try await page.press("Enter")
                try await page.wait(
                    until: "document.body.classList.contains('list-page') && appWindow.hasLooked === true"
                )
                let ben = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                let (region, size) = try await Self.receive(from: page, on: ben)
                #expect(words.hasPrefix("\(size) · "), "\(words) is not \(size)")
                #expect(region["part"]?["within"]?.int == 300, "\(region)")
            }
        }
    }

    /// Two receivers at once and one that is refused: the table says so, also after the end.
    @Test func receiversAreShownAtAGlance() async throws {
        try await Self.with { anna, hosts, directory in
            for (name, seed) in [("Nordkette", 1), ("Karwendel", 2), ("Stubai", 3)] as [(String, UInt64)] {
                let path = directory.path(name)
                try MapMaker.make(path, name: name, tiles: 4, tileLength: 500_000, seed: seed)
                try await anna.must("import", path, "--name", name)
            }
            try await anna.window(in: .chromium, width: 360) { page in
                try await page.click(.selector("#window-several > summary"))
                try await page.click(.checkbox("Send Nordkette"))
                try await page.click(.checkbox("Send Stubai"))
                try await page.wait(for: "2 maps ticked in the list")
                #expect(try await page.accessibilityProblems() == [])
                try await page.click(.selector("#window-several .starter.action"))
                try await page.name("Anna")
                try await page.wait(for: "Sending 2 maps")
                // So slow that the first one is there when the second one comes.
                try await hosts.shape(rate: "1mbit")
                func receiving(_ name: String, _ body: (ChildProcess) async throws -> Void) async throws {
                    let laptop = Laptop(network: .host(hosts, .b), store: directory.path(name))
                    let wish = ["receive", "--yes", "--name", name, "--all", "--timeout", "300", "--format", "json"]
                    try await laptop.start(wish, body)
                }
                func answer(_ word: String, _ name: String) async throws {
                    try await page.wait(for: "Let “\(name)” pick?")
                    try await page.click(.button(word))
                }
                let rows = "[...document.querySelectorAll('#window-receivers tbody tr')].map((row) => row.className)"
                try await receiving("Ben") { ben in
                    try await answer("Yes", "Ben")
                    try await page.wait(
                        until: "(document.querySelector('#window-receivers .receives progress')?.value ?? 0) > 0"
                    )
                    try await receiving("Carla") { carla in
                        try await answer("Yes", "Carla")
                        try await page.wait(
                            until: "/^.\"receives\",\"(waits|receives)\".$/.test(JSON.stringify(\(rows)))"
                        )
                        try await receiving("Dora") { dora in
                            try await answer("No", "Dora")
                            #expect(await dora.ending().code != 0)
                        }
                        try await page.wait(
                            until: "document.querySelectorAll('#window-receivers tr.declined').length === 1"
                        )
                        #expect(try await page.accessibilityProblems() == [])
                        #expect(
                            try await page.evaluate("document.documentElement.scrollWidth <= innerWidth")?.bool == true
                        )
                        try await hosts.shape(rate: "200mbit")
                        #expect(await carla.ending().code == 0)
                    }
                    #expect(await ben.ending().code == 0)
                }
                let ended = #"["received","received","declined"]"#
                try await page.wait(until: "JSON.stringify(\(rows)) === '\(ended)'")
                try await page.click(.button("Stop"))
                try await page.wait(for: "no longer sending.")
                try await page.reload()
                try await page.wait(until: "JSON.stringify(\(rows)) === '\(ended)'")
            }
            for name in ["Ben", "Carla"] {
                #expect(try StoreContents(of: directory.path(name)).count("region") == 2)
            }
        }
    }

    /// The folder of the drives of this user, if the tests may make one.
    private static var drives: String? {
        let folder = "/media/\(NSUserName())"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return FileManager.default.isWritableFile(atPath: folder) ? folder : nil
    }

    /// Chooses a drive in a fold of the page, which is opened first.
    private static func chooseDrive(_ name: String, in fold: String, on page: BrowserPage) async throws {
        let isOpen = try await page.evaluate("document.querySelector('\(fold)').open")?.bool
        if isOpen != true { try await page.click(.selector("\(fold) > summary")) }
        try await page.wait(until: "document.querySelector('\(fold) .starter') !== null")
        try await page.evaluate(
            """
            [...document.querySelectorAll('\(fold) label')]
                .find((at) => at.textContent.replaceAll('\\u00a0', ' ').includes('\(name)')).click()
            """
        )
    }

    /// A stick that goes from window to window and back.
    @Test(.enabled(if: drives != nil, "Nothing can be put into /media."))
    func aMapGoesByStick() async throws {
        let name = "hikeshare test \(UUID().uuidString.prefix(8))"
        let stick = try #require(Self.drives) + "/" + name
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: stick) }
        try await TemporaryDirectory.with { directory in
            let (anna, ben) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: anna)
            try await anna.window(in: .chromium) { sending in
                try await ben.window(in: .chromium) { receiving in
                    func take() async throws {
                        try await Self.chooseDrive(name, in: "#window-start > .stick", on: receiving)
                        try await receiving.click(.button("Receive from the stick"))
                    }
                    try await take()
                    try await receiving.name("Ben")
                    try await receiving.wait(for: "Wrote a request")

                    try await sending.click(.button("Send \(Example.name)"))
                    try await Self.chooseDrive(name, in: "#regions .stick", on: sending)
                    #expect(try await sending.accessibilityProblems() == [])
                    try await sending.click(.button("Write to the stick"))
                    try await sending.name("Anna")
                    try await sending.wait(for: "for this machine?")
                    try await sending.click(.button("Yes"))
                    try await sending.wait(for: "Wrote “\(Example.name)”")

                    try await take()
                    try await receiving.wait(for: "Take it?")
                    try await receiving.click(.button("Yes"))
                    try await receiving.wait(for: "Received \(Example.name)")
                }
            }
            try Example.expectSame(anna, ben)
        }
    }
}
