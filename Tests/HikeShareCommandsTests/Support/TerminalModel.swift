import SharingReports
import Synchronization

@testable import HikeShareCommands

/// A terminal that handles the characters that the program writes: line feeds, carriage returns, the bell, and the escape
/// sequences for cursor up, erase to the end of the line, saving and restoring the cursor, and styles.
final class TerminalModel: Sendable {
    private struct State {
        var rows: [[String]] = [[]]
        var row = 0
        var column = 0
        var sequence: String?
        var saved = (row: 0, column: 0)
        var bells = 0
        var styles: [String] = []
        var unknown: [String] = []
    }

    let columns: Int
    private let height: Int
    private let state = Mutex(State())

    init(columns: Int, height: Int = 24) {
        self.columns = columns
        self.height = height
    }

    /// Everything that is on the screen or has scrolled off, without spaces at the ends of lines.
    var text: String {
        state.withLock { state in
            var lines = state.rows.map { cells in
                var line = cells.joined()[...]
                while line.last == " " { line.removeLast() }
                return String(line)
            }
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines.joined(separator: "\n")
        }
    }

    /// How often the bell rang.
    var bellCount: Int { state.withLock { $0.bells } }

    /// The parameters of the styles that were set.
    var styles: [String] { state.withLock { $0.styles } }

    /// The escape sequences that the model does not handle.
    var unknownSequences: [String] { state.withLock { $0.unknown } }

    /// The column of the cursor, and its row below the top of all text.
    var cursor: (column: Int, row: Int) { state.withLock { ($0.column, $0.row) } }

    /// A console on this terminal, which believes that it has so many columns.
    func console(
        columns: Int? = nil,
        hasColor: Bool = false,
        canAsk: Bool = true,
        isLive: Bool = true,
        characters: SketchCharacters = .braille,
        input: Int32 = -1
    ) -> Console {
        let device = Screen.Device(isTerminal: true, hasColor: hasColor)
        return Console(
            format: .text,
            screen: Screen(
                canAsk: canAsk,
                isLive: isLive,
                results: device,
                messages: device,
                characters: characters,
                measure: { [own = self.columns, height] _ in (columns ?? own, height) },
                output: { [self] text, _ in write(text) }
            ),
            input: input
        )
    }

    func write(_ text: String) {
        state.withLock { state in
            for scalar in text.unicodeScalars { write(scalar, &state) }
        }
    }

    private func write(_ scalar: Unicode.Scalar, _ state: inout State) {
        if let sequence = state.sequence {
            state.sequence = sequence + String(scalar)
            if scalar.properties.isAlphabetic || sequence.isEmpty && "78".unicodeScalars.contains(scalar) {
                finish(&state)
            }
            return
        }
        switch scalar {
        case "\u{1B}": state.sequence = ""
        case "\u{07}": state.bells += 1
        case "\r": state.column = 0
        case "\n": lineFeed(&state)
        default: put(scalar, &state)
        }
    }

    private func finish(_ state: inout State) {
        let sequence = state.sequence ?? ""
        state.sequence = nil
        switch sequence {
        case "7": state.saved = (state.row, state.column)
        case "8": (state.row, state.column) = state.saved
        case "[A":
            state.row = max(state.row - 1, max(0, state.rows.count - height))
        case "[K":
            state.rows[state.row].removeSubrange(min(state.column, state.rows[state.row].count)...)
        case let style where style.hasPrefix("[") && style.hasSuffix("m"):
            state.styles.append(String(style.dropFirst().dropLast()))
        default:
            state.unknown.append(sequence)
        }
    }

    private func lineFeed(_ state: inout State) {
        state.column = 0
        state.row += 1
        if state.row == state.rows.count { state.rows.append([]) }
    }

    private func put(_ scalar: Unicode.Scalar, _ state: inout State) {
        let width = DisplayWidth.of(Character(scalar))
        guard width > 0 else {
            if state.column > 0 { state.rows[state.row][state.column - 1] += String(scalar) }
            return
        }
        if state.column + width > columns { lineFeed(&state) }
        while state.rows[state.row].count < state.column + width { state.rows[state.row].append(" ") }
        state.rows[state.row][state.column] = String(scalar)
        for further in 1..<max(width, 2) where width > 1 { state.rows[state.row][state.column + further] = "" }
        state.column += width
    }
}
