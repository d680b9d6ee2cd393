import ExampleSupport
import Foundation
import NearbyPeers

/// Two parents share a child's profile: `BabyNanny NAME KEY-FILE [--invite] [--small] [--newer] [--everyone]`.
///
/// With `--invite`, peers are invited as they are found. `--small` takes messages of at most 4 KiB. `--newer` is the next
/// version of the program. Each line that is typed is an action, such as `slept 2 h`. Ctrl-D ends the program.
///
/// Everything crosses in messages of at most 1 MiB. Larger profiles cross in portions; see Chat for files.
@main
struct BabyNanny {
    static func main() async throws {
        guard let arguments = Arguments.read(options: ["--invite", "--newer", "--small"]) else { exit(2) }
        let person = Person()
        let isNewer = arguments.options.contains("--newer")
        var configuration = try arguments.configuration(
            service: "nanme-share",
            software: isNewer ? "BabyNanny 2.0" : "BabyNanny 1.0",
            asking: person
        )
        configuration.requests = [Capabilities.self, ProfileSnapshot.self]
        configuration.requests.append(isNewer ? SignedDelta.self : ActionsDelta.self)
        configuration.messages = isNewer ? [Reminder.self] : []
        // A third peer hears that this one is busy, and peers that others introduce are ignored.
        configuration.maximumPeers = 1
        configuration.topology = .star
        if arguments.options.contains("--small") { configuration.buffers.maximumMessageLength = 4096 }
        let longest = configuration.buffers.maximumMessageLength
        try await withPeerSession(configuration) { session in
            let sharing = Sharing(
                session: session,
                person: person,
                profile: Profile(child: "Mia"),
                longest: longest,
                isNewer: isNewer
            )
            try await sharing.run(invites: arguments.options.contains("--invite"))
        }
    }
}
