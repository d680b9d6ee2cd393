import RegionModel

/// Reads the messages of a FIT file, the binary format of devices by Garmin, Suunto, Coros, Wahoo and others.
///
/// Several files may follow one another, each with its header and checksum. Of a file that ends early, as after an empty battery, all
/// complete messages are kept.
struct FITParser {
    /// The messages are not what the header says.
    private struct Damaged: Error {}

    private var input: FITInput
    private var tracks: FITTracks
    private var definitions: [FITDefinition?] = Array(repeating: nil, count: 16)
    /// The seconds of the last message with a time; later ones may have only their last bits.
    private var seconds: UInt32?

    /// Reads a file; throws if it is too large, or damaged before its first position.
    static func read(
        _ assembly: TrackAssembly,
        _ source: @escaping () throws -> [UInt8]
    ) throws -> TrackDocument {
        var parser = FITParser(input: FITInput(source), tracks: FITTracks(assembly))
        try parser.readFiles()
        if let damage = parser.tracks.assembly.document.damage, parser.tracks.assembly.isEmpty {
            throw RegionStoreError(
                .invalidFile,
                damage == .endsEarly
                    ? "This is not a complete FIT file: it ends early."
                    : "The FIT file is damaged: its checksum or its messages are wrong.",
                remedy: "Copy it from the device again."
            )
        }
        return try parser.tracks.assembly.finished(named: "")
    }

    private init(input: FITInput, tracks: FITTracks) {
        self.input = input
        self.tracks = tracks
    }

    // MARK: Files

    private mutating func readFiles() throws {
        do {
            var next = try readHeader()
            if next == nil { throw Damaged() }
            while let length = next {
                tracks.beginFile()
                try readFile(length)
                try tracks.endFile()
                // What follows the last file means nothing.
                do { next = try readHeader() } catch is FITInput.Ended { next = nil }
            }
        } catch is FITInput.Ended {
            try end(.endsEarly)
        } catch is Damaged {
            try end(.unreadable)
        }
    }

    /// Ends a file that cannot be read any further.
    private mutating func end(_ damage: TrackFileDamage) throws {
        tracks.assembly.document.damage = damage
        try tracks.endFile()
    }

    /// Reads the header of a file; returns the number of bytes of its messages, or nil for anything else.
    private mutating func readHeader() throws -> Int? {
        input.checksum = 0
        guard let length = try input.next(), [12, 14].contains(length) else { return nil }
        let header = try input.take(Int(length) - 1)
        guard header[7...10].elementsEqual(".FIT".utf8) else { return nil }
        return Int(truncatingIfNeeded: header[3...6].number(isBigEndian: false))
    }

    private mutating func readFile(_ length: Int) throws {
        definitions = Array(repeating: nil, count: 16)
        seconds = nil
        // A device writes the length when the recording ends, so without one all of the rest may be messages.
        guard length > 0 else {
            do { while true { _ = try readMessage() } } catch is Damaged { throw FITInput.Ended() }
        }
        var rest = length
        while rest > 0 {
            rest -= try readMessage()
            guard rest >= 0 else { throw Damaged() }
        }
        let computed = input.checksum
        // Some programs write none.
        let checksum = [try input.next(), try input.next()].compactMap { $0 }
        guard checksum.count == 2, checksum.number(isBigEndian: false) == UInt64(computed) else {
            tracks.assembly.document.damage = .wrongChecksum
            return
        }
    }

    // MARK: Messages

    /// Reads a message; returns the number of its bytes.
    private mutating func readMessage() throws -> Int {
        let header = try input.take(1)[0]
        if header & 0x80 != 0 {
            // Five bits of the time are in the header.
            if let last = seconds { seconds = last &+ (UInt32(header & 0x1F) &- last) & 0x1F }
            return try readData(Int(header >> 5 & 3), hasShortTime: true) + 1
        }
        guard header & 0x40 != 0 else { return try readData(Int(header & 0xF), hasShortTime: false) + 1 }
        return try readDefinition(Int(header & 0xF), hasDeveloperFields: header & 0x20 != 0) + 1
    }

    private mutating func readDefinition(_ local: Int, hasDeveloperFields: Bool) throws -> Int {
        let start = try input.take(5)
        let isBigEndian = start[1] == 1
        let message = UInt16(truncatingIfNeeded: start[2...3].number(isBigEndian: isBigEndian))
        let list = try input.take(3 * Int(start[4]))
        // A field without bytes has no value. Many of them would cost time for each message, which has no bytes either.
        let fields = stride(from: 0, to: list.count, by: 3).filter { list[$0 + 1] > 0 }.map { index in
            FITDefinition.Field(number: list[index], size: Int(list[index + 1]), type: list[index + 2])
        }
        var definition = FITDefinition(
            message: message,
            isBigEndian: isBigEndian,
            fields: fields,
            developerLength: 0
        )
        var length = 5 + list.count
        if hasDeveloperFields {
            let more = try input.take(3 * Int(try input.take(1)[0]))
            for index in stride(from: 1, to: more.count, by: 3) { definition.developerLength += Int(more[index]) }
            length += 1 + more.count
        }
        definitions[local] = definition
        return length
    }

    private mutating func readData(_ local: Int, hasShortTime: Bool) throws -> Int {
        guard let definition = definitions[local] else { throw Damaged() }
        let message = FITMessage(definition, try input.take(definition.length))
        if let time = message.number(FITTracks.time) {
            seconds = UInt32(exactly: time)
        } else if !hasShortTime, definition.fields.contains(where: { $0.number == FITTracks.time }) {
            seconds = nil
        }
        let hasTime = hasShortTime || message.number(FITTracks.time) != nil
        if definition.developerLength > 0 { tracks.assembly.texts.leftOut.count("developer field") }
        try tracks.add(message, of: definition.message, at: hasTime ? seconds : nil)
        return definition.length
    }
}
