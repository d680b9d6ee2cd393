import Foundation
import NearbyPeers

/// The side that listens.
///
/// It counts what comes, or answers.
struct Listener: Sendable {
    let session: PeerSession
    let options: Options

    func run() async throws {
        // The readers come first: what has none is discarded.
        let data = try session.data()
        let lines = try session.messages(of: ChatLine.self)
        let streams = try session.streams()
        let offers = try session.resources()
        emit("listening", ["port": Double(await session.port)])
        switch options.program {
        case "messages": try await countMessages(data)
        case "lines": try await countLines(lines)
        case "echo":
            for await received in data { try await session.send(received.message, to: received.peer) }
        case "requests": try await answer()
        case "streams": try await countBytes(streams)
        case "paced": try await timeMessages(data, streams, offers)
        case "meet":
            // Cancelled when the program is ended.
            if options.isOn("discovery") { try await session.advertise() }
            try await Task.sleep(for: .seconds(3600))
        case "resource":
            for await offer in offers { _ = try await offer.receive(.file(path: options.text("file"))) }
        case "idle": try await Task.sleep(for: .seconds(3600))
        default: throw Problem("there is no program \(options.program)")
        }
    }

    /// Answers until the program is ended.
    ///
    /// If allocations are counted, it writes once how many each request took.
    private func answer() async throws {
        let meter = Shared<Meter?>(allocationCount == nil ? nil : Meter(options, every: 16))
        try await session.answer(Question.self, atOnce: 64) { question, _ in
            let figures = meter.use { meter -> [String: Double]? in
                guard meter?.came(1) == true else { return nil }
                defer { meter = nil }
                return meter?.figures
            }
            if let figures { emit("answered", figures) }
            return question
        }
    }

    private func countMessages(_ data: IncomingData) async throws {
        var meter = Meter(options, every: 64)
        var check = OrderCheck(length: options.count("length", 64))
        for await received in data {
            try check.came(received.message)
            if meter.came(received.message.count) { break }
        }
        emit("result", meter.figures)
    }

    private func countLines(_ lines: IncomingMessages<ChatLine>) async throws {
        var meter = Meter(options, every: 64)
        var next = 0
        for await received in lines {
            guard received.message.number == next else { throw Problem("line \(next) has not come in its place") }
            next += 1
            if meter.came(1) { break }
        }
        emit("result", meter.figures)
    }

    private func countBytes(_ streams: IncomingStreams) async throws {
        let meter = Shared(Meter(options, every: 1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            var unread: [PeerStream] = []
            var count = options.count("streams", 1) + options.count("unread")
            for await stream in streams {
                if stream.name == "unread" {
                    unread.append(stream)
                } else {
                    group.addTask {
                        var pattern = Pattern()
                        for try await bytes in stream.bytes {
                            try pattern.check(bytes)
                            if meter.use({ $0.came(bytes.count) }) { return }
                        }
                    }
                }
                count -= 1
                if count == 0 { break }
            }
            try await group.next()
            group.cancelAll()
            withExtendedLifetime(unread) {}
        }
        emit("result", meter.use { $0.figures })
    }

    /// Notes how long each message was on the way, until the last one, which has no time.
    private func timeMessages(
        _ data: IncomingData,
        _ streams: IncomingStreams,
        _ offers: IncomingResources
    ) async throws {
        let bytesBeside = Shared(0)
        let beside = Task {
            for await stream in streams {
                for try await bytes in stream.bytes { bytesBeside.use { $0 += bytes.count } }
            }
        }
        let files = Task {
            let target = options.text("file")
            for await offer in offers {
                _ = try await offer.receive(.file(path: target))
                try FileManager.default.removeItem(atPath: target)
            }
        }
        var times: [UInt64] = []
        var gap: (length: UInt64, end: UInt64) = (0, 0)
        var begin: UInt64?
        var bytesBefore = 0
        var last = nanoseconds()
        for await received in data {
            guard let (number, time) = NumberedBytes.read(received.message) else {
                throw Problem("a message is too short")
            }
            let now = nanoseconds()
            guard time > 0 else {
                let seconds = Double(now - (begin ?? now)) / 1e9
                var figures = percentiles(times)
                figures["sent"] = Double(number)
                figures["gap"] = Double(gap.length) / 1e9
                figures["gapEnd"] = Double(gap.end) / 1e9
                figures["megabytesBeside"] = Double(bytesBeside.use { $0 } - bytesBefore) / seconds / 1e6
                emit("result", figures)
                break
            }
            guard options.isOn("droppable") || number == UInt64(times.count) else {
                throw Problem("message \(times.count) has not come in its place")
            }
            if begin == nil {
                begin = now
                bytesBefore = bytesBeside.use { $0 }
                last = now
            }
            if now - last > gap.length { gap = (now - last, now) }
            last = now
            times.append(now - time)
        }
        beside.cancel()
        files.cancel()
    }
}

/// What is written to streams: each block of 4 KiB begins with its number, so that a byte in a wrong place is seen.
struct Pattern: Sendable {
    private static let block = 4096
    /// 256 KiB: one write.
    static let bytes = Data((0..<64).flatMap { [UInt8($0)] + [UInt8](repeating: 0x5A, count: block - 1) })

    private var place = 0

    mutating func check(_ bytes: Data) throws {
        var next = (place + Self.block - 1) / Self.block * Self.block
        while next < place + bytes.count {
            let byte = bytes[bytes.startIndex + next - place]
            guard byte == UInt8(next / Self.block % 64) else { throw Problem("a byte has come in a wrong place") }
            next += Self.block
        }
        place += bytes.count
    }
}
