/// The turn of one receiver.
package struct SendingTurn: Sendable {
    let turns: SendingTurns
    let number: Int

    /// The most bytes that may be sent at once now.
    package var lengthLimit: Int { turns.read { $0[number]?.lengthLimit(of: number) ?? .max } }

    /// Whether the receiver is served.
    package var isServed: Bool { turns.read { $0[number]?.served.contains(number) ?? false } }

    /// The place of the receiver; nil after ``leave()``.
    package var place: TransferTurn? { turns.read { $0[number]?.turn(of: number) } }

    /// Takes the permission to send bytes; false if it must be waited for.
    package func take(_ bytes: Int) -> Bool { turns.note { $0[number]?.take(bytes, for: number) ?? false } }

    /// Waits for the permission to send bytes, and takes it; false if the receiver has left meanwhile.
    package func wait(_ bytes: Int) async -> Bool {
        while turns.read({ $0[number] != nil }) {
            if take(bytes) { return true }
            await turns.wait(for: number)
        }
        return false
    }

    /// Bytes have arrived at the receiver.
    func arrived(_ bytes: UInt64) { turns.note { $0[number]?.arrived(bytes) } }

    /// Bytes were sent; `left` are still to be sent.
    package func sent(_ bytes: Int, left: UInt64) { turns.note { $0[number]?.sent(bytes, to: number, left: left) } }

    /// Some bytes can be sent now, or none can.
    package func set(isReady: Bool) { turns.change { $0[number]?.set(number, isReady: isReady, at: .now) } }

    /// The receiver has everything, or is gone.
    package func leave() { turns.change { $0.left(number, at: .now) } }
}
