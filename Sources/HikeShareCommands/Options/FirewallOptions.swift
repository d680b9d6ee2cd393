import ArgumentParser
import Diagnosis
import PeerCore
import SharingReports

/// The options of `doctor` for the firewall of this machine.
struct FirewallOptions: ParsableArguments {
    @Flag(help: "Open the firewall of this machine for hikeshare. Needs root.")
    var openFirewall = false

    @Flag(help: "Take out what --open-firewall has added. Needs root.")
    var closeFirewall = false

    @Option(
        help: ArgumentHelp(
            "TCP port to open, as the sender shows it; may be repeated (default: 64453).",
            valueName: "port"
        )
    )
    var port: [Int] = []

    @Flag(help: "Also open what a Wi-Fi network of this machine needs to give addresses to others.")
    var hotspot = false

    func validate() throws {
        guard !(openFirewall && closeFirewall) else {
            throw ValidationError("--open-firewall and --close-firewall exclude each other.")
        }
        guard work != nil || port.isEmpty && !hotspot else {
            throw ValidationError("--port and --hotspot need --open-firewall or --close-firewall.")
        }
        guard port.count <= Self.maximumPorts, port.allSatisfy({ (1...65_535).contains($0) }) else {
            throw ValidationError("--port must be 1 to 65535, and at most \(Self.maximumPorts) can be given.")
        }
    }

    private static let maximumPorts = 16

    /// What to do with the firewall; nil for nothing.
    var work: FirewallReport.Work? { openFirewall ? .open : closeFirewall ? .close : nil }

    /// The change; nil for none.
    var change: FirewallChange? {
        let usual = PeerServiceType.hikeshare.defaultPort.map { [$0] } ?? []
        let ports = port.isEmpty ? usual : port
        return work.map { FirewallChange(work: $0, opening: FirewallOpening(ports: ports, givesAddresses: hotspot)) }
    }
}
