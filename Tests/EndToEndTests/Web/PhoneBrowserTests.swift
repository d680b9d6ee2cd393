import Foundation
import PeerTestSupport
import Testing

/// The page for phones in a browser: for everyone, in every state, and with what others may do to it.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PhoneBrowserTests {
    /// How far the page is wider than its window.
    private static let overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    /// What a finger may miss.
    private static let smallTargets = """
        [...document.querySelectorAll('a, button, input')].filter((element) => element.checkVisibility()).filter((element) => {
            const box = element.getBoundingClientRect();
            return box.width < 44 || box.height < 44;
        }).map((element) => element.outerHTML)
        """
    private static let listText = "document.getElementById('upload-files').innerText"
    private static let status = "document.getElementById('upload-state').textContent"

    /// Expects that everyone can use the page as it is.
    private static func expectForEveryone(_ page: BrowserPage, _ state: String) async throws {
        #expect(try await page.accessibilityProblems() == [], "\(state)")
        #expect(try await page.evaluate(overflow)?.int == 0, "\(state)")
        #expect(try await page.evaluate(smallTargets)?.array == [], "\(state)")
    }

    /// Chooses files, and sends them by keyboard.
    private static func send(_ paths: [String], _ page: BrowserPage) async throws {
        try await page.choose(paths, in: "#file")
        try await page.evaluate("document.getElementById('file').focus()")
        try await page.press("Tab", "Enter")
    }

    private static func write(_ text: String, _ name: String, _ directory: TemporaryDirectory) throws -> String {
        let path = directory.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func everyoneCanUseItInEveryState() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let track = try Self.write(UploadTests.gpx, "p.gpx", directory)
            let program = try Self.write("MZ", "x.exe", directory)
            try await UploadTests.send(on: laptop) { terminal, url in
                try await BrowserPage.with(url, width: 360) { page in
                    try await page.wait(until: "document.documentElement.dataset.ready === 'yes'")
                    try await Self.expectForEveryone(page, "idle")
                    try await page.setMedia(["prefers-color-scheme": "dark"])
                    try await Self.expectForEveryone(page, "dark")
                    for scheme in ["dark", "light"] {
                        try await page.setMedia(["forced-colors": "active", "prefers-color-scheme": scheme])
                        try await Self.expectForEveryone(page, "high contrast, \(scheme)")
                    }
                    try await page.setMedia(["forced-colors": "none"])
                    try await page.setSize(width: 720, zoom: 2)
                    try await Self.expectForEveryone(page, "200 %")
                    try await page.setSize(width: 360)
                    // The blocks of the first files do not arrive.
                    try await page.evaluate(
                        """
                        (() => {
                            const real = window.fetch;
                            window.heldBack = 1;
                            window.stops = [];
                            window.fetch = async (path, how) => {
                                if (how?.method === 'POST' && /[0-9]$/.test(path) && !path.includes('new') && window.heldBack) {
                                    await new Promise((_, fail) => how.signal.addEventListener('abort', fail));
                                }
                                const answer = await real(path, how);
                                if (path.endsWith('/stop')) window.stops.push(answer.status);
                                return answer;
                            };
                        })()
                        """
                    )
                    try await Self.send([track, program], page)
                    try await page.wait(until: Self.listText + ".includes('Sending … 0 bytes')")
                    try await Self.expectForEveryone(page, "sending")
                    #expect(try await page.evaluate(Self.status)?.string == "Sending p.gpx …")
                    // The buttons after the form stop one file each; first, that of the file that waits.
                    try await page.press("Tab", "Tab", "Enter")
                    try await page.wait(until: Self.listText + ".includes('You stopped it')")
                    #expect(
                        try await page.evaluate("document.activeElement.textContent")?.string?.hasPrefix("x.exe")
                            == true
                    )
                    try await page.evaluate("document.querySelector('#upload form button').focus()")
                    try await page.press("Tab", "Enter")
                    try await page.wait(until: "window.stops.length === 1 && \(Self.status).includes('added 0 of 2')")
                    #expect(try await page.evaluate("window.stops[0]")?.int == 200)
                    #expect(
                        try await page.evaluate("document.querySelectorAll('#upload-files button').length")?.int == 0
                    )
                    try await Self.expectForEveryone(page, "stopped")

                    try await page.evaluate("window.heldBack = 0")
                    for (key, words) in [("n", "said no."), ("y", "has it now.")] {
                        try await page.evaluate("document.getElementById('upload-files').replaceChildren()")
                        try await Self.send([track], page)
                        try await page.wait(until: Self.status + ".includes('asked now')")
                        try await Self.expectForEveryone(page, "asked")
                        try await terminal.wait { $0.hasSuffix("[y/N] ") }
                        try terminal.type(key + "\r")
                        try await page.wait(until: Self.listText + ".includes('\(words)')")
                        try await Self.expectForEveryone(page, words)
                    }
                    #expect(try await page.evaluate(Self.status)?.string == "The laptop has 1 file now.")
                    try await Self.send([program], page)
                    try await page.wait(until: Self.listText + ".includes('x.exe is not a map')")
                    // The words of the phone, and not of a terminal.
                    #expect(
                        try await page.evaluate(Self.listText)?.string?.contains(
                            "Choose a map, a track file or a photo."
                        ) == true
                    )
                    try await Self.expectForEveryone(page, "unusable")
                    #expect(try await page.problems() == [])
                }
            }
        }
    }

    @Test func withoutScriptsItHasItsFilesAndSaysWhatItLacks() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await UploadTests.send(on: laptop) { _, url in
                // Only the page with scripts says when all files are there.
                try await BrowserPage.with(url) { page in
                    _ = try await page.wait(until: "document.documentElement.dataset.ready === 'yes'")
                }
                try await BrowserPage.with(url, width: 360, runsScripts: false) { page in
                    for media in [["prefers-color-scheme": "dark"], ["forced-colors": "active"]] {
                        try await page.setMedia(media)
                        try await Self.expectForEveryone(page, "\(media)")
                    }
                    let words = try await page.evaluate("document.body.innerText")?.string ?? ""
                    for sentence in [
                        "1 recorded hike, 1 planned route, 46 waypoints", "The map for this phone",
                        "Everything as one ZIP",
                        "personal in it: 1 recorded hike", "This page is not encrypted",
                        "needs a browser that runs scripts",
                    ] {
                        #expect(words.contains(sentence), "\(sentence)")
                    }
                    let files = try await page.evaluate(
                        "[...document.querySelectorAll('a[download]')].map((link) => link.href)"
                    )
                    let links = files?.array.compactMap(\.string) ?? []
                    #expect(links.count == 6)
                    for link in links {
                        #expect(try await Curl.answer("--head", link).first == "HTTP/1.1 200 OK\r", "\(link)")
                    }
                }
            }
        }
    }

    /// No name changes the page, or makes it wider than the phone.
    @Test(arguments: [true, false]) func namesAreTextOnly(runsScripts: Bool) async throws {
        let names = [
            "</script><img src=x onerror=pwned=1>\"'", "Huts \u{202E}gnp.exe", String(repeating: "W", count: 100),
            String(repeating: "Very long ", count: 10) + "end", "🏔️👨‍👩‍👧 Berg & \"Tal\"",
        ]
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            for (index, name) in names.enumerated() {
                let path = directory.path("\(index).mbtiles")
                try MapMaker.make(path, seed: UInt64(index + 1))
                try await laptop.must("import", path, "--name", name)
            }
            try await laptop.sendWithPage("--all") { sender in
                try await BrowserPage.with(sender.url, width: 320, runsScripts: runsScripts) { page in
                    try await Self.expectForEveryone(page, "list")
                    try await page.setMedia(["forced-colors": "active"])
                    try await Self.expectForEveryone(page, "list in high contrast")
                    try await page.setMedia(["forced-colors": "none"])
                    let shown = "[...document.querySelectorAll('main a')].map((link) => link.textContent)"
                    let listed = try await page.evaluate(shown)?.array.compactMap(\.string) ?? []
                    let expected = names.map { $0.replacing("\u{202E}", with: "\\u{202e}") }
                    #expect(Set(listed) == Set(expected))
                    let links = try await page.evaluate(
                        "[...document.querySelectorAll('main a')].map((link) => link.href)"
                    )
                    for link in links?.array.compactMap(\.string) ?? [] {
                        try await page.open(link)
                        try await Self.expectForEveryone(page, link)
                        let title = try await page.evaluate("document.querySelector('h1').textContent")?.string ?? ""
                        #expect(expected.contains(title))
                        #expect(try await page.evaluate("typeof pwned")?.string == "undefined")
                        #expect(try await page.evaluate("document.images.length")?.int == 0)
                    }
                    #expect(try await page.problems() == [])
                }
            }
        }
    }

    @Test func namesOfFilesAreTextOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let names = [
                "<img src=x onerror=pwned=1>.exe", "photo\u{202E}gpj.exe", String(repeating: "W", count: 240) + ".exe",
            ]
            let paths = try names.map { try Self.write("MZ", $0, directory) }
            try await UploadTests.send(on: laptop) { _, url in
                try await BrowserPage.with(url, width: 320) { page in
                    try await page.wait(until: "document.documentElement.dataset.ready === 'yes'")
                    try await Self.send(paths, page)
                    try await page.wait(until: Self.status + ".includes('added 0 of 3')")
                    let items = "[...document.querySelectorAll('#upload-files li')].map((item) => item.textContent)"
                    let texts = try await page.evaluate(items)?.array.compactMap(\.string) ?? []
                    #expect(texts.count == names.count)
                    for (text, name) in zip(texts, names) {
                        let shown = name.replacing("\u{202E}", with: "\\u{202e}")
                        #expect(text.hasPrefix("\(shown)\(shown) is not a map"), "\(text)")
                        #expect(!text.contains("\u{202E}"))
                    }
                    #expect(try await page.evaluate("typeof pwned")?.string == "undefined")
                    try await Self.expectForEveryone(page, "names")
                    #expect(try await page.problems() == [])
                }
            }
        }
    }

    /// Somebody who knows the address, and shows a page of their own to the phone, cannot send in its name.
    @Test func aPageOfAnotherOriginSendsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await UploadTests.send(on: laptop) { _, url in
                let ids = ["fetch", "cors", "referrer", "beacon", "form"].map { $0 + String(repeating: "0", count: 16) }
                let paths = ids.map { url + "uploads/\($0)/new/9" }
                let other = """
                    <!doctype html><html data-ready="yes"><title>Other</title>
                    <form method="post" enctype="text/plain" target="answer" action="\(paths[4])"><input name="a" value="b"></form>
                    <iframe name="answer"></iframe>
                    """
                _ = try Self.write(other, "index.html", directory)
                let server = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", directory.path("")]
                try await ChildProcess.with("python3", server) { child in
                    let line = try await child.waitForOutput { $0.contains(" port ") }
                    let port = try #require(line.firstMatch(of: /port (\d+)/)?.output.1)
                    try await BrowserPage.with("http://127.0.0.1:\(port)/") { page in
                        try await page.evaluate(
                            """
                            (async () => {
                                const send = (path, how) => fetch(path, { method: 'POST', body: 'a.gpx', ...how }).catch(() => {});
                                await send('\(paths[0])', { mode: 'no-cors' });
                                await send('\(paths[1])', {});
                                await send('\(paths[2])', { mode: 'no-cors', referrerPolicy: 'no-referrer' });
                                navigator.sendBeacon('\(paths[3])', 'a.gpx');
                                const frame = document.querySelector('iframe');
                                const loaded = new Promise((done) => { frame.onload = done; });
                                document.querySelector('form').submit();
                                await loaded;
                                await fetch('\(url)share.json', { mode: 'no-cors' }).catch(() => {});
                            })()
                            """
                        )
                        // The browser has sent them; it tells nothing of the answers to a beacon and a form.
                        var told = ""
                        while !ids.prefix(3).allSatisfy(told.contains) {
                            told = try await page.problems().joined()
                        }
                        // Nothing of it can be read, either.
                        let read = "fetch('\(url)share.json').then(() => 'read', () => 'refused')"
                        #expect(try await page.evaluate(read)?.string == "refused")
                    }
                }
                for id in ids {
                    #expect(try await Curl.answer(url + "uploads/" + id).first == "HTTP/1.1 404 Not Found\r", "\(id)")
                }
                // Programs and old browsers, which say nothing of an origin, do the same with success.
                let answer = try await Curl.answer("--data-binary", "a.gpx", paths[0])
                #expect(answer.first == "HTTP/1.1 200 OK\r")
            }
        }
    }
}
