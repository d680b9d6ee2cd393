import FoundationEssentials

/// A message of the simulated application: numbers, and bytes to make it long.
struct Parcel {
    private static let headLength = 20

    var sender: Run
    var channel: Int
    var number: Int

    func data(length: Int) -> Data {
        var data = Data()
        for value in [sender.machine, sender.number, channel, number, length] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { data.append(contentsOf: $0) }
        }
        data.append(Data(repeating: UInt8(truncatingIfNeeded: number), count: max(0, length - Self.headLength)))
        return data
    }

    /// Reads a message; nil if a byte of it is not as it was written.
    init?(_ data: Data) {
        guard data.count >= Self.headLength else { return nil }
        let values = (0..<5).map { index in
            data.dropFirst(index * 4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(sender: Run(machine: values[0], number: values[1]), channel: values[2], number: values[3])
        guard data == self.data(length: values[4]) else { return nil }
    }

    init(sender: Run, channel: Int, number: Int) {
        self.sender = sender
        self.channel = channel
        self.number = number
    }
}
