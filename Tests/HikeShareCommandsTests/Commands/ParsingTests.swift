import ArgumentParser
import Diagnosis
import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands

@Suite struct ParsingTests {
    private func parse<Command: ParsableCommand>(_ line: String, as type: Command.Type) throws -> Command {
        let arguments = line.split(separator: " ").map(String.init)
        return try #require(try HikeShare.parseAsRoot(CommandArguments.globalOptionsLast(arguments)) as? Command)
    }

    @Test func parsesImport() throws {
        let command = try parse("import a.mbtiles b.gpx --name Alps --routing r.db", as: ImportCommand.self)
        #expect(command.files == ["a.mbtiles", "b.gpx"])
        #expect(command.name == "Alps")
        #expect(command.routing == "r.db")
        #expect(command.region == nil)
    }

    @Test func parsesListWithGlobalOptionsOnEitherSide() throws {
        for line in ["list --store /s --format json -q -vv", "--store /s --format=json -q -vv list"] {
            let command = try parse(line, as: ListCommand.self)
            #expect(command.global.store == "/s")
            #expect(command.global.format == .json)
            #expect(command.global.quiet)
            #expect(command.global.verbosity == 2)
        }
        #expect(try parse("list", as: ListCommand.self).global.verbosity == 0)
        #expect(try parse("list -v", as: ListCommand.self).global.verbosity == 1)
    }

    @Test func parsesShowAndRemove() throws {
        #expect(try parse("show 52c9", as: ShowCommand.self).region.name == "52c9")
        #expect(try parse("remove 52c9", as: RemoveCommand.self).yes == false)
        #expect(try parse("remove 52c9 --yes", as: RemoveCommand.self).yes)
        #expect(try parse("remove 52c9 --yes --with-routes", as: RemoveCommand.self).withRoutes)
        #expect(try parse("remove 52c9 --export a.gpx", as: RemoveCommand.self).export == "a.gpx")
    }

