import Diagnosis
import SharingReports

/// What `hikeshare doctor` has found, the worst first.
struct DoctorReport: Report {
    /// The findings, the worst first.
    let findings: [Finding]

    /// Sorts findings.
    init(findings: [Finding]) {
        // Of equal severity, the order of the examination stays: causes come before their consequences.
        self.findings = findings.enumerated().sorted {
            $0.element.severity == $1.element.severity
                ? $0.offset < $1.offset : $0.element.severity > $1.element.severity
        }.map(\.element)
    }

    /// The exit code: that of the first problem; success if there is none.
    var status: ExitStatus {
        guard let worst = findings.first, worst.severity == .problem else { return .success }
        return switch worst.subject {
        case .network, .discovery, .firewall: .noDiscovery
        case .peers: .notFound
        case .clock: .failure
        case .storage: .storage
        }
    }

    var payloads: [JSONObject] { findings.map(\.json) }

    var text: DisplayText {
        let isFine = findings.allSatisfy { $0.severity < .warning }
        // What is fine would push a problem out of the window.
        let shown = Finding.Severity.allCases.filter { isFine || $0 > .ok }.reversed().map(section)
        // Only an encrypted connection proves that nothing is in the way.
        let words =
            findings.contains { $0.code == .peerReached }
            ? "Nothing stands in the way of sharing."
            : "No problem found on this machine. The way to another one was not tested."
        let verdict: [DisplayText] = isFine ? ["\(words, .strong)"] : []
        return (verdict + shown.filter { !$0.isEmpty }).joined(separator: "\n\n")
    }

    private func section(_ severity: Finding.Severity) -> DisplayText {
        let found = findings.filter { $0.severity == severity }
        guard !found.isEmpty else { return "" }
        return ([Self.title(severity, found.count)] + found.map { "  - \($0.hint.typed)" }).joined(
            separator: "\n"
        )
    }

    private static func title(_ severity: Finding.Severity, _ count: Int) -> DisplayText {
        switch severity {
        case .problem: "\(count == 1 ? "Problem:" : "Problems:", .alarm)"
        case .warning: "\(count == 1 ? "Warning:" : "Warnings:", .caution)"
        case .note: "Good to know:"
        case .ok: "Checked, and fine:"
        }
    }
}
