import ArgumentParser
import SharingReports

/// The options of `send` for a stick.
struct StickOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the region to a stick, sealed for the machine that has written its request there.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var stick: String?

    @Flag(help: "With --stick: seal the region for anyone who has the link that is shown.")
    var anyone = false

    func validate() throws {
        guard stick != nil || !anyone else { throw ValidationError("--anyone needs --stick FOLDER.") }
    }
}
