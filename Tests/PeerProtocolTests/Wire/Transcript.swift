import FoundationEssentials
import NIOCore
import PeerProtocol

/// A whole transfer as text: every byte that each side sent, frame by frame.
struct Transcript {
    private enum Side: String {
        case receiver = ">"
        case sender = "<"
    }

    private static let bytesPerLine = 16
    private static let headerLength = 8

    /// The text, as the page has it.
    private(set) var text = ""
    private var recorded: [Side: Int] = [:]

    /// Runs a transfer of two machines to its end.
    ///
    /// The machines trust one another. The receiver has the first of the two resources already.
    init() throws {
        var script = TransferPair.Script()
        script.invitation = InvitationRequest(timeout: 60, isPeerPinned: true)
        script.selection = [.plannedroutes, .waypoints]
        script.present = [0: [0]]
        script.mtu = .max
        var pair = try TransferPair(Self.resources, script)
        while try pair.drive(atMost: 1) > 0 {
            record(pair.sender.wire.received, .receiver)
            record(pair.receiver.wire.received, .sender)
        }
    }

    private static let resources = [
        SampleResource(.plannedroutes, Array("[]".utf8)),
        SampleResource(
            .waypoints,
            Array(
                (#"[{"category":"viewpoint","hasPhoto":false,"id":"7C9E6679-7425-40DE-944B-E07FC1F90AE7","#
                    + #""label":"Pic","latitude":42.5918,"longitude":1.4436,"note":"","#
                    + #""timestamp":"2026-02-05T16:00:00Z"}]"#).utf8
            )
        ),
    ]

    /// Writes down which of a side's frames have arrived since the last call.
    private mutating func record(_ bytes: ByteBuffer, _ side: Side) {
        var rest = Array(bytes.readableBytesView.dropFirst(recorded[side] ?? 0))[...]
        recorded[side] = bytes.readableBytes
        while !rest.isEmpty {
            // The preface, which no frame begins like.
            let isPreface = rest.first == UInt8(ascii: "H")
            let length = isPreface ? Self.headerLength : Self.lengthOfFrame(rest)
            for start in stride(from: 0, to: length, by: Self.bytesPerLine) {
                write(rest.prefix(length).dropFirst(start).prefix(Self.bytesPerLine), side)
            }
            text += "\n"
            rest = rest.dropFirst(length)
        }
    }

    private static func lengthOfFrame(_ bytes: ArraySlice<UInt8>) -> Int {
        min(bytes.count, bytes.dropFirst(4).prefix(4).reduce(0) { $0 * 256 + Int($1) } + headerLength)
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>, _ side: Side) {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        let padding = String(repeating: " ", count: Self.bytesPerLine * 3 - digits.count)
        let characters = bytes.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." }
        var line = "\(side.rawValue) \(digits)\(padding)# \(String(characters))"
        while line.hasSuffix(" ") { line.removeLast() }
        text += line + "\n"
    }
}
