import Foundation

/// JSON without a session: one core writes lines, one reads them.
enum JSONAlone {
    static func run(_ options: Options) throws {
        let seconds = options.number("seconds", 2)
        let written = Shared(0.0)
        let read = Shared(0.0)
        let data = try JSONEncoder().encode(ChatLine(number: 1000))
        let writer = Thread {
            let encoder = JSONEncoder()
            var line = ChatLine(number: 1000)
            let rate = repeated(seconds) {
                line.number += 1
                return (try? encoder.encode(line))?.count ?? 0
            }
            written.use { $0 = rate }
        }
        let reader = Thread {
            let decoder = JSONDecoder()
            let rate = repeated(seconds) { (try? decoder.decode(ChatLine.self, from: data))?.number ?? 0 }
            read.use { $0 = rate }
        }
        writer.start()
        reader.start()
        while !writer.isFinished || !reader.isFinished { Thread.sleep(forTimeInterval: 0.01) }
        let rates = (written.use { $0 }, read.use { $0 })
        emit(
            "result",
            ["rate": min(rates.0, rates.1), "written": rates.0, "read": rates.1, "length": Double(data.count)]
        )
    }

    /// How often something is done in a second.
    private static func repeated(_ seconds: Double, _ body: () -> Int) -> Double {
        let begin = nanoseconds()
        let end = begin + UInt64(seconds * 1e9)
        var count = 0
        var now = begin
        while now < end {
            for _ in 0..<64 where body() > 0 { count += 1 }
            now = nanoseconds()
        }
        return Double(count) / (Double(now - begin) / 1e9)
    }
}
