import PeerCore
import RegionSharing
import SharingReports

/// Decides when to draw a QR code in a window whose size changes; a plain value.
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
