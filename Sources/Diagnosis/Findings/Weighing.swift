/// Judges findings in the light of each other.
enum Weighing {
    /// Returns findings without repetitions, with the severity that they have together.
    static func weighed(_ findings: [Finding]) -> [Finding] {
        let codes = Set(findings.map(\.code))
        let isReached = codes.contains(.peerReached)
        var seen: Set<Finding> = []
        return findings.compactMap { finding in
            var finding = finding
            switch finding.code {
            case .tunnelActive where codes.contains(.noPeers):
                // A VPN that keeps the local network away is the usual reason if nothing else is wrong.
                finding.severity = .warning
            case .tunnelTakesNetwork where isReached:
                // The other machine is reached in another way, such as IPv6 link-local.
                finding.severity = .warning
            default:
                break
            }
            // A tunnel is found by the routes and by the ways to peers.
            return seen.insert(finding).inserted ? finding : nil
        }
    }
}
