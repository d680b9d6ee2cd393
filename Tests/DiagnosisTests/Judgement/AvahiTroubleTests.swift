import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct AvahiTroubleTests {
    private typealias Setting = AvahiConfiguration.Setting

    private static func judge(
        _ avahi: AvahiFacts,
        _ machine: MachineFacts = Machine.laptop,
        multicast: MulticastFacts? = nil,
        peersOn: Set<String> = []
    ) -> [AvahiTrouble] {
        AvahiTrouble.judge(avahi: avahi, machine: machine, multicast: multicast, peersOn: peersOn)
    }

    private static func facts(
        _ state: AvahiFacts.State = .running,
        _ text: String = "",
        on interfaces: Set<String>? = nil
    ) -> AvahiFacts {
        AvahiFacts(state: state, interfaces: interfaces, configuration: AvahiConfiguration(parsing: text))
    }

    private static func lines(_ troubles: [AvahiTrouble]) -> [String] { troubles.flatMap(\.settings).map(\.line) }

    private static let states: [(AvahiFacts, Finding.Code)] = [
        (facts(.stopped), .avahiStopped), (facts(.portTaken), .avahiUnusable), (facts(.portShared), .avahiUnusable),
        (facts(.offBus), .avahiUnusable), (facts(.noBus), .busStopped), (facts(.busDenied), .busDenied),
        (facts(.denied), .avahiDenied), (facts(.silent), .avahiSilent), (facts(.failed("No.")), .avahiSilent),
        (AvahiFacts(isInstalled: false, state: .stopped), .avahiMissing),
        (AvahiFacts(isInstalled: false, state: .noBus), .avahiMissing),
        (AvahiFacts(isInstalled: false, state: .portTaken), .avahiMissing),
        (AvahiFacts(state: .stopped, unit: .masked), .avahiStopped),
        (AvahiFacts(state: .stopped, unit: .failed), .avahiUnusable),
        (facts(.running, on: ["lo"]), .avahiInterface),
    ]

    @Test(arguments: states.indices) func saysWhyAvahiDoesNotWork(row: Int) {
        let (avahi, code) = Self.states[row]
        let troubles = Self.judge(avahi)
        #expect(troubles.map(\.code) == [code])
        #expect(troubles.map(\.severity) == [.problem])
        #expect(Self.lines(troubles).isEmpty)
    }

    /// A daemon that is only stopped is started; one that fails, or has a setting with which it cannot start, is not.
    @Test func aDaemonThatCannotStartIsNotOneThatIsStopped() {
        #expect(Self.judge(Self.facts(.stopped)) == [.stopped])
        #expect(Self.judge(AvahiFacts(state: .stopped, unit: .failed)) == [.unstartable([])])
        #expect(Self.judge(AvahiFacts(state: .stopped, unit: .masked)) == [.masked])
        let troubles = Self.judge(Self.facts(.stopped, "[rlimits]\nrlimit-nofile=12"))
        #expect(troubles.map(\.code) == [.avahiUnusable])
        #expect(Self.lines(troubles) == ["rlimit-nofile=12"])
        // A running daemon has started.
        #expect(Self.judge(Self.facts(.running, "[rlimits]\nrlimit-nofile=12", on: ["wlan0"])).isEmpty)
    }

    @Test func aPortThatIsNotSharedIsNotAPortThatIsTaken() {
        let text = "[server]\ndisallow-other-stacks=yes"
        #expect(Self.lines(Self.judge(Self.facts(.portShared, text))) == ["disallow-other-stacks=yes"])
        // A program that has the port to itself keeps any daemon from it.
        #expect(Self.judge(Self.facts(.portTaken, text)) == [.portTaken([])])
    }

    @Test func aDaemonWithoutTheBusIsNotOneThatTheBusGuards() {
        #expect(Self.judge(Self.facts(.offBus)) == [.offBus([])])
        #expect(Self.lines(Self.judge(Self.facts(.offBus, "[server]\nenable-dbus=no"))) == ["enable-dbus=no"])
        #expect(Self.judge(Self.facts(.denied, "[server]\nenable-dbus=no")) == [.denied])
    }

    /// What keeps a daemon from an interface, and what only looks like it.
    @Test(
        arguments: [
            ("[server]\nallow-interfaces=eth0", .avahiInterface, ["allow-interfaces=eth0"]),
            ("[server]\ndeny-interfaces=wlan0", .avahiInterface, ["deny-interfaces=wlan0"]),
            ("[server]\ndeny-interfaces=eth0", .avahiInterface, []),
            ("[server]\ncache-entries-max=0", .avahiSetting, ["cache-entries-max=0"]),
            (
                "[server]\nratelimit-interval-usec=60000000\nratelimit-burst=1", .avahiSetting,
                ["ratelimit-interval-usec=60000000", "ratelimit-burst=1"]
            ),
            ("[server]\nratelimit-interval-usec=1000000\nratelimit-burst=1000", .avahiInterface, []),
            ("[publish]\npublish-addresses=no", .avahiSetting, ["publish-addresses=no"]),
            ("[server]\nobjects-per-client-max=2", .avahiFull, ["objects-per-client-max=2"]),
            ("[reflector]\nenable-reflector=yes", nil, []),
            (
                "[reflector]\nenable-reflector=yes\n[server]\ndeny-interfaces=wlan0", .avahiInterface,
                ["deny-interfaces=wlan0"]
            ),
        ] as [(String, Finding.Code?, [String])]
    )
    func namesTheSettingForAnInterface(text: String, code: Finding.Code?, lines: [String]) {
        let absent = Self.facts(.running, text, on: [])
        let troubles = Self.judge(absent)
        #expect(troubles.map(\.code) == [code].compactMap { $0 })
        #expect(Self.lines(troubles) == lines)
        // Machines that were found there prove the contrary, whatever the file says; only what others need is missing all the same.
        #expect(Self.judge(absent, peersOn: ["wlan0"]).isEmpty == !text.contains("publish-addresses"))
        #expect(Self.judge(Self.facts(.running, text, on: ["wlan0"])).isEmpty)
    }

    /// If the daemon was not asked, only what its file says is known.
    @Test func withoutAnAnswerOnlySettingsAreBlamed() {
        #expect(Self.judge(Self.facts()).isEmpty)
        #expect(Self.judge(Self.facts(.running, "[server]\nobjects-per-client-max=1")).isEmpty)
        let denied = Self.judge(Self.facts(.running, "[server]\ndeny-interfaces=wlan0"))
        #expect(denied.map(\.interface) == ["wlan0"])
    }

    @Test func oneOfTwoNetworksWithoutAvahiIsAProblem() {
        var machine = Machine.laptop
        machine.interfaces.append(Machine.interface("eth0", ["10.0.0.1/8"]))
        let avahi = Self.facts(.running, on: ["eth0", "lo"])
        #expect(Self.judge(avahi, machine) == [.excluded(interface: "wlan0", nil)])
        #expect(Self.judge(avahi, machine, peersOn: ["eth0"]) == [.excluded(interface: "wlan0", nil)])
    }

    /// An interface that has only the version that is switched off is not used; one that has both is used with the other.
    @Test func aMissingVersionIsTold() {
        let without6 = "[server]\nuse-ipv6=no"
        let avahi = Self.facts(.running, without6, on: ["wlan0"])
        let troubles = Self.judge(avahi)
        #expect(troubles.map(\.code) == [.avahiSetting])
        #expect(troubles.map(\.severity) == [.warning])
        guard case .versionOff(isIPv6: true, _, interfaces: ["wlan0"])? = troubles.first else {
            Issue.record("\(troubles)")
            return
        }
        #expect(Self.judge(avahi, peersOn: ["wlan0"]).isEmpty)
        let only4 = MachineFacts(interfaces: [Machine.interface("wlan0", ["192.168.1.7/24"])])
        #expect(Self.judge(avahi, only4).isEmpty)
        let only6 = MachineFacts(interfaces: [Machine.interface("wlan0", ["fe80::7"])])
        let excluded = Self.judge(Self.facts(.running, without6, on: ["lo"]), only6)
        #expect(excluded.map(\.code) == [.avahiInterface])
        #expect(Self.lines(excluded) == ["use-ipv6=no"])
        #expect(Self.lines(Self.judge(Self.facts(.running, "[server]\nuse-ipv4=no", on: []), only4)) == ["use-ipv4=no"])
    }

    /// An address that another machine has, too, is no reason to look for a setting.
    @Test func aDuplicateAddressIsNotBlamedOnAvahi() {
        var interface = Machine.interface("wlan0", ["fe80::7"])
        interface.addresses[0].state = .duplicate
        #expect(Self.judge(Self.facts(.running, on: ["lo"]), MachineFacts(interfaces: [interface])).isEmpty)
    }

    private static let limits: [(AvahiFacts.Limit, Finding.Severity, Set<String>, Bool)] = [
        (.init(of: "clients-max"), .problem, [], true), (.init(of: "clients-max"), .warning, ["wlan0"], true),
        (.init(of: "objects-per-client-max"), .warning, [], true),
        (.init(of: "objects-per-client-max"), .warning, ["wlan0"], false),
        (.init(of: "entries-per-entry-group-max"), .warning, [], true),
    ]

    @Test(arguments: limits.indices) func aLimitIsTold(row: Int) {
        let (limit, severity, peers, isTold) = Self.limits[row]
        var avahi = Self.facts(.running, "[server]\n\(limit.setting)=1")
        avahi.limit = limit
        let troubles = Self.judge(avahi, peersOn: peers)
        #expect(troubles.map(\.code) == (isTold ? [.avahiFull] : []))
        #expect(troubles.allSatisfy { $0.severity == severity })
        #expect(Self.lines(troubles) == (isTold ? ["\(limit.setting)=1"] : []))
        avahi.configuration = AvahiConfiguration()
        #expect(Self.lines(Self.judge(avahi, peersOn: peers)).isEmpty)
    }

    @Test func anotherDomainIsTold() {
        let other = Self.facts(.running, "[server]\ndomain-name=home", on: ["wlan0"])
        #expect(Self.lines(Self.judge(other)) == ["domain-name=home"])
        #expect(Self.judge(other, peersOn: ["wlan0"]).isEmpty)
        #expect(Self.judge(Self.facts(.running, "[server]\ndomain-name=local", on: ["wlan0"])).isEmpty)
    }

    @Test func deniedPublishingIsAWarning() {
        let text = "[publish]\ndisable-publishing=yes\ndisable-user-service-publishing=yes"
        var avahi = Self.facts(.running, text)
        avahi.deniesPublishing = true
        let troubles = Self.judge(avahi)
        #expect(troubles.map(\.severity) == [.warning])
        #expect(Self.lines(troubles) == ["disable-publishing=yes", "disable-user-service-publishing=yes"])
        // The daemon says it, and not the file.
        #expect(Self.judge(Self.facts(.running, text, on: ["wlan0"])).isEmpty)
    }

    /// Where multicast is blocked, nothing is known of the daemon.
    @Test func blamesAvahiForNothingThatItCannotHelp() {
        let deaf = Self.facts(.running, on: ["lo"])
        for fate in [MulticastFacts.Echo.Fate.lost, .forbidden] {
            let blocked = MulticastFacts(echoes: [.init(interface: "wlan0", isIPv6: false, fate: fate)])
            #expect(Self.judge(deaf, multicast: blocked).isEmpty)
        }
        let partly = MulticastFacts(echoes: [
            .init(interface: "wlan0", isIPv6: false, fate: .lost),
            .init(interface: "wlan0", isIPv6: true, fate: .returned),
        ])
        #expect(Self.judge(deaf, multicast: partly).map(\.code) == [.avahiInterface])
        #expect(Self.judge(deaf, MachineFacts()).isEmpty)
        #expect(Self.judge(Self.facts(.running, on: ["wlan0", "lo", "docker0"])).isEmpty)
    }

    /// That machines answer which it does not list is told only if nothing explains it.
    @Test func whoAnswersAndIsNotListedIsNamed() throws {
        let other = try #require(IPAddress("192.168.1.9"))
        let own = try #require(IPAddress("192.168.1.7"))
        let heard = MulticastFacts(announcers: [
            .init(interface: "wlan0", address: other), .init(interface: "wlan0", address: own),
        ])
        let fine = Self.facts(.running, on: ["wlan0"])
        #expect(Self.judge(fine, multicast: heard) == [.unaware([other])])
        #expect(Self.judge(fine, multicast: heard, peersOn: ["wlan0"]).isEmpty)
        let without6 = Self.facts(.running, "[server]\nuse-ipv6=no", on: ["wlan0"])
        #expect(Self.judge(without6, multicast: heard).map(\.code) == [.avahiSetting])
        #expect(Self.judge(Self.facts(.silent), multicast: heard) == [.silent])
    }
}
