import Glibc
import HostNetwork

/// The user whose program is at the other end of a loopback connection.
///
/// Every user of a machine can connect to its loopback addresses, and can see the addresses of pages in the list of
/// processes. So the secret in an address is not enough, and the server asks the kernel, which lists the owner of each
/// socket.
enum ConnectionOwner {
    // A line has 150 bytes, so this is the room for 100,000 sockets.
    /// The maximum length of the kernel's lists, in bytes.
    private static let maximumLength = 16 << 20

    /// Returns whether the program at the client's end belongs to the user of this process, or to root.
    ///
    /// Only a client at 127.0.0.1 can be the user's own: a program can use any other loopback address with the same port as a
    /// connection of another user. If the socket is not listed, the client has closed it, and the answer is no.
    static func isOwn(_ client: String, _ clientPort: Int, _ serverPort: Int) -> Bool {
        guard client == "127.0.0.1" else { return false }
        for list in ["/proc/net/tcp", "/proc/net/tcp6"] {
            let text = SystemFile.text(list, upTo: maximumLength) ?? ""
            if let user = user(text, clientPort, serverPort) { return user == geteuid() || user == 0 }
        }
        return false
    }

    /// Finds a socket in a list of the kernel: the user of the loopback connection from one port to another; nil if it is not
    /// listed.
    static func user(_ list: String, _ clientPort: Int, _ serverPort: Int) -> uid_t? {
        for line in list.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", maxSplits: 8, omittingEmptySubsequences: true)
            guard fields.count > 7, port(fields[1]) == clientPort, port(fields[2]) == serverPort,
                isLoopback(fields[1]), isLoopback(fields[2])
            else { continue }
            return uid_t(fields[7])
        }
        return nil
    }

    private static func port(_ address: Substring) -> Int? {
        address.split(separator: ":").last.flatMap { Int($0, radix: 16) }
    }

    /// Returns whether an address is 127.0.0.1, also as an IPv6 address, in the byte order of any processor.
    private static func isLoopback(_ address: Substring) -> Bool {
        let host = address.prefix { $0 != ":" }
        let mapped = String(repeating: "0", count: 16)
        return ["0100007F", mapped + "FFFF00000100007F", "7F000001", mapped + "0000FFFF7F000001"].contains {
            host == $0
        }
    }
}
