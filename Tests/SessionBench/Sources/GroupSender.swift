import Dispatch
import Foundation
import NearbyPeers

/// The member of a group that sends.
struct GroupSender: Sendable {
    /// How many streams a side grants beside a request and its reserve for long requests (LinksOfSessions.md).
    private static let streamCount = 126
    /// The window and the queue of a stream, in pieces of 64 KiB.
    private static let piece = Data(count: 64 * 1024)
    private static let pieceCount = 2

    let session: PeerSession
    let options: Options
    private var recipients: [PeerID] { didSet { recipientSet = Set(recipients) } }
    private var recipientSet: Set<PeerID>
    private var bytes: NumberedBytes
    private var number: UInt64 = 0

    /// Creates the sender.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - peers: The other members; if one of them does not read, it is the last.
    ///   - options: `--recipients`, `--length`, `--stalled` and others.
    init(session: PeerSession, peers: [PeerID], options: Options) {
        self.session = session
        self.options = options
        let count = options.count("recipients", peers.count)
        recipients = Array(options.text("task") == "fill" ? peers.suffix(count) : peers.prefix(count))
        recipientSet = Set(recipients)
        bytes = NumberedBytes(length: options.count("length", 64))
    }

    /// Sends in windows, in turn to the first `--few` of the members and to all `--recipients`; the others count.
    ///
    /// With `--stalled 1`, the first window begins after `send` has given up waiting for the last member.
    mutating func send() async throws {
        let (few, all) = (Array(recipients.prefix(options.count("few", 1))), recipients)
        if options.isOn("stalled") { while try await sendNext(0) {} }
        for turn in 0..<options.count("turns", 8) {
            for isToAll in [turn.isMultiple(of: 2), !turn.isMultiple(of: 2)] {
                recipients = isToAll ? all : few
                let begin = nanoseconds() + UInt64(options.number("warm", 0.25) * 1e9)
                let end = begin + UInt64(options.number("seconds", 0.5) * 1e9)
                emit("window", ["begin": Double(begin), "toAll": isToAll ? 1 : 0])
                number = 0
                repeat { _ = try await sendNext(begin) } while nanoseconds() < end
            }
        }
        // The last window ends with a message that is in none.
        recipients = all
        number = 0
        _ = try await sendNext(0)
        emit("sent", [:])
        try await Task.sleep(for: .seconds(3600))
    }

    /// Sends a message with the time at which the window begins, 0 if that is not known; returns whether all take it.
    private mutating func sendNext(_ begin: UInt64) async throws -> Bool {
        bytes.set(number, at: begin)
        number += 1
        let missed = try await session.send(bytes.data, to: recipientSet).missed
        if !missed.isEmpty { try expectStalled(missed) }
        return missed.isEmpty
    }

    /// Only the last member may miss something, and only because it does not read.
    private func expectStalled(_ missed: [PeerID: PeerError]) throws {
        guard options.isOn("stalled"), missed.count == 1, let last = recipients.last, missed[last]?.code == .timedOut
        else {
            throw Problem("messages were not taken: \(missed)")
        }
    }

    /// Fills all windows of the last member when SIGUSR1 arrives: of one channel, of as many streams as it grants, and of
    /// a request of nearly the greatest length.
    mutating func fill() async throws {
        guard recipients.count > 1, let stalled = recipients.last else { throw Problem("there is no other member") }
        let question = Question(text: String(repeating: "?", count: 1024 * 1024 - 1024))
        await signalled()
        let session = session
        let asking = Task {
            _ = try await session.request(question, from: stalled, timeout: .seconds(3600))
        }
        // The outbox of the member that reads stays short: what fills here is for the one that does not read.
        repeat { try await session.flush(to: recipients[0]) } while try await sendSome()
        var streams: [PeerStream] = []
        for number in 0..<Self.streamCount {
            let stream = try await session.openStream(named: "\(number)", to: stalled)
            streams.append(stream)
            for _ in 0..<Self.pieceCount { try await stream.write(Self.piece) }
        }
        emit("full", ["streams": Double(streams.count)])
        // The request has no answer: this lasts until the process is ended.
        try await asking.value
        withExtendedLifetime(streams) {}
    }

    /// Sends some messages; returns whether all recipients take all of them.
    private mutating func sendSome() async throws -> Bool {
        for _ in 0..<64 where try await !sendNext(0) { return false }
        return true
    }

    /// Waits for SIGUSR1.
    private func signalled() async {
        signal(SIGUSR1, SIG_IGN)
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
        source.setEventHandler { continuation.yield() }
        source.resume()
        emit("waiting", [:])
        _ = await signals.first { true }
        source.cancel()
    }
}
