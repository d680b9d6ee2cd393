import Foundation
import NearbyPeers

/// A member of a group, in a process of its own.
///
/// The member that sends invites all others, which are introduced to one another. The others count what arrives.
struct GroupMember: Sendable {
    let session: PeerSession
    let options: Options

    func run() async throws {
        // The readers come first: messages without a reader are discarded.
        let data = try session.data()
        let streams = try session.streams()
        let requests = try session.requests(Question.self)
        emit("listening", ["port": Double(await session.port)])
        let peers = try await join()
        emit("complete", [:])
        switch options.text("task") {
        case "count": try await count(data)
        case "stall": await stall(streams)
        case "send":
            var sender = GroupSender(session: session, peers: peers, options: options)
            try await sender.send()
        case "fill":
            var sender = GroupSender(session: session, peers: peers, options: options)
            try await sender.fill()
        default: try await Task.sleep(for: .seconds(3600))
        }
        withExtendedLifetime((data, streams, requests)) {}
    }

    /// Invites the members at the addresses of `--to`, and waits until all members say that they are linked with all others.
    ///
    /// - Returns: The members that were invited, in this order.
    private func join() async throws -> [PeerID] {
        let events = session.events()
        var peers: [PeerID] = []
        for text in options.text("to").split(separator: ",") {
            guard let address = PeerAddress(parsing: String(text)) else { throw Problem("\(text) is no address") }
            peers.append(try await session.invite(at: [address]))
        }
        if isComplete { return peers }
        for await _ in events where isComplete { return peers }
        throw Problem("the session has ended")
    }

    private var isComplete: Bool {
        let count = options.count("others")
        let links = session.links
        return session.connectedPeers.count == count && links.count == count + 1
            && links.values.allSatisfy { $0.count == count }
    }

    /// Counts the messages that arrive in each window.
    ///
    /// The sender writes into each message when its window begins.
    private func count(_ data: IncomingData) async throws {
        let length = options.count("length", 64)
        var check = OrderCheck(length: length)
        var window = CountedWindow(begin: 0, seconds: options.number("seconds", 0.5))
        for await received in data {
            let begin = NumberedBytes.read(received.message)?.time ?? 0
            if begin != window.begin {
                if window.begin > 0 { emit("result", window.figures) }
                window = CountedWindow(begin: begin, seconds: options.number("seconds", 0.5))
                // Numbers begin anew with each window, because not all members are recipients in each.
                check = OrderCheck(length: length)
            }
            try check.came(received.message)
            window.came(received.message.count, at: nanoseconds())
        }
        throw Problem("the session has ended")
    }

    /// Accepts streams, and reads nothing: no bytes, no messages and no requests.
    private func stall(_ streams: IncomingStreams) async {
        var unread: [PeerStream] = []
        for await stream in streams { unread.append(stream) }
    }
}

/// Counts what arrives between two times of the clock that all processes share.
struct CountedWindow: Sendable {
    /// When the window begins; 0 if nothing is counted.
    let begin: UInt64
    private let length: UInt64
    private var bytes = 0
    private var count = 0

    init(begin: UInt64, seconds: Double) {
        self.begin = begin
        length = UInt64(seconds * 1e9)
    }

    /// A message arrived.
    mutating func came(_ length: Int, at now: UInt64) {
        guard begin > 0, now >= begin, now - begin < self.length else { return }
        bytes += length
        count += 1
    }

    /// The messages in a second, and their megabytes.
    var figures: [String: Double] {
        let seconds = Double(length) / 1e9
        return [
            "begin": Double(begin), "rate": Double(count) / seconds, "megabytes": Double(bytes) / seconds / 1e6,
        ]
    }
}
