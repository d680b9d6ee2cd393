import Diagnosis
import PeerCore
import RegionSharing
import SharingReports

/// Examines this machine for the command `hikeshare doctor`.
struct Doctor: Sendable {
    /// The folder of the store.
    var storePath: String
    /// The only machine to look at; nil for all that are found.
    var destination: PeerAddress?

    /// Examines everything, for a few seconds.
    ///
    /// - Returns: The report.
    /// - Throws: `CancellationError`.
    func examine() async throws -> DoctorReport {
        async let further = HotspotCheck.findings()
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
        findings = Weighing.joined(findings, await further)
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
}

extension Finding.Code {
    /// The way from the other machine was not tested.
    static let otherDirection = Self("otherDirection")
}

/// The remedies that name commands and options of this program, as ``ProgramRemedy`` has them for errors.
struct DoctorAdvice {
    /// What to do; nil for nothing.
    var remedy: String?
    /// The commands to run, one of them or one after the other, as the remedy says.
    var commands: [String]

    /// Returns what to do about a finding: the finding's own remedy, if no command or option of this program helps.
    init(for finding: Finding) {
        remedy = finding.remedy
        commands = finding.command.map { [$0] } ?? []
        switch finding.code {
        case .noPeers:
            remedy =
                "Run 'hikeshare send' on one of the two. If it is running there, its share link may work, or test the way "
                + "to the address that it shows. If neither helps, the network keeps its devices apart, as many guest "
                + "networks and phone hotspots do: use a cable."
            commands = ["hikeshare doctor --with ADDRESS"]
        case .portBlocked, .peerSilent:
            guard let port = finding.port else { break }
            remedy =
                "Open the port there. If that does not help, use a cable. With ufw, firewalld (two commands), "
                + "\(Firewall.ofUnknownRules):"
            commands = Firewall.allCases.map { $0.command(opening: port) }
        case .clientIsolation:
            commands = ["hikeshare send REGION --hotspot"]
        case .portRefused:
            remedy = "Check that 'hikeshare send' is running on the other machine, and which port it shows."
        case .readOnly, .noPermission, .diskFull, .diskLow:
            remedy = finding.remedy?.replacing("a folder ", with: "a folder (--store) ")
        default:
            break
        }
        // Long lines are hard to copy from a narrow window.
        commands = commands.flatMap { $0.replacing("; ", with: " && ").split(separator: " && ").map(String.init) }
    }

    /// A finding and what to do, as one item of a list.
    ///
    /// In the window it is without commands, and names no command of this program.
    static func item(_ finding: Finding) -> Hint {
        let advice = DoctorAdvice(for: finding)
        let words = [finding.message, advice.remedy].compactMap { $0 }.joined(separator: " ")
        let typed = [DisplayText(escaping: words)] + advice.commands.map { "      \($0, .command)" }
        let remedy = finding.remedy.map { Wording.sentence($0, naming: []) }
        let shown = [finding.message, remedy].compactMap { $0 }.joined(separator: " ")
        return .typed(typed.joined(separator: "\n"), window: DisplayText(escaping: shown))
    }
}

/// What has gone wrong, for programs, at once: the error with its hints follows.
struct FailedReport: Report {
    var problem: ProblemReport

    var payloads: [JSONObject] { [["type": "failed", "code": problem.code, "message": problem.message]] }

    var text: DisplayText { problem.headline }
}

/// What stands in the way on this machine, for commands that have failed.
enum LocalHints {
    /// Findings that say the same as the error that discovery is not available.
    private static let said: Set<Finding.Code> = [.avahiStopped, .avahiSilent, .busStopped]

    /// Runs `body`, and adds hints to its error if the other machine was not found or did not answer.
    ///
    /// The error is told before they are looked for. A request to stop ends the search.
    static func adding(on console: Console, to body: @escaping @Sendable () async throws -> Void) async throws {
        try await Interruption.watch {
            false
        } conclude: { error in
            let interruption = CommandError(.interrupted, "Interrupted.")
            let incomplete = ((error as? HintedError)?.underlying ?? error) as? IncompleteReception
            return incomplete.map { IncompleteReception(underlying: interruption, kept: $0.kept) } ?? interruption
        } _: {
            do {
                try await body()
            } catch  where mayBeHinted(error) {
                throw await hinted(error, tellingOn: console)
            }
        }
    }

