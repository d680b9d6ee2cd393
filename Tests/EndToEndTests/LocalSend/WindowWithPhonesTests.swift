import Foundation
import PeerTestSupport
import Testing

/// The window with phones that have LocalSend: what is sent to them, and what comes from them.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WindowWithPhonesTests {
    // The page writes other apostrophes than people type.
    private static let phone = "Pixel"
    private static let question = "document.getElementById('window-question')"

    /// Begins to send the example region to phones.
    private static func send(on page: BrowserPage) async throws {
        try await page.click(.button("Send \(Example.name)"))
        try await page.click(.button("Start sending"))
        try await page.name("Ana")
    }

    /// Waits for a question with words, and presses a button below it.
    private static func answer(_ button: String, to words: String, on page: BrowserPage) async throws {
        try await page.wait(until: "!\(question).hidden && \(question).innerText.includes('\(words)')")
        try await page.click(.button(button))
    }

    /// Waits until the row of a phone has a state, and returns its words.
    private static func row(_ state: String, on page: BrowserPage) async throws -> String {
        try await page.wait(until: "document.querySelector('#window-receivers .\(state)') !== null")
        return try await page.text(of: "#window-receivers .\(state)")
    }

    @Test func aPhoneGetsTheMapAndIsKnownThen() async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone(Self.phone) { phone in
                try await hosts.laptop.window(in: .chromium) { page in
                    try await Self.send(on: page)
                    try await page.wait(for: "“\(phone.name)” (LocalSend, new)")
                    #expect(try await page.accessibilityProblems() == [])
                    try await page.click(.button("Send to “\(phone.name)”"))
                    try await Self.answer("No", to: "Send them to phones, too?", on: page)
                    try await phone.answer(true)
                    #expect(try await Self.row("received", on: page).contains("has Coma-Pedrosa.html"))
                    try await Self.answer("OK", to: "Its name:", on: page)
                    try await page.wait(
                        until:
                            "document.querySelector('#window-phones bdi')?.textContent === '“\(phone.name)” (LocalSend)'"
                    )
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "received", "\(result)")
                    #expect(try Array(phone.files.keys) == ["Coma-Pedrosa.html"])
                    #expect(try await page.problems() == [])
                }
            }
        }
    }

    @Test func aPhoneWithAPINGetsWhatWasChosen() async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone(Self.phone, pin: "314159") { phone in
                try await hosts.laptop.window(in: .chromium) { page in
                    try await Self.send(on: page)
                    try await page.wait(for: "Phones nearby")
                    try await page.evaluate(
                        """
                        (() => {
                            const select = document.querySelector('#window-phones select');
                            select.value = [...select.options].find((each) => each.text.startsWith('Routes')).value;
                        })()
                        """
                    )
                    try await page.click(.button("Send to “\(phone.name)”"))
                    try await Self.answer("No", to: "Send them to phones, too?", on: page)
                    for (words, pin) in [("wants a PIN", "271828"), ("That PIN was wrong", "314159")] {
                        try await page.wait(until: "\(Self.question).innerText.includes('\(words)')")
                        try await page.type(pin, into: .selector("#window-question input"))
                        try await page.click(.button("OK"))
                    }
                    try await phone.answer(true)
                    #expect(try await Self.row("received", on: page).contains("has Coma-Pedrosa.gpx"))
                    #expect(try await page.evaluate("document.body.innerText.includes('314159')")?.bool == false)
                    #expect(try Array(phone.files.keys) == ["Coma-Pedrosa.gpx"])
                }
            }
        }
    }

    @Test func whatAPhoneGetsIsStoppedInItsRow() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            try await hosts.addMap(megabytes: 20)
            try await hosts.phone(Self.phone) { phone in
                try await hosts.laptop.window(in: .chromium) { page in
                    try await page.click(.button("Send Nordkette"))
                    try await page.click(.button("Start sending"))
                    try await page.name("Ana")
                    try await page.click(.button("Send to “\(phone.name)”"))
                    try await phone.answer(true)
                    try await phone.passes(500_000)
                    _ = try await Self.row("receives", on: page)
                    try await page.click(.button("Stop sending to “\(phone.name)”"))
                    #expect(try await Self.row("stopped", on: page).contains("stopped: "))
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "recv_cancelled", "\(result)")
                    #expect(try phone.files.isEmpty)
                }
            }
        }
    }

    @Test(arguments: [true, false]) func aPhoneSendsToAWindowThatDoesNothing(isTaken: Bool) async throws {
        try await PhoneHosts.withOne { hosts in
            let gpx = UploadTests.gpx.replacing("From a phone", with: "From Anna")
            let file = try hosts.file("hut.gpx", Data(gpx.utf8))
            try await hosts.phone(Self.phone) { phone in
                try await hosts.laptop.window(in: .chromium) { page in
                    try await page.click(.button("Send \(Example.name)"))
                    try await page.evaluate("(window.shownBefore = document.querySelector('.send[open]')) !== null")
                    // Nobody has chosen a name.
                    try await phone.finds("hikeshare")
                    try await phone.send([file], to: "hikeshare")
                    try await page.wait(for: "A phone asks")
                    #expect(try await page.accessibilityProblems() == [])
                    try await Self.answer(isTaken ? "Yes" : "No", to: "“hut.gpx”", on: page)
                    if isTaken {
                        try await Self.answer("Yes", to: "Add this to", on: page)
                        try await page.wait(for: "1 waypoint")
                        // The region is shown anew, as open as it was, and the page stays where it is.
                        try await page.wait(until: "!shownBefore.isConnected")
                        try await page.wait(until: "document.querySelector('.send').open")
                        try await Self.answer("Do not remember it", to: "Its name:", on: page)
                    }
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == (isTaken ? "sent" : "declined"), "\(result)")
                    try await page.wait(until: "document.getElementById('window').hidden")
                    #expect(try await page.evaluate("scrollY")?.int == 0)
                    #expect(try await page.evaluate("document.getElementById('window-came').hidden")?.bool == false)
                    #expect(try await page.problems() == [])
                }
            }
            let labels = try await hosts.laptop.must("show", Example.name).lines("waypoint").map { $0["label"]?.string }
            #expect(labels.contains("From Anna") == isTaken)
        }
    }

    /// The list of senders stays open until one comes.
    @Test func aPhoneSendsWhileTheWindowWaitsForASender() async throws {
        try await PhoneHosts.withOne { hosts in
            let file = try hosts.file("hut.gpx", Data(UploadTests.gpx.utf8))
            try await hosts.phone(Self.phone) { phone in
                try await hosts.laptop.window(in: .chromium) { page in
                    try await page.click(.button("Receive a map"))
                    try await page.name("Ana")
                    try await phone.finds("Ana")
                    try await phone.send([file], to: "Ana")
                    try await Self.answer("No", to: "“hut.gpx”", on: page)
                    #expect(try await phone.result()["kind"]?.string == "declined")
                    #expect(try await page.text(of: "#window-title") == "Receiving a map …")

                    // What comes after the end is above what is left of the job.
                    #expect(try await page.text(of: "main h2") == "Receiving a map …")
                    try await page.click(.button("Stop"))
                    try await page.wait(for: "Receiving a map: ended")
                    #expect(try await page.text(of: "main h2") == "Receiving a map: ended")
                    try await page.evaluate(
                        """
                        (async () => {
                            const state = await appWindow.read('state/0');
                            appWindow.isOver = true;
                            const line = { number: 1000, time: '2026-07-01T10:00:00Z', text: { blocks: [] } };
                            state.phones.lines.push(line);
                            appWindow.show(state);
                        })()
                        """
                    )
                    #expect(try await page.text(of: "main h2") == "From phones")
                }
            }
        }
    }
}
