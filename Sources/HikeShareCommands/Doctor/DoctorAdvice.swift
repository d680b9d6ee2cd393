import Diagnosis

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
            remedy = "Run 'hikeshare send' on the other machine. If it is already running, examine that machine, too:"
            commands = ["hikeshare doctor"]
        case .portBlocked, .peerSilent:
            guard let port = finding.port else { break }
            remedy =
                "Open the port on the other machine, and let connections to it out of this one. On the other machine, with ufw, firewalld (two commands) or nftables:"
            commands = Firewall.allCases.map { $0.command(opening: port) }
            if finding.code == .peerSilent {
                remedy =
                    "Use a cable or the hotspot of a phone, or open the port there. "
                    + "With ufw, firewalld (two commands) or nftables:"
            }
        case .clientIsolation:
            commands = ["hikeshare send REGION --hotspot"]
        case .portRefused:
            remedy = "Check that 'hikeshare send' is running on the other machine, and which port it shows."
        case .otherProgram, .unknownHost:
            remedy = "Use the address and the port that 'hikeshare send' shows."
        case .publishingDenied:
            remedy =
                (finding.remedy ?? "") + " (Without that, others can use the share link that 'hikeshare send' shows.)"
        case .readOnly:
            remedy = "Use a folder on another disk with --store, or mount the disk for writing:"
        case .noPermission:
            remedy = "Use a folder of your own with --store. To see who may write to this one:"
        case .diskFull, .diskLow:
            remedy = "Free some space, or use a folder on another disk with --store. To see what takes the space:"
        default:
            break
        }
        // Long lines are hard to copy from a narrow window.
        commands = commands.flatMap { $0.split(separator: " && ").map(String.init) }
    }
}
