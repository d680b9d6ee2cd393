import NIOCore

/// Droppable messages that wait to be sent or to be read.
struct DroppableQueue: Sendable {
    private struct Entry: Sendable {
        var message: DroppableMessage
        var expiry: ContinuousClock.Instant?

        /// The memory that the message occupies, including names and overhead.
        var cost: Int { 256 + message.key.utf8.count + message.message.payload.storageCapacity }

        func isReplaced(by message: DroppableMessage) -> Bool {
            !message.key.isEmpty && self.message.key == message.key && self.message.channel == message.channel
        }
    }

    private let maximumLength: Int
    private var entries = CircularBuffer<Entry>(initialCapacity: 0)

    /// The memory of all messages.
    private(set) var heldLength = 0

    init(maximumLength: Int) { self.maximumLength = maximumLength }

    mutating func append(
        _ message: DroppableMessage,
        expiry: ContinuousClock.Instant? = nil
    ) -> MuxStateMachine.OnDroppable {
        var message = message
        message.message.payload = message.message.payload.copied()
        let entry = Entry(message: message, expiry: expiry)
        let older = entries.firstIndex { $0.isReplaced(by: message) }
        let length = heldLength - (older.map { entries[$0].cost } ?? 0) + entry.cost
        guard length <= maximumLength else { return .dropped }
        heldLength = length
        if let older {
            entries[older] = entry
            return .replaced
        }
        entries.append(entry)
        return .queued
    }

    /// Drops expired messages, and returns the next one.
    mutating func first(at now: ContinuousClock.Instant) -> DroppableMessage? {
        while let entry = entries.first {
            guard let expiry = entry.expiry, expiry < now else { return entry.message }
            removeFirst()
        }
        return nil
    }

    mutating func removeFirst() { if let entry = entries.popFirst() { heldLength -= entry.cost } }

    /// Takes the next message of a channel.
    mutating func removeFirst(on channel: LinkName) -> DroppableMessage? {
        guard let index = entries.firstIndex(where: { $0.message.channel == channel }) else { return nil }
        let entry = entries.remove(at: index)
        heldLength -= entry.cost
        return entry.message
    }

    mutating func removeAll() {
        entries = CircularBuffer(initialCapacity: 0)
        heldLength = 0
    }
}
