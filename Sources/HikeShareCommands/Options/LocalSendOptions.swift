import ArgumentParser

/// Whether phones that have LocalSend are found, and find this machine.
struct LocalSendOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-localsend"),
        help: "Do not look for phones that have LocalSend, and do not let them find this machine."
    )
    var noLocalSend = false
}
