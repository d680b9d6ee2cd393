import Diagnosis
import SharingReports

/// What has become of the firewall of this machine.
struct FirewallReport: ObjectReport {
    /// What was asked for.
    enum Work {
        case open, close
    }

    var work: Work
    var ports: [Int]
    /// The number of the commands that were run.
    var count: Int
    /// Whether all that was asked for has been done.
    var isDone: Bool
    var usesUFW: Bool
    var remarks: [FirewallOpening.Remark]

    var json: JSONObject {
        ["type": "firewall", "isOpen": work == .open, "isDone": isDone, "ports": ports, "notes": notes]
    }

    var text: DisplayText { ([headline] + notes).map { "\($0)" }.joined(separator: "\n") }

    private var headline: String {
        switch (work, isDone, count) {
        case (_, false, _): "The firewall of this machine could not be changed as it should be."
        case (.open, true, 0):
            "Nothing to do: no rule that this program can see drops what hikeshare needs, or all of it is open already."
        case (.open, true, _): "The firewall of this machine is open for hikeshare (\(list))."
        case (.close, true, 0): "Nothing to do: the firewall of this machine has no rule of hikeshare."
        case (.close, true, _): "The firewall of this machine is as it was before."
        }
    }

    private var list: String {
        "TCP \(ports.count == 1 ? "port" : "ports") \(ports.map { "\($0)" }.joined(separator: ", ")), "
            + (ports.contains(FirewallOpening.phonePort)
                ? "and UDP ports 5353 and \(FirewallOpening.phonePort) for discovery"
                : "and UDP port 5353 for discovery")
    }

    private var notes: [String] {
        var notes = remarks.map(Self.words)
        guard work == .open, isDone, count > 0 else { return notes }
        notes.append(
            (usesUFW
                ? "ufw keeps its rules; all others are gone after a restart of this machine or of its firewall. "
                : "The rules are gone after a restart of this machine or of its firewall. ")
                + "To take them out now, run this command with --close-firewall instead of --open-firewall."
        )
        return notes
    }

    private static func words(_ remark: FirewallOpening.Remark) -> String {
        switch remark {
        case .unread:
            "The rules could not be read: neither nft nor iptables works here. If something filters packets, it was not changed."
        case .unknownRules: "Some rules of this machine are not understood, and may still drop packets."
        case .untouched(let place):
            "The chain \(place.family.rawValue) \(place.table) \(place.name) may drop packets, and was not changed. "
                + "To see it:  sudo nft list ruleset"
        }
    }
}

extension Report where Self == PlainReport {
    /// A command has changed the firewall of this machine, or has failed, for a reason in the words of the program.
    static func ran(_ command: String, failure: String?) -> Self {
        let line: DisplayText = "\(command, .command)"
        // firewalld says only that it is in that mode (firewall-cmd(1)).
        let isPanic = failure?.contains("PANIC_MODE") == true
        let words =
            isPanic
            ? "firewalld is in panic mode, in which nothing gets in or out. To end it:  sudo firewall-cmd --panic-off"
            : failure
        return Self(
            ["type": "firewallCommand", "command": command, "failure": failure],
            words.map { ["\(line)", "  \("failed:", .alarm) \($0)"].joined(separator: "\n") } ?? line
        )
    }
}
