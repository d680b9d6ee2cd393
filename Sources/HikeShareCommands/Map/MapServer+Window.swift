import Diagnosis
import PeerCore
import PhoneSharing
import RegionSharing
import RegionStore
import SharingReports
import SharingWindow

extension WindowSurroundings {
    /// This machine and this program.
    static var current: WindowSurroundings {
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = ConnectionConfiguration.patientConnectTimeout
        configuration.maximumConnections = OpenFileLimit.connectionCount(atMost: configuration.maximumConnections)
        var surroundings = WindowSurroundings(
            configuration: configuration,
            browser: { PeerBrowser.nearby(except: $0, within: $1) },
            page: { page(of: $0, in: $1, ownID: $2, asking: $3) }
        )
        surroundings.whatToCheck = { await LocalHints.forDiscovery() }
        surroundings.networkHints = { LocalHints.forConnecting() }
        let causes = CauseFinder(for: .hikeshare)
        surroundings.lookForCause = { await causes.cause(of: $0, $1, at: $2) }
        surroundings.explaining = { error, hasLink in
            guard LocalHints.mayBeHinted(error) else { return nil }
            return { await LocalHints.hinted(error, hasLink ? .linked : .announced) }
        }
        surroundings.firewall = { Firewall.active()?.rawValue }
        return surroundings
    }

    /// Makes the page for phones.
    private static func page(
        of sent: [SentRegion],
        in store: RegionStore,
        ownID: PeerID,
        asking person: any Person
    ) -> any SenderCompanion {
        var page = PhonePage(
            of: sent,
            in: store,
            ownID: ownID,
            consent: .person,
            person: person,
            drawing: SheetProcess.draw,
            turnWords: \.words
        )
        (page.takesFiles, page.program) = (true, ProgramPackage.find())
        return page
    }
}