    @Test func parsesEdits() throws {
        let rename = try parse("rename alps --waypoint Parking Tunnel", as: RenameCommand.self)
        #expect(rename.firstWord == "alps" && rename.otherWords == ["Tunnel"] && rename.selection.waypoint == "Parking")
        #expect(try parse("rename alps Home", as: RenameCommand.self).selection.isEmpty)
        #expect(try parse("remove alps --hike 2 --yes", as: RemoveCommand.self).selection.hike == "2")
        let line = "--store /s waypoint add alps 47.5,11.25 Hut --category shelter --note Closed"
        let add = try parse(line, as: WaypointAddCommand.self)
        #expect(add.global.store == "/s")
        let parts = try #require(add.parts)
        #expect(parts.position.latitude == 47.5 && parts.position.longitude == 11.25)
        #expect(parts.region == "alps" && parts.name == "Hut" && add.category == .shelter && add.note == "Closed")
        let words = try parse("waypoint add Haute Route 47.5,11.25 Hut 2,5 b", as: WaypointAddCommand.self).parts
        #expect(words?.region == "Haute Route" && words?.name == "Hut 2,5 b")
        let spaced = try parse("waypoint add alps 47.5, 11.25 Hut 3 --category hut", as: WaypointAddCommand.self)
        #expect(
            spaced.parts?.position.longitude == 11.25 && spaced.parts?.name == "Hut 3" && spaced.category == .shelter
        )
        for line in ["alps 47.5,11.25", "47.5,11.25 Hut", "alps Hut"] {
            #expect(throws: (any Error).self) { try parse("waypoint add \(line)", as: WaypointAddCommand.self) }
        }
        #expect(try parse("import a.mbtiles --update alps", as: ImportCommand.self).update == "alps")
    }

    @Test func parsesExport() throws {
        let command = try parse("export alps --to /tmp --gpx --routing", as: ExportCommand.self)
        #expect(command.to == "/tmp")
        #expect(command.parts == [.gpx, .routing])
        #expect(try parse("export alps --to .", as: ExportCommand.self).parts.isEmpty)
    }

    @Test func parsesPlan() throws {
        let command = try parse("plan Coma Pedrosa --from a --via b --via c --to d --pace 1.2", as: PlanCommand.self)
        #expect(command.region.name == "Coma Pedrosa" && command.from == "a" && command.to == "d")
        #expect(command.via == ["b", "c"] && command.pace == 1.2 && command.save == nil)
        let kept = try parse("plan --from a --to d --way 2 --save Way --gpx a.gpx", as: PlanCommand.self)
        #expect(kept.way == 2 && kept.save == "Way" && kept.gpx == "a.gpx" && kept.region.name.isEmpty)
        for options in [
            "", "--from a", "--from a --to b --pace 0.1", "--from a --to b --way 4", "--from a --to b --pace nan",
            "--from a --to b --via c --alternatives", "--from a --to b --alternatives --save x",
        ] {
            #expect(throws: (any Error).self) { try parse("plan alps \(options)", as: PlanCommand.self) }
        }
    }

    @Test func parsesSend() throws {
        let command = try parse(
            "send alps --name Me --port 4711 --only map,waypoints --once --yes --encryption optional --no-discovery",
            as: SendCommand.self
        )
        #expect(command.words == ["alps"])
        #expect(command.port == 4711)
        #expect(command.once)
        #expect(command.noDiscovery)
        #expect(command.sharing.yes)
        #expect(command.sharing.name?.text == "Me")
        #expect(command.sharing.only?.kinds == [.mbtiles, .foreign, .waypoints])
        #expect(command.sharing.configuration.encryption == .optional)
        let plain = try parse("send alps", as: SendCommand.self)
        #expect(plain.sharing.encryption == .required)
        #expect(plain.port == nil)
        #expect(try parse("send alps --port 0", as: SendCommand.self).port == 0)
        #expect(!plain.once)
    }

    @Test func parsesReceive() throws {
        let command = try parse("receive marmot --timeout 3 --yes --only hikes", as: ReceiveCommand.self)
        #expect(command.peer == "marmot")
        #expect(command.timeout == 3)
        #expect(command.sharing.only?.kinds == [.savedroutes])
        let direct = try parse("receive --connect [fe80::1%eth0]:4711", as: ReceiveCommand.self)
        #expect(direct.connect?.host == "fe80::1%eth0")
        #expect(direct.connect?.port == 4711)
        #expect(try parse("receive", as: ReceiveCommand.self).timeout == nil)
        #expect(try parse("receive", as: ReceiveCommand.self).peer == nil)
    }

    @Test func namesNeedNoQuotationMarks() throws {
        #expect(try parse("send Coma Pedrosa --once", as: SendCommand.self).words == ["Coma", "Pedrosa"])
        #expect(try parse("show --store /s Coma Pedrosa", as: ShowCommand.self).region.name == "Coma Pedrosa")
        #expect(try parse("export Coma Pedrosa --to /tmp", as: ExportCommand.self).region.name == "Coma Pedrosa")
        #expect(try parse("remove Coma Pedrosa --yes", as: RemoveCommand.self).region == "Coma Pedrosa")
        #expect(try parse("discard Coma Pedrosa", as: DiscardCommand.self).region == "Coma Pedrosa")
        #expect(try parse("discard --all", as: DiscardCommand.self).region == nil)
        #expect(try parse("receive Brave Marmot --yes", as: ReceiveCommand.self).peer == "Brave Marmot")
        #expect(try parse("peers forget Brave Marmot", as: PeersForgetCommand.self).peer == "Brave Marmot")
    }

    @Test func parsesColors() throws {
        #expect(try parse("list", as: ListCommand.self).global.color == .auto)
        for line in ["list --color never", "--color never list", "--color=never list"] {
            #expect(try parse(line, as: ListCommand.self).global.color == .never)
            #expect(CommandArguments.color(line.split(separator: " ").map(String.init)) == .never)
        }
    }

    @Test func parsesWhatIsPrivate() throws {
        let plain = try parse("send alps", as: SendCommand.self)
        #expect(!plain.isPrivate && !plain.includeHealth)
        let command = try parse("send alps --private --include-health", as: SendCommand.self)
        #expect(command.isPrivate && command.includeHealth)
    }

    @Test func parsesPeers() throws {
        for line in ["peers", "peers list", "--store /s peers", "--store /s peers list", "peers list --store /s"] {
            let command = try parse(line, as: PeersListCommand.self)
            #expect(command.global.store == (line.contains("/s") ? "/s" : nil), "\(line)")
        }
        let trust = try parse("--format json peers trust 67cf --name Anna", as: PeersTrustCommand.self)
        #expect(trust.id == "67cf" && trust.name == "Anna" && trust.global.format == .json)
        #expect(try parse("-q peers forget Anna", as: PeersForgetCommand.self).peer == "Anna")
        let rename = try parse("peers rename Anna Berta -v", as: PeersRenameCommand.self)
        #expect(rename.firstWord == "Anna" && rename.otherWords == ["Berta"])
    }

    @Test func anAddressMayLackThePort() throws {
        for (text, host, port) in [
            ("10.77.0.1", "10.77.0.1", 64_453), ("10.77.0.1:4711", "10.77.0.1", 4711),
            ("[fe80::1%eth0]", "fe80::1%eth0", 64_453),
        ] {
            let address = try parse("receive --connect \(text)", as: ReceiveCommand.self).connect
            #expect(address?.host == host && address?.port == port, "\(text)")
        }
        for text in ["fe80::1", "fe80::1:4711", "fe80::1%eth0"] {
            let error = #expect(throws: (any Error).self) { try parse("doctor --with \(text)", as: DoctorCommand.self) }
            #expect(error.map { HikeShare.message(for: $0).contains("needs brackets") } == true, "\(text)")
        }
        for text in ["fe80::1", "10.77.0.1:0", "10.77.0.1:99999", ":4711"] {
            #expect(throws: (any Error).self, "\(text)") {
                try parse("receive --connect \(text)", as: ReceiveCommand.self)
            }
        }
    }

    @Test func parsesDoctorForFirewalls() throws {
        #expect(try parse("doctor", as: DoctorCommand.self).firewall.change == nil)
        let usual = try parse("doctor --open-firewall", as: DoctorCommand.self).firewall.change
        #expect(usual?.work == .open && usual?.opening == FirewallOpening(ports: [64_453]))
        let line = "doctor --close-firewall --port 5000 --port 8080 --hotspot"
        let named = try parse(line, as: DoctorCommand.self).firewall.change
        #expect(named?.work == .close)
        #expect(named?.opening == FirewallOpening(ports: [5000, 8080], givesAddresses: true))
        let wrong = [
            "--open-firewall --close-firewall", "--port 5000", "--hotspot", "--open-firewall --port 0",
            "--open-firewall --port 65536", "--open-firewall --with 10.0.0.1",
        ]
        for line in wrong {
            #expect(throws: (any Error).self) { try parse("doctor \(line)", as: DoctorCommand.self) }
        }
    }

    @Test func anIDMustBeWhole() throws {
        let id = Sample.peerID()
        #expect(try PeersTrustCommand.parse(id.hex) == id)
        #expect(try PeersTrustCommand.parse(id.hex.uppercased()) == id)
        for text in [id.short, String(id.hex.dropLast()), id.hex + "0", "Anna", ""] {
            let error = try #require(throws: CommandError.self) { try PeersTrustCommand.parse(text) }
            #expect(ExitStatus(ending: error) == .usage)
            #expect(error.remedy?.typed.contains("64 digits") == true)
        }
        let beginning = try #require(throws: CommandError.self) { try PeersTrustCommand.parse(id.short) }
        #expect(beginning.message.contains("only the beginning"))
    }

    @Test func parsesExportToAPage() throws {
        let command = try parse("export alps --html a.html --max-zoom 14", as: ExportCommand.self)
        #expect(command.html == "a.html" && command.cut.maxZoom == 14 && command.to == nil)
    }

    @Test func parsesExportOfAPart() throws {
        let command = try parse(
            "export alps --to . --along Ridge --along b.gpx --within 500m --area=-1.5,42,1.6,43 --max-zoom 14",
            as: ExportCommand.self
        )
        #expect(command.cut.along == ["Ridge", "b.gpx"] && command.cut.within?.metres == 500)
        #expect(command.cut.area?.box == BoundingBox(north: 43, south: 42, east: 1.6, west: -1.5))
        #expect(command.cut.maxZoom == 14 && !command.cut.isEmpty)
        #expect(try parse("export alps --osmand a --max-zoom 3", as: ExportCommand.self).cut.maxZoom == 3)
        #expect(try parse("export alps --to .", as: ExportCommand.self).cut.isEmpty)
    }

    @Test(
        arguments: [
            ("2km", 2000), ("1.5 km", 1500), ("1,5km", 1500), ("500m", 500), ("2", nil), ("km", nil), ("1m", nil),
            ("1e9km", nil),
        ]
            as [(String, Double?)]
    )
    func parsesDistances(text: String, metres: Double?) {
        #expect((try? Distance(parsing: text))?.metres == metres)
    }

    @Test(arguments: ["1,2,3", "1,2,3,4,5", "1,3,4,2", "1,2,1,3", "200,1,2,3", "a,b,c,d", ""])
    func refusesWhatIsNoArea(text: String) {
        #expect(throws: ValidationError.self) { try AreaValue(parsing: text) }
    }

    @Test func parsesExportForOsmAnd() throws {
        let command = try parse("export alps --osmand a.sqlitedb", as: ExportCommand.self)
        #expect(command.osmand == "a.sqlitedb" && command.to == nil && command.html == nil)
    }

    @Test func parsesMap() throws {
        let command = try parse("map Coma Pedrosa --no-browser", as: MapCommand.self)
        #expect(command.region == "Coma Pedrosa" && command.noBrowser)
        #expect(try parse("map", as: MapCommand.self).words.isEmpty)
        let window = try parse("map --window a.gpx b.mbtiles", as: MapCommand.self)
        #expect(window.window && window.words == ["a.gpx", "b.mbtiles"])
    }

    @Test func parsesOpen() throws {
        let command = try parse("open Coma Pedrosa --with qgis", as: OpenCommand.self)
        #expect(command.region.name == "Coma Pedrosa" && command.with == .desktop("qgis"))
        #expect(try parse("open alps", as: OpenCommand.self).with == nil)
    }

    @Test func parsesBrowse() throws {
        #expect(try parse("browse --timeout 2", as: BrowseCommand.self).timeout == 2)
    }

    @Test(
        arguments: [
            "import", "import a --name", "list extra", "list --format xml", "export alps",
            "export alps --to . --html a.html", "export alps --html a.html --pdf a.pdf",
            "export alps --pdf a.pdf --max-zoom 14", "export alps --pdf a.pdf --gpx",
            "export alps --html a.html --osmand a.sqlitedb", "export alps --to . --osmand a.sqlitedb",
            "export alps --osmand a.sqlitedb --gpx", "export alps --to . --gpx --max-zoom 3",
            "export alps --to . --within 2km", "export alps --html a.html --along Ridge",
            "export alps --html a.html --area 1,2,3,4", "export alps --to . --area 1,2,3",
            "open alps --with /bin/emacs",
            "export alps --html a.html --gpx", "export alps --to . --max-zoom 31", "remove",
            "send alps --port -1", "send alps --port 65536", "send alps --port x", "send alps --only tiles",
            "send alps --only map,photos --route Ridge", "receive --only waypoints --route Ridge",
            "send alps --only map,", "send alps --encryption maybe", "receive --connect fe80::1",
            "receive --connect host:0", "receive --connect fe80::1:4711", "receive marmot --connect a:1",
            "receive --timeout 0", "receive --timeout 86401", "browse --timeout -1", "list --color green",
            "browse extra", "peers trust",
            "peers rename Anna", "peers extra", "receive hikeshare://10.0.0.1:1/x#y --encryption none",
            "receive --link --connect 10.0.0.1:1", "receive --stick a --keep",
            "receive --stick a --region Alps", "receive --stick a --all", "send alps --anyone", "dentist",
        ]
    )
    func refusesWhatMakesNoSense(line: String) {
        #expect(throws: (any Error).self) {
            do {
                _ = try HikeShare.parseAsRoot(line.split(separator: " ").map(String.init))
            } catch {
                #expect(Status(ending: error) == .usage)
                throw error
            }
        }
    }

    @Test(arguments: ["", " ", String(repeating: "x", count: 64)])
    func refusesNamesThatCannotBeShown(name: String) {
        #expect(throws: (any Error).self) { try HikeShare.parseAsRoot(["send", "alps", "--name", name]) }
    }

    @Test(
        arguments: [
            ("map", [.mbtiles, .foreign]), ("MAP, routing", [.mbtiles, .foreign, .routing]), ("foreign", [.foreign]),
            ("map,foreign,routing,hikes,planned,waypoints,photos", Set(ResourceKind.shown)),
            ("map,map", [.mbtiles, .foreign]),
        ] as [(String, Set<ResourceKind>)]
    )
    func readsKinds(text: String, kinds: Set<ResourceKind>) {
        #expect(KindSelection(argument: text)?.kinds == kinds)
    }

    @Test func givesExamplesToHikers() {
        for command in [SendCommand.helpMessage(), ReceiveCommand.helpMessage(), ImportCommand.helpMessage()] {
            #expect(command.contains("Example"))
        }
        #expect(FirstWords.report([]).text.string.contains("hikeshare receive"))
        #expect(HikeShare.configuration.version == "0.1.0")
    }
}
