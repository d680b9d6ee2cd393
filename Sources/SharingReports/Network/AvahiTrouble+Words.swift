package import Diagnosis
import HostNetwork

extension AvahiTrouble {
    /// What is wrong, and what follows from it.
    package var message: String {
        switch self {
        case .missing: "Avahi, which finds machines nearby, is not installed."
        case .stopped: "Avahi, which finds machines nearby, is not running."
        case .masked: "Avahi, which finds machines nearby, is not running, and the system is told never to start it."
        case .unstartable([]): "Avahi, which finds machines nearby, is not running: it could not be started."
        case .unstartable(let settings):
            "Avahi, which finds machines nearby, is not running, and does not start with \(Self.lines(settings))."
        case .portTaken(let settings):
            "Avahi, which finds machines nearby, is not running, and another program has the port that it needs (UDP 5353)."
                + (settings.isEmpty ? "" : " With \(Self.lines(settings)) it shares the port with no program.")
        case .offBus(let settings):
            "Avahi, which finds machines nearby, is running, but no program reaches it over D-Bus"
                + (settings.isEmpty ? "." : ", because of \(Self.lines(settings)).")
        case .noBus: "The D-Bus system bus, through which Avahi is reached, is not running."
        case .busDenied: "The D-Bus system bus, through which Avahi is reached, does not let this user in."
        case .denied:
            "Avahi, which finds machines nearby, is running, but the rules of the system do not let you use it."
        case .silent: "Avahi, which finds machines nearby, is running but does not answer."
        case .failed(let reason): "Avahi, which finds machines nearby, does not work: \(reason)"
        case .full(let limit, let setting): Self.full(limit, setting)
        case .otherDomain(let setting):
            "Avahi is told to use another domain (\(Self.lines([setting]))), so this machine and others do not find each other."
        case .publishingDenied(let settings):
            "Avahi does not let programs announce themselves\(Self.cause(settings)). This machine can find others, but others do "
                + "not find it and need an address or a share link."
        case .addressesWithheld(let settings):
            "Avahi does not announce the addresses of this machine\(Self.cause(settings)), so others find it, but do not reach it."
        case .excluded(let interface, let setting):
            "Avahi is running, but not on \(interface), so it finds no machine there. "
                + (setting.map { "The reason is its setting \(Self.lines([$0]))." }
                    ?? "No setting of Avahi explains it.")
        case .hindered(let settings):
            "Avahi is running, but does not find machines, or is not found, with \(Self.lines(settings))."
        case .versionOff(let isIPv6, let setting, let interfaces):
            "Avahi does not use \(isIPv6 ? "IPv6" : "IPv4") on this machine (\(Self.lines([setting]))), which "
                + "\(Wording.list(interfaces)) has. It does not find machines that are announced only with it."
        case .unaware(let others):
            "Another machine answers (\(others.prefix(Self.maximumNamed).map(\.description).joined(separator: ", "))), but Avahi "
                + "on this machine does not list it."
        }
    }

    /// What a person can do; the commands follow it.
    package var remedy: String {
        switch self {
        case .missing: return "Install it while you have internet:"
        case .stopped: return "Start it. If that fails, its log says why:"
        case .masked: return "Permit it, and start it:"
        case .portTaken where settings.isEmpty: return "To see that program, and to start Avahi when it has ended:"
        case .noBus: return "Start both:"
        case .busDenied: return "Run the program as the user of the desktop session."
        case .denied:
            return
                "Use the share link or the address that the other machine shows. Files in /etc/dbus-1/system.d say who may use "
                + "org.freedesktop.Avahi."
        case .unstartable([]), .excluded(_, nil): return "See what it says in the system's log:"
        case .silent, .failed: return "Restart it:"
        case .offBus([]), .publishingDenied([]): return "Restart it:"
        case .full(_, nil): return "End other programs that use Avahi, or restart it:"
        case .unaware:
            return
                "Restart Avahi. If that does not help, use the address or the share link that the other machine shows."
        default:
            let isOne = settings.count == 1
            return "Take \(isOne ? "the line" : "these lines") out of \(AvahiConfiguration.path), and start Avahi anew:"
        }
    }

    /// What to type, one command after the other; each works by itself.
    package var commands: [String] {
        switch self {
        case .missing: ["sudo apt install avahi-daemon"]
        case .stopped: ["sudo systemctl start avahi-daemon", Self.log]
        case .masked:
            [
                "sudo systemctl unmask avahi-daemon.service avahi-daemon.socket",
                "sudo systemctl start avahi-daemon",
            ]
        case .portTaken where settings.isEmpty: ["sudo ss -ulpn sport = 5353", "sudo systemctl start avahi-daemon"]
        case .noBus: ["sudo systemctl start dbus avahi-daemon"]
        case .busDenied: []
        case .denied: []
        case .unstartable([]), .excluded(_, nil): [Self.log]
        default: Self.deletions(of: settings) + ["sudo systemctl restart avahi-daemon"]
        }
    }

    private static let maximumNamed = 3
    private static let log = "sudo journalctl -u avahi-daemon -n 20"

    /// Without a line, the default of the setting holds (avahi-daemon.conf(5)).
    private static func deletions(of settings: [Setting]) -> [String] {
        guard !settings.isEmpty else { return [] }
        let expressions = settings.map { "/^\\s*\($0.name)\\s*=/Id" }
        return ["sudo sed -i '\(expressions.joined(separator: "; "))' \(AvahiConfiguration.path)"]
    }

    private static func lines(_ settings: [Setting]) -> String { Wording.list(settings.map(\.line)) }

    private static func cause(_ settings: [Setting]) -> String {
        settings.isEmpty ? "" : " (\(lines(settings)))"
    }

    private static func full(_ limit: AvahiFacts.Limit, _ setting: Setting?) -> String {
        let effect =
            switch (limit.hindersAnnouncing, limit.hindersFinding) {
            case (true, false): "so others do not find this machine, and need an address or a share link"
            case (false, true): "so this machine does not find others, and needs their address or share link"
            default: "so this machine and others do not find each other"
            }
        let cause = setting?.line ?? "its \(limit.setting) is reached"
        let what =
            limit.setting == "clients-max"
            ? "Avahi takes no more programs" : "Avahi lets a program ask for too little at a time"
        return "\(what) (\(cause)), \(effect)."
    }
}
