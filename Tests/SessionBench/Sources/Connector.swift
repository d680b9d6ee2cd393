import Foundation
import NearbyPeers

/// The side that connects, and sends or asks.
struct Connector: Sendable {
    let session: PeerSession
    let peer: PeerID
    let options: Options

    func run() async throws {
        switch options.program {
        case "messages": await sendMessages()
        case "lines": await sendLines()
        case "echo": try await ping()
        case "requests": try await ask()
        case "streams": try await writeStreams()
        case "paced": try await sendPaced()
        case "resource": try await sendFile()
        default: throw Problem("there is no program \(options.program)")
        }
    }

    /// Sends until the listener has counted enough and leaves.
    private func sendMessages() async {
        var bytes = NumberedBytes(length: options.count("length", 64))
        var number: UInt64 = 0
        let warm: UInt64 = 10_000
        var allocationsBefore: UInt64 = 0
        repeat {
            bytes.set(number)
            number += 1
            if number == warm { allocationsBefore = allocationCount?() ?? 0 }
        } while (try? await session.send(bytes.data, to: peer)) != nil
        guard let allocationCount, number > warm else { return }
        emit("sent", ["allocations": Double(allocationCount() - allocationsBefore) / Double(number - warm)])
    }

    private func sendLines() async {
        var line = ChatLine(number: 0)
        while (try? await session.send(line, to: peer)) != nil { line.number += 1 }
    }

    private func ping() async throws {
        var bytes = NumberedBytes(length: options.count("length", 64))
        var answers = try session.data().makeAsyncIterator()
        var times: [UInt64] = []
        let begin = nanoseconds()
        let warm = begin + UInt64(options.number("warm", 0.5) * 1e9)
        let end = warm + UInt64(options.number("seconds", 2) * 1e9)
        var number: UInt64 = 0
        var now = begin
        while now < end {
            bytes.set(number)
            let sent = nanoseconds()
            try await session.send(bytes.data, to: peer)
            guard let answer = await answers.next(), answer.message == bytes.data else {
                throw Problem("the answer is not what was sent")
            }
            now = nanoseconds()
            if sent >= warm { times.append(now - sent) }
            number += 1
        }
        emit("result", percentiles(times))
    }

    private func ask() async throws {
        let begin = nanoseconds() + UInt64(options.number("warm", 0.5) * 1e9)
        let end = begin + UInt64(options.number("seconds", 2) * 1e9)
        // The number of allocations when the first request that counts is sent.
        let allocationsBefore = Shared<UInt64?>(nil)
        let times = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<options.count("outstanding", 1) {
                group.addTask {
                    var times: [UInt64] = []
                    var now = nanoseconds()
                    while now < end {
                        let sent = now
                        if sent >= begin, let allocationCount {
                            allocationsBefore.use { $0 = $0 ?? allocationCount() }
                        }
                        let answer = try await session.request(Question(), from: peer)
                        guard answer.text == Question().text else { throw Problem("the answer is not what was asked") }
                        now = nanoseconds()
                        if sent >= begin, now < end { times.append(now - sent) }
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var figures = percentiles(times)
        figures["rate"] = Double(times.count) / options.number("seconds", 2)
        if let allocationCount, let before = allocationsBefore.use({ $0 }) {
            figures["allocations"] = Double(allocationCount() - before) / Double(max(1, times.count))
        }
        emit("result", figures)
    }

    /// Sends a file, and times it from the offer, when its digests are known, until the listener has it on its disk.
    private func sendFile() async throws {
        let sending = try await session.send(file: options.text("file"), to: peer)
        var begin: UInt64?
        for await progress in sending.progress() where begin == nil && progress.step != .hashing {
            begin = nanoseconds()
        }
        try await sending.finished()
        let seconds = Double(nanoseconds() - (begin ?? 0)) / 1e9
        emit("result", ["megabytes": Double(sending.currentProgress.size) / 1e6 / seconds])
    }

    /// Writes until the listener leaves.
    private func writeStreams() async throws {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<options.count("streams", 1) + options.count("unread") {
                let name = index < options.count("streams", 1) ? "read" : "unread"
                group.addTask { try? await write(name) }
            }
        }
    }

    private func write(_ name: String) async throws {
        let stream = try await session.openStream(named: name, to: peer)
        while true { try await stream.write(Pattern.bytes) }
    }

    /// Whether there is a link with the listener, also while its connection is broken.
    private var isLinked: Bool {
        switch session.peers.first(where: { $0.id == peer })?.state {
        case .connected, .reconnecting: true
        default: false
        }
    }

    private func besides() -> Task<Void, any Error>? {
        if options.isOn("stream") { return Task { try await write("beside") } }
        let path = options.text("file")
        guard !path.isEmpty else { return nil }
        return Task { while true { try await session.send(file: path, to: peer).finished() } }
    }

    /// Sends a message at equal times; beside it, perhaps, a stream, or a file again and again.
    private func sendPaced() async throws {
        let beside = besides()
        var bytes = NumberedBytes(length: options.count("length", 64))
        let mode: DeliveryMode = options.isOn("droppable") ? .droppable() : .reliable
        let interval = UInt64(options.number("interval", 20) * 1e6)
        if beside != nil { try await Task.sleep(for: .seconds(options.number("warm", 1))) }
        let begin = nanoseconds()
        let end = begin + UInt64(options.number("seconds", 10) * 1e9)
        var next = begin
        var number: UInt64 = 0
        while next < end {
            bytes.set(number, at: nanoseconds())
            try await session.send(bytes.data, to: peer, mode: mode)
            number += 1
            next += interval
            let now = nanoseconds()
            if next > now { try await Task.sleep(for: .nanoseconds(next - now), tolerance: .zero) }
        }
        beside?.cancel()
        // What is on the way comes before the last one.
        if options.isOn("droppable") { try await Task.sleep(for: .seconds(1)) }
        bytes.set(number)
        try await session.send(bytes.data, to: peer)
        // The listener leaves when it has it.
        while isLinked { try await Task.sleep(for: .milliseconds(20)) }
    }
}
