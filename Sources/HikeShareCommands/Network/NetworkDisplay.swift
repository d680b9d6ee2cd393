import Diagnosis
import NetworkManager
import PeerCore
import RegionSharing
import SharingReports
import Synchronization
import UnixSignals

/// Shows where a sender can be reached, and follows the network and the window while it sends.
final class NetworkDisplay: Sendable {
    private struct Beside {
        /// The Wi-Fi network that this machine has made; nil for none.
        var hotspot: MadeNetwork?
        /// The page for phones; nil for none.
        var page: PhonePageFacts?
        /// Whether phones with LocalSend are found.
        var hasLocalSend = false
    }

    private let beside = Mutex(Beside())
    private let console: Console
    private let code = Mutex(QRCodePresentation())
    private let facts = Mutex<ListeningFacts?>(nil)
    private let offers = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private var hotspot: MadeNetwork? { beside.withLock { $0.hotspot } }
    private var page: PhonePageFacts? { beside.withLock { $0.page } }

    init(on console: Console) { self.console = console }

    /// Shows the network from now on, when the sender listens.
    func show(_ hotspot: MadeNetwork) { beside.withLock { $0.hotspot = hotspot } }

    /// Shows the page from now on, when the sender listens.
    func show(_ page: PhonePageFacts) { beside.withLock { $0.page = page } }

    /// Phones with LocalSend are found from now on.
    func findsPhones() { beside.withLock { $0.hasLocalSend = true } }

    /// Returns the report of the sender as it is now, with the code of the share link beside it if there is one; nil before it listens.
    private func report(_ code: QRCodeSheet? = nil) -> ListeningReport? {
        facts.withLock { $0 }.map {
            ListeningReport(
                facts: $0,
                isBrief: console.isQuiet,
                code: code,
                columns: console.columns,
                hasLocalSend: beside.withLock { $0.hasLocalSend }
            )
        }
    }

    /// Shows where the sender is.
    func begin(_ facts: ListeningFacts) {
        self.facts.withLock { $0 = facts }
        // Further lines would move the screen of the sender out of the window.
        tellOfPort(facts)
        show(isFirst: true)
        if facts.addresses.isEmpty { LocalHints.noteNetwork(on: console) }
    }

    /// Tells of another port than the usual one, and how to open the port if a firewall is active.
    private func tellOfPort(_ facts: ListeningFacts) {
        if let usual = facts.usualPort {
            console.note("Port \(usual) is in use, so this sender listens on port \(facts.port).")
        }
        guard let firewall = Firewall.active() else { return }
        let command = ProgramLocation.firewallCommand(
            ports: [facts.port] + (page.map { [$0.address.port] } ?? []),
            givesAddresses: hotspot?.plan.addresses == .shared
        )
        let others: DisplayText = page == nil ? "the other machine" : "the other machine or a phone"
        console.note(
            "The firewall \(firewall.rawValue) is active. If \(others) cannot connect, run:  \(command, .command)"
        )
    }

    /// Shows where the sender is after a change.
    func moved(_ change: AddressChange) {
        facts.withLock { facts in
            facts?.addresses = change.addresses
            facts?.link = change.link
        }
        console.emitForPrograms(change)
        switch change.meaning {
        case .away: LocalHints.noteNetwork(on: console)
        case .back: console.note("Back on the network.")
        case .same: break
        case .new:
            console.note(change.text)
            show(isFirst: false)
        }
    }

    /// Shows where the sender and the page for phones are, with the QR codes.
    ///
    /// The code of the share link stands beside the text if the window has room for both.
    private func show(isFirst: Bool) {
        guard let report = report() else { return }
        let (addresses, link) = (report.facts.addresses, report.facts.link)
        let codes = console.isLive ? codes(at: addresses, link) : nil
        let action = code.withLock { $0.show(codes, in: console.size) }
        if case .draw(let code) = action, code == linkCode(link), isBeside { return perform(action) }
        if isFirst || console.format == .text { console.emit(report) }
        if let page { console.emit(.page(page, at: addresses)) }
        perform(action)
        console.note("Ctrl-C stops.")
    }

    /// Whether a code stands beside the text: results and messages are on the same terminal, and there is one code.
    private var isBeside: Bool { console.screen.results.isTerminal && hotspot == nil && page == nil }

    /// The codes: that of the page for phones, or else that of the share link.
    private func codes(at addresses: [String], _ link: ShareLink?) -> QRCodeSheet? {
        self.page.flatMap { $0.codes(at: addresses, hotspot) } ?? linkCode(link)
    }

    private func linkCode(_ link: ShareLink?) -> QRCodeSheet? {
        link.flatMap { link in hotspot.map { $0.codes(with: link) } ?? QRCode(link.text).map { QRCodeSheet($0) } }
    }

    /// Follows the window while `body` sends.
    func following(_ body: () async throws -> Void) async throws {
        defer { console.show(nil) }
        try await withThrowingDiscardingTaskGroup { group in
            if console.isLive {
                group.addTask { await self.followWindow() }
                group.addTask { await self.followKeys() }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Shows a code that has no room beside the text when a person presses Enter.
    private func followKeys() async {
        guard console.canAsk else { return }
        for await _ in offers.stream where (try? await console.waitForEnter()) == true { console.showOfferedCode() }
    }

    private func followWindow() async {
        let signals = await UnixSignalsSequence(trapping: .sigwinch)
        // The window may have changed before the signal was trapped.
        perform(code.withLock { $0.resized(to: console.size) })
        for await _ in signals { perform(code.withLock { $0.resized(to: console.size) }) }
    }

    private func perform(_ action: QRCodePresentation.Action) {
        switch action {
        case .draw(let code):
            // A window that has changed its size has spoilt the text, too.
            if isBeside, let report = report(code) { return console.note(report.text) }
            console.note(code)
            // In a small window, the code has moved the commands out of sight.
            guard let facts = report()?.facts, facts.isAdvertised else { break }
            console.note("On the other laptop:  \(ListeningReport.command(for: facts.link))")
        case .offer(let code):
            console.note("The QR code of the link: press Enter.")
            console.offeredCode.withLock { $0 = code }
            offers.continuation.yield()
        case .askForRoom(let columns, let rows):
            let codes: DisplayText = hotspot == nil ? "QR code" : "QR codes"
            console.note("(Enlarge the window to at least \(columns) × \(rows) to see the \(codes))")
        case .none: break
        }
    }
}
