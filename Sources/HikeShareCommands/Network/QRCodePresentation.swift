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
