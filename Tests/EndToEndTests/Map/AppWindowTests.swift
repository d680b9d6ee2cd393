import Foundation
import PeerTestSupport
import Testing

/// The window of the program: receiving and sending in a browser.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct AppWindowTests {
    @Test func aMapIsReceivedAndSentInIt() async throws {
        try await TwoHosts.with(.v4, rate: "200mbit", repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let anna = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let ben = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try MapMaker.make(directory.path("n.mbtiles"), tiles: 8, tileLength: 500_000)
                try await anna.must("import", directory.path("n.mbtiles"))
                try await ben.window { window in
                    try await anna.send("Nordkette", ["--name", "Anna"]) { running in
                        try await Self.receive(in: window, from: running, on: hosts)
                    }
                    try Example.expectSame(anna, ben)
                    try await Self.send(
                        in: window,
                        of: ben,
                        to: Laptop(network: anna.network, store: directory.path("c"))
                    )
                }
            }
        }
    }

    /// A no, a stop in the middle, and going on.
    private static func receive(
        in window: AppWindowClient,
        from sender: RunningSender,
        on hosts: TwoHosts
    ) async throws {
        try await window.post("receive")
        try await window.answer("Ben", to: "What should others call you?")
        #expect(try await window.question(with: "Take it?").contains("“Anna”"))
        #expect(try await window.post("receive") == 409)
        let digits = try await window.state()["question"]?.digits
        try await window.answer("n", to: "same digits?")
        #expect(try await window.ended().contains("You declined; nothing was received."))
        let told = try await sender.child.waitForOutput { $0.contains(#""type":"invitation""#) }
        #expect(try digits != nil && JSONValue(parsing: told)["digits"]?.string == digits)

        // The link is slow, so that the transfer goes on when it is stopped, also on a busy machine.
        try await hosts.shape(rate: "1mbit")
        try await window.post("receive")
        try await window.answer("y", to: "Take it?")
        _ = try await window.wait { ($0["fraction"]?.double ?? 0) > 0.02 }
        #expect(try await window.post("stop") == 200)
        let stopped = try await window.ended()
        #expect(stopped.contains("Interrupted; the region is not complete."), "\(stopped)")
        #expect(stopped.contains("Nordkette") && stopped.contains(" MB"), "\(stopped)")
        try await hosts.shape(rate: "200mbit")

        try await window.post("receive")
        try await window.answer("y", to: "Take it?")
        let received = try await window.ended()
        #expect(received.contains("Received Nordkette"), "\(received)")
    }

    private static func send(in window: AppWindowClient, of sender: Laptop, to receiver: Laptop) async throws {
        let id = try #require(try await sender.must("list").lines("region").first?["id"]?.string)
        #expect(try await window.post("send", #"{"regions":["\#(id)"]}"#) == 200)
        _ = try await window.wait { AppWindowClient.words($0["lines"]).contains("Sending Nordkette") }
        let arguments = ["receive", "--yes", "--timeout", "300", "--format", "json"]
        try await receiver.start(arguments) { child in
            let question = try await window.question(with: "Send it to")
            let digits = try await window.state()["question"]?.digits
            let told = try await child.waitForOutput { $0.contains(#""type":"pairing""#) }
            #expect(try digits != nil && JSONValue(parsing: told)["digits"]?.string == digits, "\(question)")
            try await window.answer("y", to: "Send it to")
            let received = await child.ending()
            #expect(received.code == 0, "\(received)")
        }
        _ = try await window.wait { AppWindowClient.words($0["lines"]).contains("has received") }
        #expect(try await window.post("stop") == 200)
        #expect(try await window.ended().contains("Interrupted; no longer sending."))
    }

    @Test func onlyItsOwnPageOfThisUserBeginsAnything() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.window { window in
                let port = try #require(URL(string: window.url)?.port)
                let own = "Origin: http://127.0.0.1:\(port)"
                let json = "Content-Type: application/json"
                let receive = window.url + "window/receive"
                for (headers, url, status) in [
                    ([json], receive, "403"), (["Origin: http://evil.example", json], receive, "403"),
                    (["Origin: null", json], receive, "403"),
                    ([own, "Sec-Fetch-Site: cross-site", json], receive, "403"),
                    (["Origin: http://localhost:\(port)", json], receive, "403"),
                    ([own, "Content-Type: text/plain"], receive, "400"), ([own], receive, "400"),
                    ([own, json, "Host: evil.example:\(port)"], receive, "421"),
                    ([own, json], "http://127.0.0.1:\(port)/window/receive", "404"),
                    ([own, json], window.url + "regions.json", "405"),
                ] {
                    let fields = headers.flatMap { ["--header", $0] }
                    let ending = try await Curl.run(["--include", "--data-binary", "{}"] + fields + [url])
                    #expect(ending.output.first?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(headers): \(ending)")
                }
                let request = ["--include", "--header", own, "--header", json, "--data-binary", "{}", receive]
                let foreign = try await Curl.run(request, asNobody: true)
                #expect(foreign.output.first == "HTTP/1.1 403 Forbidden\r", "\(foreign)")
                let long = String(repeating: " ", count: 20_000)
                #expect(try await window.post("receive", long) == 413)
                #expect(try await window.state()["job"]?.int == 0)
            }
        }
    }

    @Test func aSecondStartIsTheSameWindow() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let start = ["map", "--window", "--no-browser", "--format", "json"]
            try await laptop.start(start) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"map""#) }
                let first = try #require(try JSONValue(parsing: line)["url"]?.string)
                try await laptop.start(start) { second in
                    let ending = await second.ending()
                    #expect(ending.status == .exited(0) && ending.output.first == line, "\(ending)")
                }
                // Another store has a window of its own.
                let other = Laptop(store: directory.path("b"))
                try await other.start(start) { child in
                    let line = try await child.waitForOutput { $0.contains(#""type":"map""#) }
                    #expect(try JSONValue(parsing: line)["url"]?.string != first)
                }
            }
            // The place of a window that was closed is free.
            try await laptop.start(start) { child in
                _ = try await child.waitForOutput { $0.contains(#""type":"map""#) }
            }
        }
    }

    @Test func inTheBrowserAPersonSeesAndAnswers() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await laptop.start(["map", "--window", "--no-browser", "--format", "json"]) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"map""#) }
                let url = try #require(try JSONValue(parsing: line)["url"]?.string)
                let until = """
                    const until = async (condition) => {
                        while (!condition()) await new Promise((done) => { setTimeout(done, 20); });
                    };
                    const question = document.getElementById('window-question');
                    """
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "document.getElementById('empty').hidden",
                        // A log has lines, and a list has items.
                        """
                        [...document.querySelectorAll('ol, ul')].filter((list) => list.role).length === 0
                            && !!document.querySelector('[role=log][aria-label] > ol#window-lines')
                        """,
                        // The field of the question gets the focus, and has a name.
                        """
                        (async () => { \(until)
                            document.querySelector('#window-start .starter').click();
                            await until(() => !question.hidden);
                            const field = question.querySelector('input');
                            return [document.activeElement === field, field.ariaLabel, field.value.length > 0];
                        })()
                        """,
                        """
                        (async () => { \(until)
                            question.querySelector('input').value = 'Ben';
                            question.querySelector('form').requestSubmit();
                            await until(() => question.hidden);
                            return document.querySelector('#window-lines .given').textContent;
                        })()
                        """,
                        // Without discovery in this network, or when it is stopped.
                        """
                        (async () => { \(until)
                            document.getElementById('window-stop').click();
                            await until(() => document.querySelector('#window-lines .problem'));
                            await until(() => document.getElementById('window-stop').hidden);
                            return document.querySelector('#window-start .starter').disabled;
                        })()
                        """,
                        "document.documentElement.scrollWidth <= innerWidth",
                        // Without an answer, the page says what to do, and goes on by itself.
                        """
                        (async () => { \(until)
                            const real = window.fetch;
                            window.fetch = async () => { throw new TypeError('nobody is there'); };
                            appWindow.failures = 2;
                            await until(() => appWindow.isLost);
                            const [quit, words] = ['quit', 'lost'].map((name) => appWindow.part(name));
                            const lost = [words.textContent, quit.disabled];
                            window.fetch = real;
                            await until(() => !appWindow.isLost);
                            return [...lost, words.textContent, quit.disabled];
                        })()
                        """,
                        """
                        (async () => { \(until)
                            document.getElementById('window-quit').click();
                            await until(() => appWindow.isOver);
                            return document.getElementById('notice').textContent;
                        })()
                        """,
                    ]
                )
                let values = report.values
                try #require(report.ready == "yes" && values.count == 8, "\(report)")
                #expect(values[0].bool == false && values[1].bool == true)
                #expect(
                    values[2] == .array([.bool(true), .string("What should others call you?"), .bool(true)]),
                    "\(values[2])"
                )
                #expect(values[3].string == "Ben")
                #expect(values[4].bool == false && values[5].bool == true)
                let lost = values[6].array
                #expect(lost.first?.string?.contains("start it again: it opens a new page") == true, "\(values[6])")
                #expect(lost.dropFirst() == [.bool(true), .string(""), .bool(false)])
                #expect(values[7].string?.contains("hikeshare has ended.") == true)
                let ending = await child.ending()
                #expect(ending.code == 0, "\(ending)")
            }
        }
    }
}
