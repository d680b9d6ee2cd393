package import HostNetwork

/// What keeps Avahi on this machine from finding other machines, or them from finding this one.
package enum AvahiTrouble: Hashable, Sendable {
    package typealias Setting = AvahiConfiguration.Setting

    /// It is not installed.
    case missing
    /// It does not run.
    case stopped
    /// It does not run, and the system is told never to start it.
    case masked
    /// It does not start, because of these settings, or for a reason that only its log tells.
    case unstartable([Setting])
    /// It does not start, because another program has its port; these settings let it share no port.
    case portTaken([Setting])
    /// It runs, but is not on the bus; because of these settings, if there are any.
    case offBus([Setting])
    /// The bus does not run.
    case noBus
    /// The bus does not let this user in.
    case busDenied
    /// The bus does not let this user use Avahi.
    case denied
    /// It runs and does not answer.
    case silent
    /// It does not work, in the words of the library.
    case failed(String)
    /// It takes no more programs, or no more of what one of them asks for; the setting, if there is one.
    case full(AvahiFacts.Limit, Setting?)
    /// It is in another domain than other machines.
    case otherDomain(Setting)
    /// It does not let programs announce themselves.
    case publishingDenied([Setting])
    /// It does not announce the addresses of this machine.
    case addressesWithheld([Setting])
    /// It does not work on an interface, because of a setting, or for a reason that only its log tells.
    case excluded(interface: String, Setting?)
    /// It forgets what others announce, or hardly sends anything.
    case hindered([Setting])
    /// It does not use an IP version that these interfaces have, and found no machine there.
    case versionOff(isIPv6: Bool, Setting, interfaces: [String])
    /// Machines answer that it does not list.
    case unaware([IPAddress])
}

extension AvahiTrouble {
    /// The kind, for programs.
    package var code: Finding.Code {
        switch self {
        case .missing: .avahiMissing
        case .stopped, .masked: .avahiStopped
        case .unstartable, .portTaken, .offBus: .avahiUnusable
        case .noBus: .busStopped
        case .busDenied: .busDenied
        case .denied: .avahiDenied
        case .silent, .failed: .avahiSilent
        case .full: .avahiFull
        case .publishingDenied: .publishingDenied
        case .excluded: .avahiInterface
        case .otherDomain, .addressesWithheld, .hindered, .versionOff: .avahiSetting
        case .unaware: .avahiUnaware
        }
    }

    /// How severe it is.
    package var severity: Finding.Severity {
        switch self {
        case .publishingDenied, .versionOff, .unaware: .warning
        // One of both directions is enough to share.
        case .full(let limit, _): limit.hindersAnnouncing && limit.hindersFinding ? .problem : .warning
        default: .problem
        }
    }

    /// The settings to blame.
    package var settings: [Setting] {
        switch self {
        case .unstartable(let settings), .portTaken(let settings), .offBus(let settings),
            .publishingDenied(let settings),
            .addressesWithheld(let settings), .hindered(let settings):
            settings
        case .full(_, let setting), .excluded(_, let setting): setting.map { [$0] } ?? []
        case .otherDomain(let setting), .versionOff(_, let setting, _): [setting]
        default: []
        }
    }

    /// The interface that it is about; nil for none or several.
    package var interface: String? {
        switch self {
        case .excluded(let interface, _): interface
        case .versionOff(_, _, let interfaces): interfaces.count == 1 ? interfaces.first : nil
        default: nil
        }
    }
}
