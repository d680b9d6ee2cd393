import LocalSend
import PeerTestSupport
import Testing

/// JSON of devices with bytes changed, cut, doubled and mixed, by the thousands.
@Suite struct MutatedJSONTests {
    private static let samples = [
        Samples.localSend, Samples.localSend117, Samples.localsendd, Samples.localsendCLI, Samples.list,
        Samples.message,
        Samples.agreement,
    ].map(Samples.bytes)

    /// What JSON and its strings are made of, and what makes them long, deep or strange.
    private static let pieces = [
        "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u0000", "\\ud800", "\\u202e", "../", "..\\\\", "\u{0}",
        "\u{1B}[2J", "é", "e\u{301}", "/\u{301}", "\\\\\u{301}",
        "null", "true", "-1", "1e9", "0.5", "18446744073709551616", "9007199254740993", "\"fileName\":", "\"size\":",
        "\"id\":",
        "\"files\":{", "\"info\":{", "\"alias\":\"\"", "\"port\":0", "\"fingerprint\":", "\u{FEFF}", "🇨🇭",
    ].map(Samples.bytes)

    private static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = samples.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let length = Int.random(in: 0...min(12, bytes.count - place), using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
            case 1: bytes.replaceSubrange(place..<place + length, with: pieces.randomElement(using: &random) ?? [])
            case 2: bytes.removeSubrange(place..<place + length)
            case 3: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            case 4:
                bytes.insert(
                    contentsOf: bytes[place..<place + length],
                    at: Int.random(in: 0...bytes.count, using: &random)
                )
            default: bytes = Array(bytes.prefix(place)) + (samples.randomElement(using: &random) ?? []).dropFirst(place)
            }
        }
        return bytes
    }

    private static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } && !text.isEmpty
    }

    private static func check(_ device: LocalSendDevice, _ text: () -> String) throws {
        #expect(isLine(device.alias) && device.alias.utf8.count <= 100, "\(text())")
        #expect(device.model.map { isLine($0) && $0.utf8.count <= 100 } ?? true, "\(text())")
        #expect((1...128).contains(device.fingerprint.text.utf8.count) && device.port > 0, "\(text())")
        #expect(try LocalSendDevice(json: device.json()) == device, "\(text())")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func whatIsReadIsWithinTheLimits(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var readCount = 0
        for number in 0..<500 {
            let bytes = Self.mutated(&random)
            func text() -> String { "seed \(seed), number \(number): \(String(decoding: bytes, as: UTF8.self))" }
            if let announcement = try? LocalSendAnnouncement(bytes) {
                readCount += 1
                try Self.check(announcement.device, text)
                #expect(try LocalSendAnnouncement(announcement.datagram) == announcement)
            }
            if let offer = try? LocalSendOffer(json: bytes) {
                readCount += 1
                try Self.check(offer.sender, text)
                #expect(Set(offer.files.map(\.id)).count == offer.files.count, "\(text())")
                for file in offer.files {
                    #expect(Self.isLine(file.name) && ![".", ".."].contains(file.name), "\(text())")
                    #expect(
                        !file.name.utf8.contains { $0 == 0x2F || $0 == 0x5C } && file.name.utf8.count <= 1000,
                        "\(text())"
                    )
                    #expect(file.size <= 1 << 53 && (1...256).contains(file.id.utf8.count), "\(text())")
                }
                let again = try LocalSendOffer(json: offer.json)
                #expect(Set(again.files) == Set(offer.files) && again.leftOut == 0, "\(text())")
            }
            if let agreement = try? LocalSendAgreement(json: bytes) {
                readCount += 1
                #expect(try LocalSendAgreement(json: agreement.json) == agreement, "\(text())")
                let texts = [agreement.session] + agreement.tokens.flatMap { [$0.key, $0.value] }
                #expect(texts.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }, "\(text())")
            }
        }
        // Otherwise nearly all were refused at the first byte.
        #expect((25...475).contains(readCount), "\(readCount)")
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func randomBytesAreRefused(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let bytes = random.bytes(Int.random(in: 0...200, using: &random))
            #expect(throws: LocalSendFault.self) { try LocalSendAnnouncement(bytes) }
            #expect(throws: LocalSendFault.self) { try LocalSendOffer(json: bytes) }
            #expect(throws: LocalSendFault.self) { try LocalSendAgreement(json: bytes) }
        }
    }

    /// Wherever it is cut, it is refused and not read as something else.
    @Test func everyStartIsRefused() {
        for sample in Self.samples {
            for length in 0..<sample.count {
                let start = Array(sample.prefix(length))
                #expect(throws: LocalSendFault.self) { try LocalSendAnnouncement(start) }
                #expect(throws: LocalSendFault.self) { try LocalSendOffer(json: start) }
                #expect(throws: LocalSendFault.self) { try LocalSendAgreement(json: start) }
            }
        }
    }

    /// Bytes that are skipped do not matter, wherever they are.
    @Test func spacesAndOtherKeysAreSkipped() throws {
        let expected = try LocalSendOffer(json: Samples.bytes(Samples.list))
        let spaced = Samples.list.map { "{}:,".contains($0) ? " \($0)\r\n\t" : String($0) }.joined()
        // Within a text, the mark is part of it.
        #expect(try LocalSendOffer(json: Samples.bytes(spaced)).sender.fingerprint == expected.sender.fingerprint)
        let more = Samples.list.replacing("{\"", with: #"{"ä\"":[[{"id":1,"id":2}],{},-0.5e+3,"\\"],""#)
        let offer = try LocalSendOffer(json: Samples.bytes(more))
        #expect(offer.files == expected.files && offer.sender == expected.sender)
        // The key above is also one in the list of files.
        #expect(offer.leftOut == 1)
    }
}
