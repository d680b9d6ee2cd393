import NIOConcurrencyHelpers

/// Takes the frames of a link on the event loop on which they arrive, past the driver of the connection.
///
/// A frame never overtakes an input that arrived before it: as long as the driver has not handled every such input, it gets the
/// frames too.
final class LinkShortcut: Sendable {
    private struct State {
        var take: (@Sendable ([Frame]) -> Bool)?
        /// The number of inputs that were passed to the driver and that it has not handled.
        var unhandledCount = 0
    }

    private let box = NIOLockedValueBox(State())

    /// Sets what takes frames from now on, all of those that arrive together or none; nil for nothing.
    func set(_ take: (@Sendable ([Frame]) -> Bool)?) {
        // What it holds is released after the lock, because deinitialisers may run code.
        let before = box.withLockedValue { state in
            defer { state.take = take }
            return state.take
        }
        withExtendedLifetime(before) {}
    }

    /// An input is passed to the driver.
    func passed() { box.withLockedValue { $0.unhandledCount += 1 } }

    /// The driver has handled an input.
    func handled() { box.withLockedValue { $0.unhandledCount -= 1 } }

    /// Hands frames over; returns false if the driver must get them.
    func take(_ frames: [Frame]) -> Bool {
        box.withLockedValue { $0.unhandledCount == 0 ? $0.take : nil }?(frames) ?? false
    }
}

extension Frame {
    /// The number of bytes of a record or a droppable message; 0 for anything else.
    package var burstLength: Int {
        switch self {
        case .record(let record): record.length
        case .droppable(let message): message.length
        default: 0
        }
    }

    /// Whether only a link gets it.
    var isOfLink: Bool {
        switch self {
        case .record, .credit, .droppable: true
        default: false
        }
    }
}
