package import RegionSharing

extension PhoneError: WordedError {
    package var words: CommandError {
        switch self {
        case .port(let port, let reason):
            CommandError(
                .port,
                "The page for phones cannot be shown on port \(port): \(reason).",
                remedy: .typed("Choose another port with --web-port, or 0 for any free one.", window: nil)
            )
        }
    }
}
