import Glibc
import NIOCore

/// An address on loopback at which connecting takes for ever: a listening socket whose queue is full.
struct Nowhere {
    let address: SocketAddress
    private let descriptors: [CInt]

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = try withUnsafeMutablePointer(to: &name) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, length) == 0, listen(listener, 0) == 0,
                    getsockname(listener, address, &length) == 0
                else { throw ScriptError("no listener") }
                return UInt16(
                    bigEndian: pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
                )
            }
        }
        self.address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
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
