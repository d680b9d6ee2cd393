import MapPages

/// The progress of a file that a phone sends, for the person at the laptop.
extension UploadQueue.Progress {
    /// The fraction of the file that has arrived, from 0 to 1.
    var fraction: Double { size == 0 ? 1 : min(1, Double(length) / Double(size)) }

    /// The progress in words.
    var text: DisplayText {
        "\(client) sends \(DisplayText(quoting: name)), \(Wording.size(size)): \(Wording.percent(fraction))"
    }
}
