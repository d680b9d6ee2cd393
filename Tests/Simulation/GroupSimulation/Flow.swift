import FoundationEssentials

/// The bytes of a stream or a resource of the simulated application: who sends them, and what they are.
struct Flow: Hashable, Sendable, CustomStringConvertible {
    private static let pieceLength = 32 * 1024
    private static let period = 251
    /// The bytes that all streams carry, each from a place of its own.
    private static let pattern = Data((0..<4 * pieceLength + 2 * period).map { UInt8($0 % period) })

    var sender: Run
    var number: Int
    var length: Int

    var description: String { "flow \(number) of \(sender)" }

    /// What the receiver is told.
    var metadata: Data { Data("\(sender.machine) \(sender.number) \(number) \(length)".utf8) }

    init(sender: Run, number: Int, length: Int) {
        self.sender = sender
        self.number = number
        self.length = length
    }

    /// Reads what the receiver was told; nil if nobody says this.
    init?(_ metadata: Data) {
        let numbers = String(decoding: metadata, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        self.init(sender: Run(machine: numbers[0], number: numbers[1]), number: numbers[2], length: numbers[3])
    }

    /// The bytes, in pieces.
    var pieces: [Data] {
        stride(from: 0, to: length, by: Self.pieceLength).map { bytes(at: $0, min(Self.pieceLength, length - $0)) }
    }

    /// Whether bytes stand at a place of the stream.
    func contains(_ data: Data, at offset: Int) -> Bool {
        guard offset + data.count <= length else { return false }
        return stride(from: 0, to: data.count, by: Self.pieceLength).allSatisfy { start in
            let part = data.dropFirst(start).prefix(Self.pieceLength)
            return part.elementsEqual(bytes(at: offset + start, part.count))
        }
    }

    private func bytes(at offset: Int, _ count: Int) -> Data {
        Self.pattern.dropFirst((offset + number) % Self.period).prefix(count)
    }
}
