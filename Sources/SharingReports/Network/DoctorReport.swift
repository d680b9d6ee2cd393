package import Diagnosis

/// What `hikeshare doctor` has found, the worst first.
package struct DoctorReport: Report {
    /// The findings, the worst first.
    package let findings: [Finding]

    /// Sorts findings.
    package init(findings: [Finding]) {
        // Of equal severity, the order of the examination stays: causes come before their consequences.
        self.findings = findings.enumerated().sorted {
            $0.element.severity == $1.element.severity
                ? $0.offset < $1.offset : $0.element.severity > $1.element.severity
        }.map(\.element)
    }

    /// The exit code: that of the first problem; success if there is none.
    package var status: ExitStatus {
        guard let worst = findings.first, worst.severity == .problem else { return .success }
        return switch worst.subject {
        case .network, .discovery, .firewall: .noDiscovery
        case .peers: .notFound
        case .clock: .failure
        case .storage: .storage
        }
    }

    package var payloads: [JSONObject] { findings.map(\.json) }

    package var text: DisplayText {
        let sections = sections.map { section in
            ([Self.title(section)] + section.findings.map { "  - \($0.hint.typed)" }).joined(separator: "\n")
        }
        return ((verdict.map { [$0] } ?? []) + sections).joined(separator: "\n\n")
    }

    /// The paragraphs of each severity for a window that shows commands to copy, the worst first.
    package var paragraphs: [(isObstacle: Bool, texts: [DisplayText])] {
        sections.map { ($0.severity > .note, [Self.title($0)] + $0.findings.map(\.copied)) }
    }

    /// What it means as a whole; nil if something stands in the way.
    package var verdict: DisplayText? {
        guard isFine else { return nil }
        // Only an encrypted connection proves that nothing is in the way.
        let words =
            findings.contains { $0.code == .peerReached }
            ? "Nothing stands in the way of sharing."
            : "No problem found on this machine. The way to another one was not tested."
        return "\(words, .strong)"
    }

    private var isFine: Bool { findings.allSatisfy { $0.severity < .warning } }

    /// The findings of one severity.
    private typealias Section = (severity: Finding.Severity, findings: [Finding])

    private var sections: [Section] {
        // What is fine would push a problem out of sight.
        Finding.Severity.allCases.filter { isFine || $0 > .ok }.reversed().map { severity in
            (severity, findings.filter { $0.severity == severity })
        }.filter { !$0.findings.isEmpty }
    }

    private static func title(_ section: Section) -> DisplayText {
        let count = section.findings.count
        return switch section.severity {
        case .problem: "\(count == 1 ? "Problem:" : "Problems:", .alarm)"
        case .warning: "\(count == 1 ? "Warning:" : "Warnings:", .caution)"
        case .note: "Good to know:"
        case .ok: "Checked, and fine:"
        }
    }
}
