import Glibc
import NIOCore

/// An address on loopback at which connecting takes for ever: a listening socket whose queue is full.
struct Nowhere {
    let address: SocketAddress
    private let descriptors: [CInt]

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        // By their bytes: which module owns the fields of these structures depends on what else is imported.
        var name = [UInt8](repeating: 0, count: 16)
        var length = socklen_t(name.count)
        let isListening = try SocketAddress(ipAddress: "127.0.0.1", port: 0).withSockAddr { address, size in
            bind(listener, address, socklen_t(size)) == 0 && listen(listener, 0) == 0
        }
        let isNamed = name.withUnsafeMutableBytes { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return getsockname(listener, address, &length) == 0
        }
        guard isListening, isNamed else { throw ScriptError("no listener") }
        self.address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(name[2]) << 8 | Int(name[3]))
        // Two fill the queue of a backlog of 0; the rest waits in its SYN.
        var descriptors = [listener]
        for _ in 0..<4 {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
            _ = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
            descriptors.append(descriptor)
        }
        self.descriptors = descriptors
    }

    func close() {
        for descriptor in descriptors { Glibc.close(descriptor) }
    }
}
