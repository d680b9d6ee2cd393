import ArgumentParser
import PeerCore
import RegionSharing
import SharingReports

struct DoctorCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say why machines do not find or reach each other.",
        discussion: """
            Examines the network, discovery, the firewall, the clock and the disk of this machine, looks for senders for \
            a few seconds, and tries to connect to each of them. Each finding comes with what to do about it. Nothing is \
            changed. Run it on both machines.

            --open-firewall examines nothing. It reads the rules of this machine's firewall and adds what hikeshare needs, and \
            --close-firewall takes that out again. Both need root.

            Exit codes: 0 no problem (perhaps warnings), 1 the firewall could not be changed, 3 another machine cannot be \
            reached, 7 storage, 8 network or discovery.

            Examples:
              hikeshare doctor
              hikeshare doctor --with 192.168.1.7
              sudo hikeshare doctor --open-firewall
            """
    )

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Test the way to this address, as the sender shows it, instead of looking for senders.",
            valueName: "host[:port]"
        ),
        transform: PeerAddress.read
    )
    var destination: PeerAddress?

    @OptionGroup var firewall: FirewallOptions

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard destination == nil || firewall.work == nil else {
            throw ValidationError("--with examines a way, and --open-firewall and --close-firewall examine nothing.")
        }
    }

    func run() async throws {
        let console = global.makeConsole()
        if let change = firewall.change {
            let report = try change.perform { console.emit(.ran($0, failure: $1)) }
            console.emit(report)
            guard report.isDone else { throw ReportedFailure(status: .failure) }
            return
        }
        let check = MachineCheck(for: .hikeshare, store: try global.storePath)
        console.show("Examining this machine and its networks…")
        defer { console.show(nil) }
        let report = DoctorReport(
            findings: try await Interruption.watch { [destination] in
                try await check.examine(wayTo: destination.map { [$0] } ?? [])
            }
        )
        console.show(nil)
        console.emit(report)
        guard report.status == .success else { throw ReportedFailure(status: report.status) }
    }
}
