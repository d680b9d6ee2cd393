import Diagnosis
import PeerCore

/// Examines this machine for the command `hikeshare doctor`.
struct Doctor: Sendable {
    /// A check of something that `Diagnosis` does not know.
    ///
    /// It runs at the same time as the other checks, and should take no more than three seconds. Its findings have codes of
    /// their own (`Finding.Code("hotspot")`).
    struct FurtherCheck: Sendable {
        /// Examines, and returns the findings.
        var run: @Sendable () async -> [Finding]
    }

    /// The further checks of this program.
    static let furtherChecks: [FurtherCheck] = [HotspotCheck.check]

    /// The folder of the store.
    var storePath: String
    /// The only machine to look at; nil for all that are found.
    var destination: PeerAddress?
    var furtherChecks = Self.furtherChecks

    /// Examines everything, for a few seconds.
    ///
    /// - Returns: The report.
    /// - Throws: `CancellationError`.
    func examine() async throws -> DoctorReport {
        async let further = further()
        var findings: [Finding] = []
        do {
            let destination = try await resolve()
            let (found, ownAddress) = await Examination(application: .hikeshare, storePath: storePath)
                .run(to: destination)
            findings = found
            if let ownAddress, destination != nil { findings.append(Self.otherDirection(to: ownAddress)) }
        } catch let error as PeerError {
            findings = await Examination(application: .hikeshare, storePath: storePath).run().findings
            findings.append(PeerChecks.unknownHost(destination?.host ?? error.message))
        }
        findings += await further
        try Task.checkCancellation()
        return DoctorReport(findings: findings)
    }

    private func resolve() async throws -> Examination.Destination? {
        guard let destination else { return nil }
        return Examination.Destination(name: destination.host, addresses: try await destination.resolve())
    }

    /// What to do to test the way from the other machine to this one.
    private static func otherDirection(to address: String) -> Finding {
        Finding(
            .otherDirection,
            .peers,
            .note,
            "The way from the other machine to this one was not tested.",
            remedy: "To test it, run on the other machine:",
            command: "hikeshare doctor --with \(address.contains(":") ? "'[\(address)]:\(usualPort)'" : address)"
        )
    }

    private static let usualPort = PeerServiceType.hikeshare.defaultPort ?? 0

    private func further() async -> [Finding] {
        await withTaskGroup(of: [Finding].self) { group in
            for check in furtherChecks { group.addTask { await check.run() } }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }
}

extension Finding.Code {
    /// The way from the other machine was not tested.
    static let otherDirection = Self("otherDirection")
}
