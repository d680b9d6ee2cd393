/// Adjusts findings to each other.
enum Weighing {
    /// Returns findings without repetitions, each with the severity that it has together with the others.
    static func weighed(_ findings: [Finding]) -> [Finding] {
        let codes = Set(findings.map(\.code))
        let isReached = codes.contains(.peerReached)
        var seen: Set<Finding> = []
        return findings.compactMap { finding in
            var finding = finding
            switch finding.code {
            case .tunnelActive where codes.contains(.noPeers):
                // If nothing else is wrong, a VPN that blocks the local network is the usual reason.
                finding.severity = .warning
            case .tunnelTakesNetwork where isReached:
                // The other machine was reached by another address, such as an IPv6 link-local one.
                finding.severity = .warning
            default:
                break
            }
            // Both the routes and the ways to peers report a tunnel.
            return seen.insert(finding).inserted ? finding : nil
        }
    }
}
