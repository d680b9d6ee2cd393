/// One result of an examination: what was found, why it matters, and what a person can do about it.
package struct Finding: Hashable, Sendable {
    /// The severity of a finding, the least severe first.
    package enum Severity: String, CaseIterable, Comparable, Sendable {
        /// What was checked is as it should be.
        case ok
        /// Worth knowing; nothing has to be done.
        case note
        /// Something works only in part, or may fail.
        case warning
        /// Something does not work.
        case problem

        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// What a finding is about.
    package enum Subject: String, CaseIterable, Sendable {
        /// Interfaces, addresses and routes of this machine.
        case network
        /// Avahi and multicast.
        case discovery
        /// The firewall of this machine.
        case firewall
        /// The machines nearby, and the ways to them.
        case peers
        /// The time of this machine.
        case clock
        /// The folder in which data are stored.
        case storage
    }

    /// What was found, for programs.
    package var code: Code

    /// What the finding is about.
    package var subject: Subject

    /// The severity.
    package var severity: Severity

    /// What was found, and why it matters, in words that a person without technical knowledge understands.
    package var message: String

    /// What the person can do; nil if nothing has to be done.
    package var remedy: String?

    /// The command that solves the problem; nil if there is none.
    package var command: String?

    /// The interface that the finding is about; nil for none or several.
    package var interface: String?

    /// The port that the finding is about; nil for none.
    package var port: Int?

    /// Creates a finding.
    package init(
        _ code: Code,
        _ subject: Subject,
        _ severity: Severity,
        _ message: String,
        remedy: String? = nil,
        command: String? = nil,
        interface: String? = nil,
        port: Int? = nil
    ) {
        self.code = code
        self.subject = subject
        self.severity = severity
        self.message = message
        self.remedy = remedy
        self.command = command
        self.interface = interface
        self.port = port
    }
}

extension Finding {
    /// The kind of a finding; it stays the same in all versions.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name, for programs.
        package let name: String

        /// Creates a code; an application can add checks of its own.
        package init(_ name: String) {
            self.name = name
        }

        /// The code's name.
        package var description: String { name }
    }
}

extension Finding.Code {
    /// This machine has an address on a local network.
    package static let address = Self("address")
    /// There is no network card.
    package static let noInterface = Self("noInterface")
    /// The radio is switched off.
    package static let radioOff = Self("radioOff")
    /// All network cards are switched off.
    package static let interfaceDown = Self("interfaceDown")
    /// No cable is plugged in, and no Wi-Fi is joined.
    package static let noCarrier = Self("noCarrier")
    /// The program that manages the networks uses none.
    package static let networkingOff = Self("networkingOff")
    /// A network is connected, but there is no address.
    package static let noAddress = Self("noAddress")
    /// Packets for the local network go into a tunnel.
    package static let tunnelTakesNetwork = Self("tunnelTakesNetwork")
    /// Packets for the local network go to containers or virtual machines on this machine.
    package static let containersTakeNetwork = Self("containersTakeNetwork")
    /// A VPN is active.
    package static let tunnelActive = Self("tunnelActive")

    /// Avahi works on the networks of this machine.
    package static let avahi = Self("avahi")
    /// Avahi is not installed.
    package static let avahiMissing = Self("avahiMissing")
    /// Avahi is not running.
    package static let avahiStopped = Self("avahiStopped")
    /// The D-Bus system bus is not running.
    package static let busStopped = Self("busStopped")
    /// Avahi runs and does not answer.
    package static let avahiSilent = Self("avahiSilent")
    /// Avahi does not use the interface of the local network.
    package static let avahiInterface = Self("avahiInterface")
    /// Avahi does not let programs announce services.
    package static let publishingDenied = Self("publishingDenied")
    /// Avahi cannot work with its settings, or because another program has its port.
    package static let avahiUnusable = Self("avahiUnusable")
    /// Another machine answers that Avahi does not list.
    package static let avahiUnaware = Self("avahiUnaware")
    /// The D-Bus system bus refuses this user.
    package static let busDenied = Self("busDenied")
    /// Multicast works on the interfaces of this machine.
    package static let multicast = Self("multicast")
    /// An interface cannot send multicast.
    package static let multicastOff = Self("multicastOff")
    /// Multicast packets do not come in or do not go out.
    package static let multicastBlocked = Self("multicastBlocked")

    /// A firewall is active on this machine.
    package static let firewallActive = Self("firewallActive")
    /// No firewall is active on this machine.
    package static let noFirewall = Self("noFirewall")
    /// A firewall of this machine forbids connections to a peer.
    package static let outgoingBlocked = Self("outgoingBlocked")

