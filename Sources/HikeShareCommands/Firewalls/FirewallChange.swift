import Diagnosis
import Glibc
import Sentences
import SharingReports

/// Opens or closes the firewall of this machine for `hikeshare doctor`.
struct FirewallChange {
    var work: FirewallReport.Work
    var opening: FirewallOpening
    var run: FirewallReader.Running = SystemProgram.run
    /// The user whose permissions count.
    var user = geteuid()
    /// Says later that this machine's firewall was opened.
    var mark = FirewallMark()

    /// Runs the commands that are needed.
    func perform(_ tell: (_ command: String, _ failure: String?) -> Void) throws -> FirewallReport {
        guard user == 0 else {
            throw CommandError(
                .usage,
                "Only root can read and change the firewall.",
                remedy: "Put sudo before the command:  \(command)"
            )
        }
        let state = FirewallReader.read(run)
        let commands = commands(for: state)
        var isDone = true
        for command in commands {
            let answer = run(command.program, command.arguments)
            let failure = answer.map { $0.isSuccess ? nil : $0.complaint } ?? "\(command.program) is not installed."
            if failure != nil { isDone = false }
            tell(command.text, failure)
        }
        let after = commands.isEmpty ? state : FirewallReader.read(run)
        let isComplete = isDone && self.commands(for: after).isEmpty
        if isComplete { mark.set(work == .open) }
        return FirewallReport(
            work: work,
            ports: opening.ports,
            count: commands.count,
            isDone: isComplete,
            usesUFW: commands.contains { $0.program == "ufw" },
            remarks: work == .open ? FirewallOpening.remarks(on: after) : []
        )
    }

    private func commands(for state: FirewallState) -> [FirewallCommand] {
        switch work {
        case .open: opening.commands(for: state)
        case .close: opening.closing(state)
        }
    }

    private var command: String {
        let opening = ProgramLocation.firewallCommand(ports: opening.ports, givesAddresses: opening.givesAddresses)
        return work == .open ? opening : opening.replacing("--open-firewall", with: "--close-firewall")
    }
}
