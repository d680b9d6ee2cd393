import DBus
import DBusTestSupport
import Foundation
import PeerTestSupport
import Testing

/// Wi-Fi networks of the built program: what stands in the way, and what stays secret.
@Suite(.takingTurns) struct HotspotTests {
    /// Calls `body` with a laptop that has the example region and the real NetworkManager, but no Wi-Fi card.
    private func withManager(_ body: (Laptop, PrivateNetworkManager) async throws -> Void) async throws {
        try await PrivateNetworkManager.with { manager in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .managed(manager), store: directory.path("a"))
                try await Example.put(on: laptop)
                try await body(laptop, manager)
            }
        }
    }

    private func expectRefusal(
        by laptop: Laptop,
        _ code: String,
        remedy: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let ending = try await laptop.run("send", Example.name, "--yes", "--hotspot")
        #expect(ending.code == 1, "\(ending)", sourceLocation: location)
        let error = try ending.problem()
        #expect(error["code"]?.string == code, sourceLocation: location)
        #expect(error["remedy"]?.string?.contains(remedy) == true, "\(ending)", sourceLocation: location)
    }

    @Test func withoutACardNothingIsMade() async throws {
        try await withManager { laptop, manager in
            let before = try await manager.output(of: "nmcli", "-g", "NAME,DEVICE", "connection", "show")
            try await expectRefusal(by: laptop, "noWiFi", remedy: "Use a cable between the machines")
            try await manager.output(of: "nmcli", "networking", "off")
            try await expectRefusal(by: laptop, "networkingOff", remedy: "nmcli networking on")
            try await manager.output(of: "nmcli", "networking", "on")
            let after = try await manager.output(of: "nmcli", "-g", "NAME,DEVICE", "connection", "show")
            #expect(before == after)
            await manager.stopDaemon()
            try await expectRefusal(by: laptop, "noNetworkManager", remedy: "sudo systemctl start NetworkManager")
            await manager.stopBus()
            try await expectRefusal(by: laptop, "noNetworkManager", remedy: "sudo systemctl start NetworkManager")
        }
    }

    @Test func joiningNeedsATerminal() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let ending = try await laptop.tell("receive", "--join", "--yes")
            #expect(ending.code == 64 && ending.words.contains("hikeshare receive --link"), "\(ending)")
        }
    }

    /// A NetworkManager with a Wi-Fi card, which says that it has made each network.
    private func managerWithCard() -> FakeNetworkManager {
        let fake = FakeNetworkManager { call in
            switch call.member {
            case "GetPermissions":
                let name = "org.freedesktop.NetworkManager.wifi.share.protected"
                let yes = DBusValue.Entry(key: .string(name), value: .string("yes"))
                return .values([.dictionary([yes], key: "s", value: "s")])
            case "AddAndActivateConnection2":
                return .values([.objectPath("/s/9"), .objectPath("/a/9"), .settings([:])])
            case "DeactivateConnection": return .values([])
            default: return nil
            }
        }
        let devices: DBusValue = .array([.objectPath("/d/1")], of: "o")
        fake.set(FakeNetworkManager.path, "", ["Version": .string("1.42.4"), "Devices": devices])
        fake.set("/d/1", ".Device", ["Interface": .string("wlan7"), "DeviceType": .uint32(2), "State": .uint32(30)])
        fake.set("/d/1", ".Device.Wireless", ["WirelessCapabilities": .uint32(0x768)])
        fake.set("/a/9", ".Connection.Active", ["State": .uint32(2)])
        return fake
    }

    /// What precedes a command so that it runs in a network of its own, with a Wi-Fi card `wlan7` (10.42.0.1) and a network card
    /// `eth7` (192.168.7.1), each with a cable to nowhere.
    private static func inNetwork(_ more: String = ":") -> [String] {
        let script = """
            ip link set lo up
            ip link add wlan7 type veth peer name wlan8; ip addr add 10.42.0.1/24 dev wlan7
            ip link add eth7 type veth peer name eth8; ip addr add 192.168.7.1/24 dev eth7
            for card in wlan7 wlan8 eth7 eth8; do ip link set $card up; done
            \(more)
            exec "$@"
            """
        return ["unshare", "--net", "sh", "-ec", script, "sh"]
    }

    /// Starts a sender with a page and a Wi-Fi network in a network of its own.
    private func sendWithPage<Result>(
        from laptop: Laptop,
        _ more: String = ":",
        _ arguments: [String] = [],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await Example.put(on: laptop)
        let send = ["send", Example.name, "--hotspot", "--web", "--yes", "--no-discovery", "--format", "json"]
        return try await managerWithCard().run { _, address in
            let environment = ["DBUS_SYSTEM_BUS_ADDRESS": address, "HIKESHARE_STORE": laptop.store]
            let command = Self.inNetwork(more) + [Place.program] + laptop.asInTests(send + arguments)
            return try await ChildProcess.with(command[0], Array(command.dropFirst()), environment: environment) {
                child in
                try await Laptop.impatiently(child) { try await body(child) }
            }
        }
    }

    @Test func thePageIsInTheOwnNetworkOnly() async throws {
        try await TemporaryDirectory.with { directory in
            try await sendWithPage(from: Laptop(store: directory.path("a"))) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"webPage""#) }
                let urls = try JSONValue(parsing: line)["urls"]?.array.compactMap(\.string) ?? []
                let url = try #require(urls.first)
                #expect(urls.count == 1 && url.hasPrefix("http://10.42.0.1:"), "\(urls)")
                func status(_ url: String) async throws -> Ending {
                    let curl = ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}\\n", url]
                    let arguments = ["--net=/proc/\(child.processID)/ns/net"] + curl
                    return try await ChildProcess.with("nsenter", arguments) { await $0.ending() }
                }
                #expect(try await status(url).output == ["200"])
                for host in ["192.168.7.1", "127.0.0.1"] {
                    let ending = try await status(url.replacing("10.42.0.1", with: host))
                    // Nothing listens there.
                    #expect(ending.code == 7 && ending.output == ["000"], "\(ending)")
                }
                child.kill(SIGINT)
                let stopped = await child.ending()
                #expect(stopped.code == 130, "\(stopped)")
                #expect(stopped.words.contains("Interrupted; no longer sending."), "\(stopped)")
            }
        }
    }

    /// NetworkManager does not know this cable; the kernel does.
    @Test func aPageThatPhonesCannotReachIsRefused() async throws {
        let route = "ip route add default via 192.168.7.2 dev eth7"
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let ending = try await sendWithPage(from: laptop, route) { await $0.ending() }
            #expect(ending.code == 4, "\(ending)")
            let error = try ending.problem()
            #expect(error["remedy"]?.string == "Add --share-internet to share it, or disconnect eth7.", "\(ending)")
            try await sendWithPage(from: laptop, route, ["--share-internet"]) { child in
                try await child.waitForOutput { $0.contains(#""type":"webPage""#) && $0.contains("http://10.42.0.1:") }
                child.kill(SIGINT)
                _ = await child.ending()
            }
            let bare = try await sendWithPage(from: laptop, "ip addr flush dev wlan7") { await $0.ending() }
            #expect(bare.code == 4, "\(bare)")
            #expect(try bare.problem()["remedy"]?.string == "Send again without --web.", "\(bare)")
        }
    }

    @Test func bothCodesAreWholeOnASmallScreen() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await managerWithCard().run { _, address in
                let send = ["send", Example.name, "--hotspot", "--web", "--web-port", "0", "--yes", "--no-discovery"]
                let program = ["env", "DBUS_SYSTEM_BUS_ADDRESS=" + address, Place.program] + laptop.asInTests(send)
                let command = Self.inNetwork() + program
                let arguments = Array(command.dropFirst())
                try await laptop.inTerminal(running: command[0], arguments, columns: 80, rows: 24) { screen in
                    try await screen.wait(for: "Ctrl-C stops")
                    let plain = screen.text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
                    let lines = plain.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                    let start = try #require(lines.firstIndex { $0.contains("1. Join the Wi-Fi") }, "\(plain)")
                    #expect(lines[start].contains("2. Open the page"))
                    let end = try #require(lines.lastIndex { $0.hasPrefix("Ctrl-C stops") }, "\(plain)")
                    let rows = lines[start..<end]
                    // The last row is for the progress, and the one above it for Ctrl-C.
                    #expect(rows.count <= 22, "\(plain)")
                    // The upper edges of the four marks at the top, side by side.
                    let isTop = rows.contains { $0.components(separatedBy: "█▀▀▀▀▀█").count == 5 }
                    #expect(isTop && rows.allSatisfy { (71...80).contains($0.count) }, "a row is broken: \(plain)")
                }
            }
        }
    }

    /// Both machines are this one, so the addresses in the link lead to it in any network.
    @Test func aTransferTellsNeitherPasswordNorLinkToOthers() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            try await managerWithCard().run { service, address in
                let common = ["--yes", "-vv", "--format", "json"]
                let environment: [String: String?] = ["DBUS_SYSTEM_BUS_ADDRESS": address]
                let send = ["send", Example.name, "--hotspot", "--no-discovery", "--once"] + common
                try await sender.start(send, environment: environment) { sending in
                    let line = try await sending.waitForOutput { $0.contains("\"listening\"") }
                    let link = try #require(try JSONValue(parsing: line)["link"]?.string)
                    try await receiver.start(["receive", "--link"] + common, environment: environment) { receiving in
                        // The transfer would be over before anybody has looked.
                        sending.kill(SIGSTOP)
                        try receiving.write(link + "\n")
                        try await receiving.waitForOutput { $0.contains("\"joined\"") }
                        let visible = try Self.visibleToOthers(sending) + Self.visibleToOthers(receiving)
                        sending.kill(SIGCONT)
                        let (received, sent) = (await receiving.ending(), await sending.ending())
                        #expect(received.code == 0 && sent.code == 0, "\(received)\n\(sent)")
                        let password = try #require(try sent.lines("hotspot").first?["password"]?.string)
                        #expect(service.passwords == [password, password])
                        let logged = (received.errorOutput + sent.errorOutput).map { Data($0.utf8) }
                        #expect(received.errorOutput.count > 10 && sent.errorOutput.count > 10)
                        let plain = password.replacing("-", with: "")
                        for secret in [password, plain, plain.uppercased(), link, String(link.dropFirst(12))] {
                            #expect(!(logged + visible).contains { $0.range(of: Data(secret.utf8)) != nil })
                        }
                    }
                }
                #expect(service.calls.count { $0.member == "DeactivateConnection" } == 2)
            }
        }
    }

    /// What other users of the machine can see of a program, or its own user.
    private static func visibleToOthers(_ child: ChildProcess) throws -> [Data] {
        try ["cmdline", "environ", "comm"].map { name in
            try Data(contentsOf: URL(fileURLWithPath: "/proc/\(child.processID)/\(name)"))
        }
    }
}

extension FakeService {
    /// The passwords of the networks that were asked for.
    fileprivate var passwords: [String] {
        calls.filter { $0.member == "AddAndActivateConnection2" }.compactMap { call in
            call.arguments.first?.members?["802-11-wireless-security"]?.members?["psk"]?.text
        }
    }
}
