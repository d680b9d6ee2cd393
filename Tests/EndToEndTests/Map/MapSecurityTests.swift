import Foundation
import GRDB
import PeerTestSupport
import Testing

/// Who can read the pages of `map`, and what strangers' text does in them.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapSecurityTests {
    @Test func itIsThereForThisUserAndThisHostOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map(Example.name) { child, url in
                let data = url + "region.json"
                #expect(try await Curl.answer(data).first == "HTTP/1.1 200 OK\r")
                let port = try #require(URL(string: url)?.port)
                // A name that an attacker makes point at this machine.
                for host in ["evil.example:\(port)", "localhost:\(port)", "127.0.0.1"] {
                    let answer = try await Curl.answer("--header", "Host: \(host)", data)
                    #expect(answer.first == "HTTP/1.1 421 Misdirected Request\r")
                    #expect(!answer.joined().contains(Example.name))
                }
                for path in ["/", "/regions.json", "/../regions.json", "/%2e%2e/store.sqlite"] {
                    let answer = try await Curl.answer("--path-as-is", "http://127.0.0.1:\(port)\(path)")
                    #expect(answer.first == "HTTP/1.1 404 Not Found\r")
                }
                // Another user knows the address from the list of processes.
                let foreign = try await Curl.answer(data, asNobody: true)
                #expect(foreign.first == "HTTP/1.1 403 Forbidden\r", "\(foreign)")
                #expect(!foreign.joined().contains(Example.name))
                // It may not try again on the same connection.
                let twice = try await Curl.run(["--write-out", "\\n%{num_connects}\\n", data, data], asNobody: true)
                #expect(twice.output.count { $0 == "1" } == 2, "\(twice)")
                let doors = try Doors(of: child.processID)
                #expect(doors.ports == [port] && doors.datagramSockets == 0 && doors.listeningLocalSockets == 0)
                #expect(url.hasPrefix("http://127.0.0.1:\(port)/"))
            }
        }
    }

    @Test func thePortOfAnotherConnectionOpensNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map(Example.name) { _, url in
                // Another user has the same port as this user's connection, at another address of loopback.
                let own = try RawConnection(toPort: try #require(URL(string: url)?.port))
                let place = ["--interface", "127.0.0.2", "--local-port", "\(own.localPort)"]
                let ending = try await Curl.run(["--include"] + place + [url + "region.json"], asNobody: true)
                #expect(ending.output.first == "HTTP/1.1 403 Forbidden\r", "\(ending)")
                #expect(!ending.output.joined().contains(Example.name))
                own.end()
            }
        }
    }

    @Test func theSecretIsInNoLog() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map(Example.name, ["--no-browser", "-vv"]) { child, url in
                let secret = try #require(url.split(separator: "/").dropFirst(2).first)
                _ = try await Curl.answer(url)
                _ = try await Curl.answer("--header", "Host: evil.example", url)
                #expect(secret.count == 26 && !child.errorLines.joined().contains(secret))
            }
        }
    }

    @Test func scriptsInNamesAndNotesDoNotRun() async throws {
        let script = "</script><img src=x onerror=pwned=1><script>pwned=1</script><svg onload=pwned=1>"
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let attribution =
                "<a href='javascript:pwned=1' onclick='pwned=1'>© <b>Maps</b></a><img src=x onerror=pwned=1>"
                .replacing("'", with: "''")
            try FileManager.default.copyItem(atPath: Example.map, toPath: directory.path("m.mbtiles"))
            try MapMaker.database(directory.path("m.mbtiles")) { database in
                try database.execute(sql: "UPDATE metadata SET value = '\(attribution)' WHERE name = 'attribution'")
            }
            try await laptop.must("import", directory.path("m.mbtiles"), "--name", script)
            let text = script.replacing("<", with: "&lt;")
            let gpx = """
                <gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'>
                <wpt lat='42.58' lon='1.46'><name>\(text)</name><desc>\(text)</desc></wpt>
                <trk><name>\(text)</name><cmt>\(text)</cmt><trkseg><trkpt lat='42.57' lon='1.45'><ele>1</ele></trkpt>
                <trkpt lat='42.58' lon='1.46'><ele>2</ele></trkpt></trkseg></trk></gpx>
                """
            try gpx.write(toFile: directory.path("s.gpx"), atomically: true, encoding: .utf8)
            try await laptop.must("import", directory.path("s.gpx"))
            try await laptop.map(script) { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "document.getElementById('name').textContent",
                        "document.querySelectorAll('#panel li button').forEach((button) => button.click()), 1",
                        """
                        (() => {
                            view.drawn.forEach((group) => group.stroke.openTooltip());
                            view.waypoints.markers.forEach((marker) => { marker.openTooltip(); marker.openPopup(); });
                            return document.querySelector('.leaflet-popup h2').textContent;
                        })()
                        """,
                        "document.querySelector('.leaflet-popup .note').textContent",
                        "document.querySelector('.attribution').innerHTML",
                        "typeof pwned",
                        "document.querySelectorAll('script:not([src]), #panel img, header img, #details img').length",
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                for index in [0, 2, 3] { #expect(report.values[index].string == script, "\(report.values[index])") }
                #expect(report.values[4].string == "© Maps")
                #expect(report.values[5].string == "undefined")
                #expect(report.values[6].int == 0)
            }
            // Of several regions, there is a list.
            try MapMaker.make(directory.path("z.mbtiles"), seed: 1)
            try await laptop.must("import", directory.path("z.mbtiles"), "--name", "Zillertal")
            try await laptop.map { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: ["document.querySelector('#regions .item-name').textContent", "typeof pwned"]
                )
                #expect(report.values.compactMap(\.string) == [script, "undefined"] && report.problems.isEmpty)
            }
        }
    }
}
