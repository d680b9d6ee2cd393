import Glibc
import SharingReports
import Synchronization
import Testing

/// A pipe in the place of a terminal.
final class Pipe: Sendable {
    let reader: Int32
    private let writer: Int32
    private let isOpen = Mutex(true)

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        close(reader)
        closeWriter()
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Glibc.write(writer, bytes, bytes.count) == bytes.count)
    }

    func closeWriter() {
        isOpen.withLock { isOpen in
            if isOpen { close(writer) }
            isOpen = false
        }
    }
}
