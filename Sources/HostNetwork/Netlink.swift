import Glibc

/// Messages of the kernel about interfaces, routes and neighbours (rtnetlink(7)).
enum Netlink {
    /// A message of the kernel: its type and what follows the header.
    struct Message: Hashable {
        var type: UInt16
        var body: [UInt8]
    }

    // From linux/netlink.h and linux/rtnetlink.h.
    private static let family: UInt16 = 16
    private static let routeProtocol: CInt = 0
    private static let headerLength = 16
    private static let isRequest: UInt16 = 0x1
    private static let isDump: UInt16 = 0x300
    private static let error: UInt16 = 2
    private static let done: UInt16 = 3

    /// The maximum number of messages of an answer.
    private static let maximumMessages = 4096
    private static let bufferLength = 65_536
    /// How long the kernel may take, in milliseconds.
    private static let patience: CInt = 500

    /// Opens a socket, which the caller closes, for reports about some kinds of changes.
    static func open(reporting groups: UInt32 = 0) -> CInt? {
        let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(CInt(family), kind, routeProtocol)
        guard socket >= 0 else { return nil }
        // sockaddr_nl: family and padding, port id (0: the kernel chooses), groups.
        let address = (family, UInt16(0), UInt32(0), groups)
        let result = withUnsafeBytes(of: address) { bytes in
            bind(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard result == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Reads all messages that have come in, and ignores what they say.
    static func drain(_ socket: CInt) {
        var buffer = [UInt8](repeating: 0, count: bufferLength)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            // If messages were lost because there were too many (ENOBUFS), those that are left can be read.
            guard count > 0 || count < 0 && (errno == EINTR || errno == ENOBUFS) else { return }
        }
    }

    /// Asks the kernel; nil if it does not answer.
    static func ask(_ type: UInt16, _ body: [UInt8], isDump: Bool) -> [Message]? {
        guard let socket = open() else { return nil }
        defer { close(socket) }
        let flags = isRequest | (isDump ? self.isDump : 0)
        let request =
            bytes(UInt32(headerLength + body.count)) + bytes(type) + bytes(flags) + bytes(UInt32(1))
            + bytes(UInt32(0)) + body
        guard send(socket, request, request.count, 0) == request.count else { return nil }
        var messages: [Message] = []
        var buffer = [UInt8](repeating: 0, count: bufferLength)
        while messages.count < maximumMessages {
            var waiting = pollfd(fd: socket, events: CShort(POLLIN), revents: 0)
            guard poll(&waiting, 1, patience) == 1 else { return nil }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            for message in Self.messages(in: buffer[..<count]) {
                switch message.type {
                case done: return messages
                case error: return nil
                default: messages.append(message)
                }
            }
            if !isDump { return messages }
        }
        return messages
    }

    /// Returns the messages in a datagram, up to the first one that is not complete.
    static func messages(in bytes: ArraySlice<UInt8>) -> [Message] {
        var messages: [Message] = []
        var rest = bytes
        while rest.count >= headerLength, let length = rest.number(UInt32.self, at: 0).flatMap({ Int(exactly: $0) }),
            let type = rest.number(UInt16.self, at: 4), (headerLength...rest.count).contains(length)
        {
            messages.append(Message(type: type, body: Array(rest.prefix(length).dropFirst(headerLength))))
            rest = rest.dropFirst(min(rest.count, aligned(length)))
        }
        return messages
    }

    /// Returns the attributes in the rest of a message, up to the first one that is not complete; of each type the first.
    static func attributes(in bytes: ArraySlice<UInt8>) -> [UInt16: [UInt8]] {
        var attributes: [UInt16: [UInt8]] = [:]
        var rest = bytes
        while rest.count >= 4, let length = rest.number(UInt16.self, at: 0).map({ Int($0) }),
            let type = rest.number(UInt16.self, at: 2), (4...rest.count).contains(length)
        {
            if attributes[type] == nil { attributes[type] = Array(rest.prefix(length).dropFirst(4)) }
            rest = rest.dropFirst(min(rest.count, aligned(length)))
        }
        return attributes
    }

    /// Returns an attribute for a request.
    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        let padding = aligned(value.count) - value.count
        return bytes(UInt16(clamping: 4 + value.count)) + bytes(type) + value + [UInt8](repeating: 0, count: padding)
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) / 4 * 4 }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
}

extension Collection<UInt8> {
    /// Reads a number in the order of the machine; nil if there are too few bytes.
    func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type, at offset: Int) -> Number? {
        let part = dropFirst(offset).prefix(Number.bitWidth / 8)
        guard part.count == Number.bitWidth / 8 else { return nil }
        let bytes = Array(part)
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    }
}
