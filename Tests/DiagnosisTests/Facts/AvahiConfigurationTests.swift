import Testing

@testable import Diagnosis

@Suite struct AvahiConfigurationTests {
    @Test(
        arguments: [
            ("[server]\nallow-interfaces=eth0\n", "allow-interfaces"),
            ("[server]\nallow-interfaces=eth0, wlan0\n", nil),
            ("[server]\n \tdeny-interfaces=wlan0,eth1\n", "deny-interfaces"),
            ("[Server]\nDeny-Interfaces= wlan0\n", "deny-interfaces"),
            ("[server]\r\ndeny-interfaces=eth1\r\n", nil), ("[server]\n#deny-interfaces=wlan0\n", nil),
            ("[server]\n%deny-interfaces=wlan0\n", nil), ("[publish]\ndeny-interfaces=wlan0\n", nil),
            ("[server]\nuse-ipv4=no\nuse-ipv6=no\n", nil), ("[server]\nuse-ipv4=no\n", nil),
            ("[server]\nallow-interfaces=wlan0\ndeny-interfaces=wlan0\n", "deny-interfaces"),
            ("[server]\nallow-interfaces=\n", "allow-interfaces"),
            // Of several lines, the daemon takes the first.
            ("[server]\ndeny-interfaces=eth1\ndeny-interfaces=wlan0\n", nil),
            ("[server]\ndeny-interfaces=wlan0\ndeny-interfaces=eth1\n", "deny-interfaces"),
            ("", nil), ("[server", nil), ("=\n==\n[server]\n=\nallow-interfaces", nil),
        ] as [(String, String?)]
    )
    func namesTheSettingThatExcludesAnInterface(text: String, setting: String?) {
        let configuration = AvahiConfiguration(parsing: text)
        #expect(configuration.exclusion(of: Machine.laptop.interfaces[0])?.name == setting)
    }

    /// The settings with which the daemon (0.8) was seen not to start, and others with which it was seen to start.
    @Test(
        arguments: [
            ("[server]\nuse-ipv4=no\nuse-ipv6=no", ["use-ipv4=no", "use-ipv6=no"]),
            ("[server]\nuse-ipv4= yes\nuse-ipv6=true", ["use-ipv4= yes", "use-ipv6=true"]),
            ("[server]\nuse-ipv4=no", []), ("[server]\nhost-name=anna.home", ["host-name=anna.home"]),
            ("[server]\nhost-name=", ["host-name="]), ("[server]\nhost-name=anna", []),
            ("[server]\ndeny-interfaces = eth1", ["deny-interfaces = eth1"]),
            ("[server]\ncache-entries-max=many", ["cache-entries-max=many"]), ("[server]\ncache-entries-max=0", []),
            ("[rlimits]\nrlimit-nofile=15", ["rlimit-nofile=15"]), ("[rlimits]\nrlimit-nofile=768", []),
            ("[rlimits]\nrlimit-as=8388608", ["rlimit-as=8388608"]), ("[rlimits]\nrlimit-as=67108864", []),
            ("[rlimits]\nrlimit-data=524288", ["rlimit-data=524288"]), ("[rlimits]\nrlimit-data=8388608", []),
            ("[rlimits]\nrlimit-nproc=3", ["rlimit-nproc=3"]), ("[rlimits]\nrlimit-stack=65536", []),
            ("[rlimits]\nrlimit-core=0\nrlimit-fsize=0", []),
        ] as [(String, [String])]
    )
    func namesTheSettingsWithWhichTheDaemonDoesNotStart(text: String, lines: [String]) {
        #expect(AvahiConfiguration(parsing: text).startBlockers.map(\.line) == lines)
    }

    @Test func namesTheSettingsOfTheOtherKinds() {
        func configuration(_ text: String) -> AvahiConfiguration { AvahiConfiguration(parsing: text) }
        #expect(configuration("[server]\nenable-dbus=no").busBlockers.map(\.line) == ["enable-dbus=no"])
        #expect(configuration("[server]\nenable-dbus=warn").busBlockers.isEmpty)
        #expect(configuration("[server]\ndisallow-other-stacks=yes").portBlockers.count == 1)
        #expect(configuration("[publish]\npublish-addresses=no").addressBlockers.count == 1)
        #expect(configuration("[server]\ndomain-name=").otherDomain?.value == "")
        for name in ["local", "local.", ".local", "LOCAL"] {
            #expect(configuration("[server]\ndomain-name=\(name)").otherDomain == nil)
        }
        // A burst alone counts only with an interval; an interval alone lets one packet through in each.
        #expect(configuration("[server]\nratelimit-burst=0").packetBlockers.isEmpty)
        #expect(configuration("[server]\nratelimit-interval-usec=1000000").packetBlockers.count == 1)
        #expect(configuration("[server]\nratelimit-interval-usec=0").packetBlockers.isEmpty)
        #expect(configuration("[server]\nobjects-per-client-max=0").objectBlocker == nil)
    }

    /// Debian's own file, without comments.
    @Test func theUsualFileIsToBlameForNothing() {
        let usual = AvahiConfiguration(
            parsing: """
                [server]
                use-ipv4=yes
                use-ipv6=yes
                ratelimit-interval-usec=1000000
                ratelimit-burst=1000
                [wide-area]
                enable-wide-area=yes
                [publish]
                publish-hinfo=no
                publish-workstation=no
                [reflector]
                [rlimits]
                """
        )
        #expect(usual.settings.count == 7)
        #expect((usual.startBlockers + usual.busBlockers + usual.portBlockers + usual.announcingBlockers).isEmpty)
        #expect((usual.addressBlockers + usual.packetBlockers).isEmpty)
        #expect(usual.otherDomain == nil && usual.objectBlocker == nil && usual.versions.isEmpty && !usual.reflects)
    }

    /// A name becomes a part of a command.
    @Test func otherNamesAreLeftOut() {
        let text = "[server]\nx'; reboot; '=1\nuse ipv4=no\nüse-ipv4=no\n=no\n/e =no"
        #expect(AvahiConfiguration(parsing: text).settings.isEmpty)
    }

    @Test func boundsWhatItKeeps() {
        let names = (0..<10_000).map { "eth\($0)" }.joined(separator: ",")
        #expect(AvahiConfiguration(parsing: "[server]\nallow-interfaces=\(names)\n").settings.isEmpty)
        let many = (0..<10_000).map { "name\($0)=1" }.joined(separator: "\n")
        #expect(AvahiConfiguration(parsing: "[server]\n" + many).settings.count == 128)
        let large = "[server]\nratelimit-interval-usec=\(Int.max)\nratelimit-burst=\(Int.max)\nclients-max=\(Int.max)0"
        let configuration = AvahiConfiguration(parsing: large)
        #expect(configuration.packetBlockers.count == 2)
        #expect(configuration.startBlockers.map(\.name) == ["clients-max"])
    }
}