    /// No peer was found.
    package static let noPeers = Self("noPeers")
    /// A peer answers.
    package static let peerReached = Self("peerReached")
    /// A peer's machine answers, but not at the port.
    package static let portBlocked = Self("portBlocked")
    /// A peer's machine refuses connections to the port.
    package static let portRefused = Self("portRefused")
    /// A peer is announced, but the network keeps the machines apart.
    package static let clientIsolation = Self("clientIsolation")
    /// A peer is announced, but its machine is no longer there.
    package static let peerGone = Self("peerGone")
    /// A peer has an address of another network.
    package static let otherSubnet = Self("otherSubnet")
    /// This machine has no way to the address of a peer.
    package static let noRoute = Self("noRoute")
    /// A peer does not answer, and the reason is not known.
    package static let peerSilent = Self("peerSilent")
    /// A peer's machine accepts a connection, but encryption is not set up in time.
    package static let packetsLost = Self("packetsLost")
    /// Another program answers at the address.
    package static let otherProgram = Self("otherProgram")
    /// The address is one of this machine.
    package static let ownAddress = Self("ownAddress")
    /// The name of a host cannot be found.
    package static let unknownHost = Self("unknownHost")

    /// The clock is plausible.
    package static let clock = Self("clock")
    /// The clock is behind.
    package static let clockBehind = Self("clockBehind")
    /// The clock and the hardware clock differ.
    package static let clockDiffers = Self("clockDiffers")

    /// There is enough room on the disk.
    package static let space = Self("space")
    /// Others may change the folder.
    package static let openToOthers = Self("openToOthers")
    /// The disk is full.
    package static let diskFull = Self("diskFull")
    /// The disk is nearly full.
    package static let diskLow = Self("diskLow")
    /// The disk is mounted read-only.
    package static let readOnly = Self("readOnly")
    /// There is no permission to write to the folder.
    package static let noPermission = Self("noPermission")

    /// All codes of this module.
    package static let all: [Self] = [
        address, noInterface, radioOff, interfaceDown, noCarrier, networkingOff, noAddress, tunnelTakesNetwork,
        containersTakeNetwork, tunnelActive, avahi, avahiMissing, avahiStopped, busStopped, avahiSilent, avahiInterface,
        publishingDenied, avahiUnusable, avahiUnaware, busDenied, multicast,
        multicastOff, multicastBlocked, firewallActive, noFirewall, outgoingBlocked, noPeers, peerReached,
        portBlocked, portRefused, clientIsolation, peerGone, otherSubnet, noRoute, peerSilent, packetsLost,
        otherProgram, ownAddress, unknownHost, clock, clockBehind, clockDiffers, space, openToOthers, diskFull, diskLow,
        readOnly,
        noPermission,
    ]
}

/// Adjusts findings to each other.
package enum Weighing {
    /// Adds findings of the application; that no network is used replaces what follows from it.
    package static func joined(_ findings: [Finding], _ further: [Finding]) -> [Finding] {
        var (findings, further) = (findings, further)
        guard let off = further.firstIndex(where: { $0.code == .networkingOff }),
            let index = findings.firstIndex(where: { $0.subject == .network && $0.severity == .problem })
        else { return findings + further }
        findings[index] = further.remove(at: off)
        findings[index].severity = .problem
        findings[index].message = "This laptop is on no network: networking is switched off in NetworkManager."
        return findings + further
    }

    /// Returns findings without repetitions, each with the severity that it has together with the others.
    static func weighed(_ findings: [Finding]) -> [Finding] {
        let codes = Set(findings.map(\.code))
        let isReached = codes.contains(.peerReached)
        let isExplained = findings.contains { $0.subject == .discovery && $0.severity == .problem }
        var seen: Set<Finding> = []
        return findings.compactMap { finding in
            var finding = finding
            switch finding.code {
            case .tunnelActive where !codes.isDisjoint(with: [.noPeers, .multicastBlocked, .outgoingBlocked]):
                // A VPN that blocks the local network is the usual reason.
                finding.severity = .warning
            case _ where isReached && finding.subject == .network && finding.severity == .problem:
                // The other machine was reached by another address, such as an IPv6 link-local one.
                finding.severity = .warning
            case .avahiUnaware where isExplained:
                finding = PeerChecks.noPeers
            default:
                break
            }
            // Both the routes and the ways to peers report a tunnel.
            return seen.insert(finding).inserted ? finding : nil
        }
    }
}
