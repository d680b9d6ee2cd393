import ArgumentParser
import PeerCore
import SharingReports

/// The command `hikeshare doctor`.
struct DoctorCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say why machines do not find or reach each other.",
        discussion: """
            Examines the network, discovery, the firewall, the clock and the disk of this machine, looks for senders for \
            a few seconds, and tries to connect to each of them. Each finding comes with what to do about it. Nothing is \
            changed. Run it on both machines.

            Exit codes: 0 no problem (perhaps warnings), 3 another machine cannot be reached, 7 storage, 8 network or \
            discovery.

            Examples:
              hikeshare doctor
              hikeshare doctor --with 192.168.1.7
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

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let doctor = Doctor(storePath: try global.storePath, destination: destination)
        console.show("Examining this machine and its networks…")
        defer { console.show(nil) }
        let report = try await Interruption.watch { try await doctor.examine() }
        console.show(nil)
        console.emit(report)
        guard report.status == .success else { throw ReportedFailure(status: report.status) }
    }
}
