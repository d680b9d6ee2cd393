import ArgumentParser
import PhoneSharing
import RegionStore
import SharingReports

/// The kind of file that phones get.
struct PhoneFileKind: ExpressibleByArgument {
    var kind: DownloadKind

    init?(argument: String) {
        guard let kind = DownloadKind(typed: argument) else { return nil }
        self.kind = kind
    }

    /// The words for all kinds.
    static var words: [String] { DownloadKind.allCases.compactMap(\.typedWord) }

    static var defaultCompletionKind: CompletionKind { .list(words) }

    var defaultValueDescription: String { kind.typedWord ?? "" }
}

/// The options of what phones get that have LocalSend.
struct PhoneOptions: ParsableArguments {
    /// The longest PIN; phones show a few digits.
    private static let maximumPINLength = 64

    @Option(
        help: ArgumentHelp(
            "Send to the phone with this name in LocalSend as soon as it is there; may be repeated.",
            valueName: "name"
        )
    )
    var phone: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What phones get: html, osmand, mbtiles, gpx or pdf (default: html).", valueName: "kind")
    )
    var kind: PhoneFileKind?

    @Option(help: ArgumentHelp("The PIN that the phones of --phone ask for.", valueName: "pin"))
    var phonePin: String?

    func validate() throws {
        guard phone.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("--phone needs the name of a phone.")
        }
        guard let phonePin else { return }
        guard !phone.isEmpty else { throw ValidationError("--phone-pin needs --phone.") }
        guard (1...Self.maximumPINLength).contains(phonePin.utf8.count) else {
            throw ValidationError("--phone-pin must have 1 to \(Self.maximumPINLength) characters.")
        }
    }
}
