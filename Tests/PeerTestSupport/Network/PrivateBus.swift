import Foundation
import Glibc

/// A D-Bus of a test's own, on which every program may have any name.
///
/// It is reached at its address only, so that tests with different ones can run at the same time. Needs dbus-daemon; if it is
/// missing, the test fails.
public final class PrivateBus: Sendable {
    /// The address, for those who connect to it.
    public var address: String { "unix:path=" + path }

    /// The path of the socket.
    public let path: String
    private let daemon: ChildProcess

    private init(path: String, daemon: ChildProcess) {
        self.path = path
        self.daemon = daemon
    }

    /// Starts a bus, calls `body` and ends the bus.
    public static func with<Result>(_ body: (PrivateBus) async throws -> Result) async throws -> Result {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("bus")
            let file = directory.path("bus.conf")
            try configuration(path).write(toFile: file, atomically: true, encoding: .utf8)
            let arguments = ["--config-file=" + file, "--nofork", "--nopidfile", "--print-address"]
            return try await ChildProcess.with("dbus-daemon", arguments) { daemon in
                try await daemon.waitForOutput { $0.hasPrefix("unix:") }
                return try await body(PrivateBus(path: path, daemon: daemon))
            }
        }
    }

    /// Kills the bus.
    public func stop() async {
        await daemon.end()
    }

    /// Makes the bus stand still.
    public func pause() {
        daemon.kill(SIGSTOP)
    }

    /// The configuration of a bus at a path, which allows everything.
    static func configuration(_ path: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>unix:path=\(path)</listen>
          <auth>EXTERNAL</auth>
          <limit name="max_replies_per_connection">5000</limit>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}
