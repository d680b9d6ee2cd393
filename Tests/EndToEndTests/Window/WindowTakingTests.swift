import Foundation
import PeerTestSupport
import Testing

/// Taking maps in the window of a laptop on a cable, in a browser: from trusted machines, in parts, and when something is in the way.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WindowTakingTests {
    /// Anna, who sends, and Ben, who has the window.
    private static func with(
        _ network: TwoHosts.Network = .v4,
        _ body: (_ hosts: TwoHosts, _ anna: Laptop, _ ben: Laptop, _ directory: TemporaryDirectory) async throws -> Void
    ) async throws {
        try await TwoHosts.with(network, rate: "200mbit", repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let anna = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let ben = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await body(hosts, anna, ben, directory)
            }
        }
    }

    /// Lets Anna and Ben trust each other, without digits.
    private static func acquaint(_ anna: Laptop, _ ben: Laptop) async throws {
        try await ben.must("peers", "name", "Ben")
        for (one, other, name) in [(anna, ben, "Ben"), (ben, anna, "Anna")] {
            let id = try #require(try await other.must("peers").lines("thisMachine").first?["id"]?.string)
            try await one.must("peers", "trust", id, "--name", name)
        }
    }

    @Test func aSwitchKeepsTheMapsUpToDate() async throws {
        try await Self.with { _, anna, ben, directory in
            for (name, seed, day) in [("old", 1, "2020-01-01"), ("new", 2, "2026-06-01")] as [(String, UInt64, String)]
            {
                let more = "INSERT INTO metadata VALUES ('date', '\(day)')"
                try MapMaker.make(directory.path(name + ".mbtiles"), seed: seed, more: more)
            }
            try await anna.must("import", directory.path("old.mbtiles"))
            try await Self.acquaint(anna, ben)
            try await anna.send("Nordkette") { _ in
                let received = try await ben.run("receive", "Anna", "--yes", "--timeout", "300")
                #expect(received.code == 0, "\(received)")
            }
            try await anna.must("import", directory.path("new.mbtiles"), "--update", "Nordkette", "--yes")
            try await ben.window(in: .chromium) { page in
                let waiting = "Waiting for machines that you trust"
                try await page.click("#window-keep > summary")
                try await page.click(.role("switch", "Keep my maps up to date"))
                try await page.wait(for: waiting)
                try await anna.send("Nordkette") { _ in
                    try await page.wait(for: "Received Nordkette from Anna")
                    // It goes on when the page is loaded again, and still says what it did.
                    try await page.reload()
                    try await page.wait(for: "Keep my maps up to date · on")
                    try await page.click("#window-keep > summary")
                    try await page.wait(for: "Received Nordkette from Anna")
                    try await page.wait(for: waiting)
                    #expect(try await page.accessibilityProblems() == [])
                }
                try await page.click(.role("switch", "Keep my maps up to date"))
                try await page.wait(
                    until: "!document.querySelector('#window-keep > summary').textContent.includes('·')"
                )
                #expect(try await page.problems() == [])
            }
            try Example.expectSame(anna, ben)
        }
    }

    /// Of a long list, what is new is ticked, and the sizes of what is ticked are summed up.
    @Test func someOfFortyRegionsAreTaken() async throws {
        try await Self.with { _, anna, ben, directory in
            let paths = (0..<40).map { directory.path("\($0).mbtiles") }
            for (number, path) in paths.enumerated() {
                try MapMaker.make(path, name: "Valley \(number)", tiles: 4 + number % 12, seed: UInt64(number + 1))
            }
            let imported = try await anna.start(["import"] + paths + ["--format", "json"]) { await $0.ending() }
            #expect(imported.code == 0, "\(imported)")
            try await ben.must("import", paths[3])
            try await Self.acquaint(anna, ben)
            try await ben.window(in: .chromium, width: 360) { page in
                try await anna.send("--all") { _ in
                    try await page.click(.button("Receive a map"))
                    try await page.wait(for: "Anna (trusted) offers 40 regions")
                    try await page.wait(for: "39 of 40 chosen")
                    #expect(try await page.accessibilityProblems() == [])
                    #expect(try await page.evaluate("document.documentElement.scrollWidth <= innerWidth")?.bool == true)
                    try await page.click(.button("None"))
                    try await page.wait(for: "0 of 40 chosen")
                    try await page.click(.checkbox("“Valley 0”"))
                    try await page.click(.checkbox("“Valley 39”"))
                    try await page.wait(for: "2 of 40 chosen")
                    try await page.click(.button("Yes"))
                    try await page.wait(until: "!appWindow.isRunning")
                }
                #expect(try await page.problems() == [])
            }
            let names = try await ben.must("list").lines("region").compactMap { $0["name"]?.string }
            #expect(names.sorted() == ["Valley 0", "Valley 3", "Valley 39"])
        }
    }

    /// The strip along a route that Ben has in another region.
    @Test func aPartAlongAnOwnRouteIsTaken() async throws {
        try await Self.with { _, anna, ben, _ in
            try await Example.put(on: anna)
            try await ben.must("import", Example.map, "--name", "Mine", Example.gpxFiles[1])
            try await Self.acquaint(anna, ben)
            try await ben.window(in: .chromium, width: 360) { page in
                try await page.click(.button("Other ways"))
                try await page.wait(until: "document.querySelectorAll('#take-part option').length > 1")
                try await page.evaluate(
                    """
                    (() => {
                        const select = document.getElementById('take-part');
                        select.selectedIndex = [...select.options].findIndex((one) => one.text.startsWith('Arinsal'));
                        select.dispatchEvent(new Event('change'));
                        const slider = document.getElementById('take-width');
                        slider.value = 0;
                        slider.dispatchEvent(new Event('input'));
                    })()
                    """
                )
                try await page.wait(for: "Up to 250 m on each side of the route:")
                #expect(try await page.accessibilityProblems() == [])
                try await anna.send(Example.name) { _ in
                    try await page.click(.button("Receive a map"))
                    try await page.wait(for: "a part: 250 m along “Arinsal - Pic de Comapedrosa”")
                    try await page.click(.button("Yes"))
                    try await page.wait(for: "Received \(Example.name)")
                }
                #expect(try await page.problems() == [])
            }
            let regions = try await ben.must("list").lines("region")
            let part = try #require(regions.first { $0["name"]?.string == Example.name })
            let whole = try #require(regions.first { $0["name"]?.string == "Mine" })
            #expect(part["part"]?["within"]?.int == 250, "\(part)")
            let sizes = try [part, whole].map { try #require($0["mapSize"]?.int) }
            #expect(sizes[0] < sizes[1] / 2, "\(sizes)")
        }
    }

    @Test func aForgottenMachineIsComparedAgain() async throws {
        try await Self.with { _, anna, ben, _ in
            try await Example.put(on: anna)
            try await Self.acquaint(anna, ben)
            try await ben.window(in: .chromium) { page in
                try await page.click(.button("Machines you trust"))
                try await page.click(.button("Rename … Anna"))
                try await page.type("Annette", into: .field("Its name on this laptop"))
                try await page.click(.button("Rename"))
                try await page.wait(until: "document.querySelector('.machines .item-name').textContent === 'Annette'")
                try await anna.send(Example.name) { _ in
                    try await page.click(.button("Receive a map"))
                    try await page.wait(for: "Annette (trusted) offers")
                    #expect(try await page.text(of: "#window-question").contains("digits") == false)
                    try await page.click(.button("No"))
                    try await page.wait(for: "You declined; nothing was received.")

                    try await page.click(.button("Forget … Annette"))
                    try await page.wait(for: "you both compare digits again")
                    #expect(try await page.accessibilityProblems() == [])
                    try await page.click(.button("Forget"))
                    try await page.wait(for: "None yet.")
                    try await page.click(.button("Receive a map"))
                    try await page.wait(for: "see the same digits?")
                    try await page.click(.button("No"))
                    try await page.wait(for: "You declined; nothing was received.")
                }
                #expect(try await page.problems() == [])
            }
            #expect(try await ben.must("peers").lines("trustedPeer").isEmpty)
        }
    }

    /// A firewall is found, and what the window shows to copy opens it.
    @Test func theCommandToCopyMendsWhatIsFound() async throws {
        try await Self.with(.dual) { hosts, anna, ben, _ in
            try await Example.put(on: anna)
            try await hosts.shell(.b, DoctorTests.dropping("udp dport 5353", in: "input"))
            try await anna.send(Example.name) { running in
                try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                try await ben.window(in: .chromium) { page in
                    try await page.click(.button("Something does not work?"))
                    try await page.click(.button("Check this machine"))
                    try await page.wait(for: "UDP port 5353")
                    let command = try await page.text(of: "#window .warning code")
                    #expect(command.hasPrefix("sudo ") && command.hasSuffix(" doctor --open-firewall"), "\(command)")
                    try await page.click(.button("Copy \(command)"))
                    // Where the clipboard cannot be written, the command is selected.
                    let copied = "document.querySelector('#window .copy').textContent === 'Copied'"
                    let selected = "getSelection().toString() === '\(command)'"
                    try await page.wait(until: "\(copied) || \(selected)")
                    #expect(try await page.accessibilityProblems() == [])

                    try await hosts.shell(.b, String(command.dropFirst("sudo ".count)))
                    try await page.click(.button("Check this machine"))
                    try await page.wait(for: "Nothing stands in the way of sharing.")
                    // The way to one machine, by what it shows; and a stop.
                    let link = try #require(running.listening["link"]?.string)
                    try await page.wait(for: "Checking this machine: ended")
                    try await page.type(link, into: "#check-to")
                    try await page.click(.button("Check the way to it"))
                    try await page.wait(for: "Checking the way to another machine: ended")
                    try await page.wait(for: "Nothing stands in the way of sharing.")
                    try await page.click(.button("Check this machine"))
                    try await page.click(.button("Stop"))
                    try await page.wait(for: "Checking this machine: ended")
                    #expect(try await page.problems() == [])
                }
            }
        }
    }
}
