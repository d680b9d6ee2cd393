import SharingReports
import Testing

@testable import Diagnosis

@Suite struct AvahiTroubleWordsTests {
    private static func settings(_ section: String, _ lines: String) -> [AvahiConfiguration.Setting] {
        AvahiConfiguration(parsing: "[\(section)]\n" + lines).settings
    }

    private static let limit = AvahiFacts.Limit(setting: "clients-max", hindersAnnouncing: true, hindersFinding: true)
    private static let restart = "sudo systemctl restart avahi-daemon"

    private static let all: [(AvahiTrouble, [String])] = [
        (.missing, ["sudo apt install avahi-daemon"]),
        (.stopped, ["sudo systemctl start avahi-daemon", "sudo journalctl -u avahi-daemon -n 20"]),
        (
            .masked,
            ["sudo systemctl unmask avahi-daemon.service avahi-daemon.socket", "sudo systemctl start avahi-daemon"]
        ),
        (.unstartable([]), ["sudo journalctl -u avahi-daemon -n 20"]),
        (.unstartable(settings("server", "host-name=a.b")), deletion("host-name")),
        (.portTaken([]), ["sudo ss -ulpn sport = 5353", "sudo systemctl start avahi-daemon"]),
        (.portTaken(settings("server", "disallow-other-stacks=yes")), deletion("disallow-other-stacks")),
        (.offBus([]), [restart]), (.offBus(settings("server", "enable-dbus=no")), deletion("enable-dbus")),
        (.noBus, ["sudo systemctl start dbus avahi-daemon"]), (.busDenied, []),
        (.denied, []),
        (.silent, [restart]),
        (.failed("No."), [restart]), (.full(limit, nil), [restart]),
        (.full(limit, settings("server", "clients-max=1").first), deletion("clients-max")),
        (.excluded(interface: "wlan0", nil), ["sudo journalctl -u avahi-daemon -n 20"]),
        (.excluded(interface: "wlan0", settings("server", "Deny-Interfaces=wlan0").first), deletion("deny-interfaces")),
        (.publishingDenied([]), [restart]), (.unaware([]), [restart]),
        (
            .publishingDenied(settings("publish", "disable-publishing=yes\ndisable-user-service-publishing=yes")),
            deletion("disable-publishing", "disable-user-service-publishing")
        ),
    ]

    private static func deletion(_ names: String...) -> [String] {
        let expressions = names.map { #"/^\s*"# + $0 + #"\s*=/Id"# }.joined(separator: "; ")
        return ["sudo sed -i '\(expressions)' /etc/avahi/avahi-daemon.conf", restart]
    }

    @Test(arguments: all.indices) func eachCommandStandsAlone(row: Int) {
        let (trouble, commands) = Self.all[row]
        #expect(trouble.commands == commands)
        #expect(!trouble.remedy.hasSuffix(":") || !commands.isEmpty)
        #expect(trouble.message.hasSuffix("."))
        for setting in trouble.settings { #expect(trouble.message.contains(setting.line)) }
    }

    /// What was tried already is not advised again.
    @Test func aStartIsAdvisedOnlyForADaemonThatCanStart() {
        for trouble in [AvahiTrouble.unstartable([]), .denied, .excluded(interface: "wlan0", nil)] {
            #expect(!trouble.commands.contains { $0.contains("systemctl") })
        }
    }
}