    /// Tells an error, and adds hints to it.
    private static func hinted(_ error: any Error, tellingOn console: Console) async -> HintedError {
        let report = FailedReport(problem: ProblemReport(error))
        console.emitForPrograms(report)
        let isTold = console.format == .text
        if isTold { console.tell(report.text) }
        let looking: DisplayText = "Looking for the cause…"
        console.show(isTold ? looking : "\(report.problem.message) \(looking)")
        defer { console.show(nil) }
        var found = await hinted(error)
        found.told = isTold ? report.problem.message : nil
        return found
    }

    /// Whether something on this machine or on the way may explain an error.
    static func mayBeHinted(_ error: any Error) -> Bool {
        switch (error as? IncompleteReception)?.underlying ?? error {
        case FindingError.noSender(_, let others): others.isEmpty
        case let error as PeerError: error.code == .discoveryUnavailable || error.cause is UnansweredConnection
        default: false
        }
    }

    /// What to check if no sender is found; without a network, only that.
    static func forDiscovery() async -> [Hint] {
        if let absence = Examination.missingNetwork() { return [DoctorAdvice.item(absence)] }
        return await Examination(application: .hikeshare, storePath: "").hintsForDiscovery().map(DoctorAdvice.item)
            + CommandError.whatToCheck
    }

    /// What is missing if the machine has no usable network, for which the program waits.
    static func forConnecting() -> [Hint] {
        Examination.hintsForConnecting().map {
            $0 == Examination.missingNetwork() ? waiting(for: $0) : DoctorAdvice.item($0)
        }
    }

    /// Says what is missing if the machine has no usable network, for which the program waits.
    static func noteNetwork(on console: Console) {
        for finding in forConnecting() {
            console.note(finding.typed)
        }
    }

    /// Says why this machine is on no network, and that the program waits.
    static func waiting(for absence: Finding) -> Hint {
        var absence = absence
        absence.message += " hikeshare goes on by itself when there is one."
        return DoctorAdvice.item(absence)
    }

    /// Says why this machine is on no network, if that may be why a sender did not answer.
    static func absence(after error: any Error) -> String? {
        guard let unanswered = (error as? PeerError)?.cause as? UnansweredConnection,
            !unanswered.isAtHome
        else { return nil }
        return Examination.missingNetwork()?.message
    }

    /// Looks for what on this machine or on the way may explain an error, and adds it.
    static func hinted(_ wholeError: any Error) async -> HintedError {
        let examination = Examination(application: .hikeshare, storePath: "")
        switch (wholeError as? IncompleteReception)?.underlying ?? wholeError {
        case let error as FindingError:
            let (words, hints) = (error.words, await forDiscovery())
            let remedy = hints.count > 1 ? words.remedy : nil
            return HintedError(underlying: CommandError(words.code, words.message, remedy: remedy), hints: hints)
        case let error as PeerError:
            guard let unanswered = error.cause as? UnansweredConnection else {
                let findings = await examination.hintsForDiscovery().filter { !said.contains($0.code) }
                return HintedError(underlying: wholeError, hints: findings.map(DoctorAdvice.item))
            }
            let findings = await examination.hints(after: unanswered, from: "the sender")
            if findings.contains(where: { $0.code == .portRefused }) {
                return HintedError(underlying: stopped(wholeError, error))
            }
            return HintedError(underlying: wholeError, hints: findings.map(DoctorAdvice.item))
        default:
            return HintedError(underlying: wholeError)
        }
    }

    /// The error that the sender's machine is there, and that nothing listens at its port any more.
    private static func stopped(_ wholeError: any Error, _ error: PeerError) -> any Error {
        let message = "The sender's laptop is there, but sends nothing now."
        let stopped = PeerError(error.code, message, cause: SenderStopped())
        guard var incomplete = wholeError as? IncompleteReception else { return stopped }
        incomplete.underlying = stopped
        return incomplete
    }
}
