import Diagnosis
import FoundationEssentials
import Glibc
import PeerCore
import PhoneSharing
import RegionSharing
import RegionStore
import SharingReports
import SharingWindow

extension WindowSurroundings {
    /// This machine and this program.
    ///
    /// - Parameter findsPhones: Whether phones that have LocalSend are found, and find this machine.
    static func current(findsPhones: Bool) -> WindowSurroundings {
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = ConnectionConfiguration.patientConnectTimeout
        configuration.maximumConnections = OpenFileLimit.connectionCount(atMost: configuration.maximumConnections)
        var surroundings = WindowSurroundings(
            configuration: configuration,
            browser: { PeerBrowser.nearby(except: $0, within: $1) },
            companion: { companion(of: $0, in: $1, as: $2, asking: $3, on: $4) }
        )
        if findsPhones {
            surroundings.listen = { store, local, person, body in
                try await PhoneReception(into: store, as: local, person: person).run { taker in
                    try await body { taker.isBusy || taker.isAsking }
                }
            }
        }
        surroundings.whatToCheck = { await LocalHints.forDiscovery() }
        surroundings.networkHints = { LocalHints.forConnecting() }
        let causes = CauseFinder(for: .hikeshare)
        surroundings.lookForCause = { await causes.cause(of: $0, $1, at: $2) }
        surroundings.explaining = { error, hasLink in
            guard LocalHints.mayBeHinted(error) else { return nil }
            return { await LocalHints.hinted(error, hasLink ? .linked : .announced) }
        }
        surroundings.drives = .ofThisUser
        surroundings.examine = { store, addresses in
            DoctorReport(findings: try await MachineCheck(for: .hikeshare, store: store).examine(wayTo: addresses))
        }
        surroundings.firewall = { Firewall.active()?.rawValue }
        surroundings.draw = SheetProcess.draw
        surroundings.removeCopies = {
            RegionOpener.removeFiles(of: $0, onlyItems: $1, ProcessInfo.processInfo.environment)
        }
        return surroundings
    }

    /// Makes what phones get.
    private static func companion(
        of sent: [SentRegion],
        in store: RegionStore,
        as local: LocalPeer,
        asking person: any Person,
        on ways: PhoneWaysChoice
    ) -> any SenderCompanion {
        let files = PhoneFiles(
            of: sent,
            in: store,
            ownID: local.id,
            consent: .person,
            person: person,
            drawing: SheetProcess.draw
        )
        var companion = PhoneWays(of: files, as: local)
        if ways.hasPage {
            var page = PhonePage(of: files, turnWords: \.words)
            (page.takesFiles, page.program) = (true, ProgramPackage.find())
            companion.page = page
        }
        if ways.hasLocalSend {
            var wishes = LocalSendWishes()
            wishes.asks = true
            companion.localSend = wishes
        }
        return companion
    }
}

extension MountedDrives {
    /// Where desktops mount the drives of the person.
    fileprivate static var ofThisUser: MountedDrives {
        guard let name = getpwuid(getuid())?.pointee.pw_name.map({ String(cString: $0) }), !name.isEmpty else {
            return MountedDrives(below: [])
        }
        return MountedDrives(below: ["/media/\(name)", "/run/media/\(name)"])
    }
}
