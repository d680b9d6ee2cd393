import Glibc
import Testing

@testable import Avahi

@Suite struct ClientWarningsTests {
    /// Writes as libavahi-client does, and returns what comes to standard error.
    private func written(_ format: String, _ arguments: [String]) throws -> String {
        let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "stderr"))
        let variable = symbol.assumingMemoryBound(to: UnsafeMutablePointer<FILE>?.self)
        let file = try #require(variable.pointee)
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let saved = dup(STDERR_FILENO)
        dup2(ends[1], STDERR_FILENO)
        let texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        withVaList(texts.compactMap { $0.map { OpaquePointer($0) } }) { _ = vfprintf(file, format, $0) }
        dup2(saved, STDERR_FILENO)
        for descriptor in [ends[1], saved] { close(descriptor) }
        defer { close(ends[0]) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var count = read(ends[0], &buffer, buffer.count)
        while count > 0 {
            bytes += buffer.prefix(count)
            count = read(ends[0], &buffer, buffer.count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func onlySignalsOfTheBusAreLeftOut() throws {
        #expect(ClientHandle.Warnings.areLeftOut)
        let format = "WARNING: Unhandled message: interface=%s, path=%s, member=%s\n"
        let member = "ActivatableServicesChanged"
        let bus = try written(format, ["org.freedesktop.DBus", "/org/freedesktop/DBus", member])
        #expect(!bus.contains(member))
        #expect(try written(format, ["org.example", "/", member]).contains(member))
        #expect(try written("%s\n", ["Words of the program."]).contains("Words of the program.\n"))
    }
}
