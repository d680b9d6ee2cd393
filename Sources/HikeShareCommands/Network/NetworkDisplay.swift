import PeerCore
import RegionSharing
import Synchronization
import UnixSignals

/// Shows where a sender can be reached, and follows the network and the window while it sends.
final class NetworkDisplay: Sendable {
    private let listener: PeerListener
    /// What is shown, but for the addresses and the share link.
    private let template: ListeningReport
    /// Makes the share link; nil for no share link.
    private let addresses: ShareLinkAddresses?
    /// Whether loopback addresses are shown, for tests.
    private let includesLoopback: Bool
    private let hotspot: OwnHotspot?
    private let web: WebPageDisplay?
    private let console: Console
    private let code = Mutex(QRCodePresentation())
    private let offers = AsyncStream.makeStream(of: QRCodeSheet.self, bufferingPolicy: .bufferingNewest(1))

    /// Creates a display of what is shown in `report`, but for the addresses and the share link.
    init(
        of listener: PeerListener,
        _ report: ListeningReport,
        _ addresses: ShareLinkAddresses?,
        includingLoopback includesLoopback: Bool,
        hotspot: OwnHotspot? = nil,
        web: WebPageDisplay? = nil,
        on console: Console
    ) {
        self.listener = listener
        self.template = report
        self.addresses = addresses
        self.includesLoopback = includesLoopback
        self.hotspot = hotspot
        self.web = web
        self.console = console
    }

    /// The current addresses of the sender.
    ///
    /// Those in the machine's own Wi-Fi network come first, for a share link has room for a few.
    var current: [String] { sorted(listener.addresses(includingLoopback: includesLoopback)) }

    private func sorted(_ addresses: [String]) -> [String] { hotspot?.sorted(addresses) ?? addresses }

    /// Returns the report of the sender at addresses, with the code of the share link beside it if there is one.
    private func report(at texts: [String], _ code: QRCodeSheet? = nil) -> ListeningReport {
        var report = template
        report.addresses = texts
        report.link = addresses?.link(to: texts)
        report.code = code
        report.columns = console.columns
        return report
    }

    /// Shows where the sender and the page for phones are, with the QR codes.
    ///
    /// The code of the share link stands beside the text if the window has room for both.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the sender.
    ///   - isFirst: Whether programs are told, too. They get further addresses in ``NetworkReport``.
    func show(at addresses: [String], isFirst: Bool = true) {
        let report = report(at: addresses)
        let codes = console.isLive ? codes(at: addresses, report.link) : nil
        let action = code.withLock { $0.show(codes, in: console.size) }
        if case .draw(let code) = action, code == linkCode(report.link), isBeside { return perform(action) }
        if isFirst || console.format == .text { console.emit(report) }
        if let web { console.emit(web.report(at: addresses)) }
        perform(action)
        if console.window == nil { console.note("Ctrl-C stops.") }
    }

    /// Whether a code stands beside the text: results and messages are on the same terminal, and there is one code.
    private var isBeside: Bool { console.screen.results.isTerminal && hotspot == nil && web == nil }

    /// The codes: in a terminal that of the page for phones, or else that of the share link; the window has room for both.
    private func codes(at addresses: [String], _ link: ShareLink?) -> QRCodeSheet? {
        let page = web.flatMap { $0.codes(at: addresses, hotspot) }
        guard console.window != nil, hotspot == nil, let link, let code = QRCode(link.text) else {
            return page ?? linkCode(link)
        }
        return QRCodeSheet((page?.items ?? []) + [QRCodeSheet.Item(caption: "Share link, for laptops", code: code)])
    }

    private func linkCode(_ link: ShareLink?) -> QRCodeSheet? {
        link.flatMap { link in hotspot.map { $0.codes(with: link) } ?? QRCode(link.text).map { QRCodeSheet($0) } }
    }

    /// Follows the network and the window until the task is cancelled.
    ///
    /// - Parameter shown: The addresses that are shown already.
    func follow(after shown: [String]) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followNetwork(after: shown) }
            guard console.isLive else { return }
            group.addTask { await self.followWindow() }
            group.addTask { await self.followKeys() }
        }
    }

    private func followNetwork(after shown: [String]) async {
        var (shown, reachable) = (shown, shown)
        for await changed in listener.addressChanges(includingLoopback: includesLoopback) {
            let addresses = sorted(changed)
            guard addresses != shown else { continue }
            let wasAway = shown.isEmpty
            shown = addresses
            let report = NetworkReport(addresses: addresses, link: self.addresses?.link(to: addresses))
            console.emitForPrograms(report)
            if addresses.isEmpty { LocalHints.noteNetwork(on: console) }
            // The addresses come back one after the other, and what is shown is still true.
            let isKnown = addresses.allSatisfy(reachable.contains) && (wasAway || addresses.first == reachable.first)
            if wasAway, isKnown, !addresses.isEmpty { console.note("Back on the network.") }
            guard !addresses.isEmpty, !isKnown else { continue }
            console.note(report.text)
            reachable = addresses
            show(at: addresses, isFirst: false)
        }
    }

    /// Shows a code that has no room beside the text when a person presses Enter.
    private func followKeys() async {
        guard console.canAsk else { return }
        for await code in offers.stream where (try? await console.waitForEnter()) == true { console.note(code) }
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
            if isBeside { return console.note(report(at: current, code).text) }
            console.note(code)
            // In a small window, the code has moved the commands out of sight.
            guard template.isAdvertised, console.window == nil else { break }
            let command = ListeningReport.command(for: report(at: current).link)
            console.note("On the other laptop:  \(command)")
        case .offer(let code):
            console.note("The QR code of the link: press Enter.")
            offers.continuation.yield(code)
        case .askForRoom(let columns, let rows):
            let codes: DisplayText = hotspot == nil ? "QR code" : "QR codes"
            console.note("(Enlarge the window to at least \(columns) × \(rows) to see the \(codes))")
        case .none: break
        }
    }
}

/// Decides when to draw a QR code in a window whose size changes.
///
/// A plain value.
struct QRCodePresentation: Sendable {
    /// An action.
    enum Action: Equatable, Sendable {
        case draw(QRCodeSheet)
        /// Draw the code when a person asks for it, because it has no room beside the text.
        case offer(QRCodeSheet)
        /// Tell what size of the window the code needs.
        case askForRoom(columns: Int, rows: Int)
        case none
    }

    /// The room for the code in the window.
    private enum Room { case none, alone, beside }

    private var code: QRCodeSheet?
    private var room = Room.none

    /// Shows another code from now on; nil for none.
    mutating func show(_ code: QRCodeSheet?, in size: (columns: Int, rows: Int)) -> Action {
        self.code = code
        room = .none
        guard let code else { return .none }
        let action = resized(to: size)
        // One row is left for the cursor.
        return action == .none ? .askForRoom(columns: code.size.columns, rows: code.size.rows + 1) : action
    }

    /// Handles a change of the window's size.
    ///
    /// A window that becomes too small spoils the code, so the code is drawn again when there is room again.
    mutating func resized(to size: (columns: Int, rows: Int)) -> Action {
        guard let code else { return .none }
        func fits(_ needed: (columns: Int, rows: Int)) -> Bool {
            needed.columns <= size.columns && needed.rows < size.rows
        }
        let now: Room = fits(code.sizeWithText) ? .beside : fits(code.size) ? .alone : .none
        defer { room = now }
        guard now != room else { return .none }
        return switch now {
        case .beside: .draw(code)
        case .alone: .offer(code)
        case .none: .none
        }
    }
}
