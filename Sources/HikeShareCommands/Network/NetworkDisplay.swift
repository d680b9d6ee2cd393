import PeerCore
import Synchronization
import UnixSignals

/// Shows where a sender can be reached, and follows the network and the window while it sends.
final class NetworkDisplay: Sendable {
    private let listener: PeerListener
    private let addresses: ShareLinkAddresses?
    private let includesLoopback: Bool
    private let isAdvertised: Bool
    private let hotspot: OwnHotspot?
    private let web: WebPageDisplay?
    private let console: Console
    private let code = Mutex(QRCodePresentation())

    /// Creates a display.
    ///
    /// - Parameters:
    ///   - listener: The listener of the sender.
    ///   - addresses: Makes the share link; nil for no share link.
    ///   - includesLoopback: Whether loopback addresses are shown, for tests.
    ///   - isAdvertised: Whether receivers find the sender without its address.
    ///   - hotspot: The Wi-Fi network of this machine; nil for none.
    ///   - web: The page for phones; nil for none.
    ///   - console: Where to show them.
    init(
        of listener: PeerListener,
        _ addresses: ShareLinkAddresses?,
        includingLoopback includesLoopback: Bool,
        isAdvertised: Bool,
        hotspot: OwnHotspot? = nil,
        web: WebPageDisplay? = nil,
        on console: Console
    ) {
        self.listener = listener
        self.addresses = addresses
        self.includesLoopback = includesLoopback
        self.isAdvertised = isAdvertised
        self.hotspot = hotspot
        self.web = web
        self.console = console
    }

    /// The current addresses of the sender.
    ///
    /// Those in the machine's own Wi-Fi network come first, for a share link has room for a few.
    var current: [String] { sorted(listener.addresses(includingLoopback: includesLoopback)) }

    private func sorted(_ addresses: [String]) -> [String] { hotspot?.sorted(addresses) ?? addresses }

    /// Returns the share link to addresses; nil if there is none.
    func link(to texts: [String]) -> ShareLink? { addresses?.link(to: texts) }

    /// Shows the code of a share link, or of the page for phones, as soon as there is room for it; nil for none.
    func showCode(of link: ShareLink?) {
        guard console.isLive else { return }
        let code = web.flatMap { $0.codes(at: current, hotspot) } ?? linkCode(link)
        perform(self.code.withLock { $0.show(code, in: console.size) })
    }

    private func linkCode(_ link: ShareLink?) -> QRCodeSheet? {
        link.flatMap { link in hotspot.map { $0.codes(with: link) } ?? QRCode(link.text).map { QRCodeSheet($0) } }
    }

    /// Tells where the page for phones is.
    func showPage() {
        if let web { console.emit(web.report(at: current)) }
    }

    /// Follows the network and the window until the task is cancelled.
    ///
    /// - Parameter shown: The addresses that are shown already.
    func follow(after shown: [String]) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followNetwork(after: shown) }
            if console.isLive { group.addTask { await self.followWindow() } }
        }
    }

    private func followNetwork(after shown: [String]) async {
        var shown = shown
        for await changed in listener.addressChanges(includingLoopback: includesLoopback) {
            let addresses = sorted(changed)
            guard addresses != shown else { continue }
            shown = addresses
            let link = link(to: addresses)
            console.emit(NetworkReport(addresses: addresses, link: link, isAdvertised: isAdvertised))
            showPage()
            if addresses.isEmpty { LocalHints.noteNetwork(on: console) }
            showCode(of: link)
        }
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
            console.note(code.text)
            // In a small window, the code has moved the commands out of sight.
            guard isAdvertised else { break }
            let command = ReceiverCommands.usual(for: link(to: current)).styled(.command)
            console.note("On the other machine:  \(command)")
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
        /// Tell what size of the window the code needs.
        case askForRoom(columns: Int, rows: Int)
        case none
    }

    private var code: QRCodeSheet?
    private var isDrawn = false

    /// Shows another code from now on; nil for none.
    mutating func show(_ code: QRCodeSheet?, in size: (columns: Int, rows: Int)) -> Action {
        self.code = code
        isDrawn = false
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
        let hasRoom = code.size.columns <= size.columns && code.size.rows < size.rows
        defer { isDrawn = hasRoom }
        return hasRoom && !isDrawn ? .draw(code) : .none
    }
}
