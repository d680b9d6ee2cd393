/// What a device wants to send: who it says it is, and a list of files.
package struct LocalSendOffer: Hashable, Sendable {
    private static let valueCount = 65_536

    /// The device that sends, as it describes itself.
    package var sender: LocalSendDevice
    /// The files, in the order of the list.
    package var files: [LocalSendFile]
    /// How many more files the list has, which cannot be taken as they are described.
    package var leftOut = 0

    /// Creates an offer.
    package init(from sender: LocalSendDevice, _ files: [LocalSendFile]) { (self.sender, self.files) = (sender, files) }

    /// Reads an offer; a list without files is one.
    package init(json: [UInt8]) throws(LocalSendFault) {
        var sender: LocalSendDevice?
        var files: [LocalSendFile]?
        var leftOut = 0
        try LocalSendJSON.read(json, atMost: LocalSendLimits.offerLength, Self.valueCount) { json in
            try json.readObject { key, json in
                switch key {
                case "info": sender = try LocalSendDeviceFields(&json).device()
                case "files":
                    var found: [LocalSendFile] = []
                    try json.readObject { id, json in
                        guard found.count + leftOut < LocalSendLimits.fileCount else {
                            throw LocalSendFault.tooManyFiles
                        }
                        if let file = try LocalSendFileFields.read(id, &json) {
                            found.append(file)
                        } else {
                            leftOut += 1
                        }
                    }
                    files = found
                default: try json.skip()
                }
            }
        }
        guard let sender else { throw .missing("info") }
        guard let files else { throw .missing("files") }
        guard !files.isEmpty || leftOut == 0 else { throw .noUsableFile }
        self.init(from: sender, files)
        self.leftOut = leftOut
    }

    /// The JSON of the offer.
    package var json: [UInt8] {
        let files = Dictionary(files.map { ($0.id, $0.wire) }) { first, _ in first }
        return LocalSendJSON.write(Wire(info: sender.wire(), files: files))
    }

    /// The size of all files, in bytes.
    package var size: UInt64 {
        files.reduce(0) { sum, file in
            let (total, isTooMuch) = sum.addingReportingOverflow(file.size)
            return isTooMuch ? .max : total
        }
    }

    /// The text, if the offer is one text that comes with the list.
    ///
    /// LocalSend sends a message as one file of text whose preview is the text. If its person has read it, nothing is accepted. A
    /// preview that is not the whole text is that of a file.
    package var text: String? {
        guard files.count == 1, leftOut == 0, let file = files.first, file.isText, let preview = file.preview,
            UInt64(preview.utf8.count) == file.size
        else { return nil }
        return preview
    }

    private struct Wire: Encodable {
        var info: LocalSendDevice.Wire
        var files: [String: LocalSendFile.Wire]
    }
}
