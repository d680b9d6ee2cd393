import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

/// A full disk, and files of other kinds than tracks.
extension UploadTests {
    /// A file that does not fit is not even begun.
    @Test func aDiskWithLittleSpaceTakesSmallFilesOnly() async throws {
        let script = #"""
            mount -t tmpfs -o size=96m tmpfs "$2"
            export HIKESHARE_STORE="$2/store"
            "$1" import "$3/coma-pedrosa.mbtiles" --name Coma >/dev/null </dev/null
            exec "$1" send Coma --name laptop --port 0 --show-loopback --no-discovery --web --web-port 0
            """#
        try await TemporaryDirectory.with { directory in
            let disk = directory.path("disk")
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
            let example = Place.repository + "/Docs/example"
            let command = ["-m", "sh", "-ec", script, "sh", Place.program, disk, example]
            try await Laptop(store: disk).inTerminal(running: "unshare", command, columns: 120, rows: 60) { terminal in
                let url = try await Self.page(terminal)
                let large = try await PhoneUpload(Data(count: 30_000_000), as: "large.mbtiles", to: url).announce()
                #expect(large.first?.hasPrefix("HTTP/1.1 507 ") == true, "\(large)")
                #expect(
                    large.last?.hasPrefix("The disk of the laptop has too little space for this file.") == true,
                    "\(large)"
                )
                // The disk fills up while a file comes.
                let half = PhoneUpload(Data(count: 10_000_000), as: "half.gpx", to: url, from: "127.0.0.2")
                try await half.announce()
                try await half.sendPieces(until: 1, directory)
                let length = try #require(try await half.state()["length"]?.int)
                let filler = "/proc/\(terminal.child.processID)/root\(disk)/filler"
                try Self.fill(filler)
                let rest = try await Curl.answer(
                    "--interface",
                    "127.0.0.2",
                    "--data-binary",
                    "x",
                    half.url + "/\(length)"
                )
                #expect(rest.first?.hasPrefix("HTTP/1.1 507 ") == true, "\(rest)")
                let told = try await half.state()
                #expect(told["state"]?.string == "refused", "\(told)")
                #expect(told["message"]?.string == "The laptop has no space on its disk for the rest of the file.")
                try FileManager.default.removeItem(atPath: filler)
                let small = PhoneUpload(Data(Self.gpx.utf8), as: "p.gpx", to: url)
                try await small.send(directory)
                try await terminal.wait { $0.contains("From a phone") && $0.hasSuffix("[y/N] ") }
                try terminal.type("y\r")
                let result = try await small.result()
                #expect(result["state"]?.string == "added", "\(result)")
            }
        }
    }

    /// Fills the disk of a file.
    private static func fill(_ path: String) throws {
        let file = fopen(path, "w")
        defer { fclose(file) }
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        while fwrite(piece, 1, piece.count, file) == piece.count {}
    }

    /// They are known by their content.
    @Test func photosWithAPlaceAndOtherKindsOfMapsAreTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let friend = Laptop(store: directory.path("b"))
            try await Example.put(on: laptop)
            let hut = Self.gpx.replacing("42.58", with: "42.583333").replacing("1.46", with: "1.466667")
            try hut.write(toFile: directory.path("hut.gpx"), atomically: true, encoding: .utf8)
            try await laptop.must("import", directory.path("hut.gpx"), "--region", Example.name)
            try MapMaker.make(directory.path("n.mbtiles"))
            try await friend.must("import", directory.path("n.mbtiles"))
            try await friend.must("export", "Nordkette", "--osmand", directory.path("n.sqlitedb"))
            var archive = PMTilesBytes(.init(id: 0, length: 100))
            archive.tiles = MapMaker.png + [UInt8](repeating: 0, count: 100)
            archive.zoomLevels = (0, 0)
            let files = [
                ("IMG_1.jpg", Data(EXIFPhoto.bytes(at: (42, 35), (1, 28))), "as the photo of “From a phone”?"),
                ("a", try Data(contentsOf: URL(fileURLWithPath: directory.path("n.sqlitedb"))), "has sent a map, “a”"),
                ("b", Data(archive.bytes), "has sent a map, “b”"),
            ]
            try await Self.send(on: laptop) { terminal, url in
                for (name, content, question) in files {
                    let phone = PhoneUpload(content, as: name, to: url)
                    try await phone.send(directory)
                    try await terminal.wait { $0.contains(question) && $0.hasSuffix("[y/N] ") }
                    try terminal.type("y\r")
                    let result = try await phone.result()
                    #expect(result["state"]?.string == "added", "\(name) \(result)")
                }
            }
        }
    }

    /// What would change is said before it changes, and of which region the routing is.
    @Test func whatWouldChangeIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("all.gpx")
            try await laptop.must("export", Example.name, "--to", directory.path("files"), "--gpx")
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: directory.path("files")).first
            )
            var gpx = try String(contentsOfFile: directory.path("files/" + name), encoding: .utf8)
            let label = try #require(gpx.firstMatch(of: /<wpt[^>]*>[\s\S]*?<name>([^<]+)<\/name>/)?.1)
            gpx = gpx.replacing("<name>\(label)</name>", with: "<name>Another name</name>")
            try gpx.write(toFile: path, atomically: true, encoding: .utf8)
            for name in ["r1.db", "r2.db"] {
                try FileManager.default.copyItem(atPath: Example.routing, toPath: directory.path(name))
            }
            let routing = try DatabaseQueue(path: directory.path("r2.db"))
            try await routing.write { try $0.execute(sql: "UPDATE routing_edges SET name = 'Another way'") }
            try routing.close()
            func content(_ name: String) throws -> Data {
                try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
            }
            try await Self.send(on: laptop) { terminal, url in
                for (name, question) in [
                    ("all.gpx", "Add this to “Coma Pedrosa”, and change 1 item that it has?"),
                    ("r2.db", "“Coma Pedrosa” has a routing database. Replace it?"),
                ] {
                    let phone = PhoneUpload(try content(name), as: name, to: url, from: "127.0.0.\(name.count)")
                    try await phone.send(directory)
                    try await terminal.wait { $0.contains(question) && $0.hasSuffix("[y/N] ") }
                    try terminal.type("n\r")
                    let result = try await phone.result()
                    #expect(result["state"]?.string == "refused", "\(name) \(result)")
                }
                let known = PhoneUpload(try content("r1.db"), as: "r1.db", to: url, from: "127.0.0.9")
                try await known.send(directory)
                let result = try await known.result()
                #expect(result["message"]?.string == "The laptop has this routing database already.", "\(result)")
            }
            let labels = try await laptop.must("show", Example.name).lines("waypoint").compactMap {
                $0["label"]?.string
            }
            #expect(labels.contains(String(label)) && !labels.contains("Another name"))
        }
    }
}
