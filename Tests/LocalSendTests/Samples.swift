import LocalSend
import PeerProtocol
import Testing

/// What real devices say, and devices for tests.
enum Samples {
    static let phone = "4BADDE53A7F7CDEEED93189FD898E02BF6B4806CA4C05DE0ACE08319B86552FA"
    static let laptop = "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"

    /// As LocalSend 1.18.2 writes it: `MulticastMessageV2` with the legacy flag.
    static let localSend = """
        {"alias":"Nice Orange","version":"2.2","deviceModel":"Samsung","deviceType":"mobile","fingerprint":"\(phone)",\
        "port":53317,"protocol":"https","download":false,"announce":true}
        """
    /// The same without what may be missing.
    static let localSendBrief = """
        {"alias":"Secret Banana","version":"2.2","fingerprint":"\(phone)","port":53317,"protocol":"https","download":true}
        """
    /// As LocalSend 1.17 writes it.
    static let localSend117 = """
        {"alias":"Nice Orange","version":"2.1","deviceModel":null,"deviceType":null,"fingerprint":"\(phone)",\
        "port":53317,"protocol":"https","download":false,"announcement":true,"announce":true}
        """
    /// As localsendd writes it, in an announcement.
    static let localsendd = """
        {"alias": "Anna\\u2019s phone", "version": "2.2", "deviceModel": "Linux", "deviceType": "mobile", "fingerprint": \
        "\(phone)", "port": 53317, "protocol": "https", "download": true, "announce": true}
        """
    /// As localsend-cli writes it, in an announcement.
    static let localsendCLI = """
        {"alias": "localsend-cli@vm", "version": "2.0", "deviceModel": "Linux", "deviceType": "headless", "fingerprint": \
        "662357b47a5fcbfd86bb335983e6b735fb584081688d21ed4e7e79af5e5ffdec", "port": 53317, "protocol": "https", \
        "download": false, "announce": true}
        """
    /// A list of localsendd.
    static let list = """
        {"info": {"alias": "Anna\\u2019s phone", "version": "2.2", "deviceModel": "Linux", "deviceType": "mobile", \
        "fingerprint": "\(phone)", "port": 53317, "protocol": "https", "download": true}, "files": \
        {"8b1c4b4f6a0c4f3f8f0f8a7d6c5b4a39": {"id": "8b1c4b4f6a0c4f3f8f0f8a7d6c5b4a39", "fileName": \
        "Tour \\u00fcber den Pa\\u00df.gpx", "size": 12345, "fileType": "application/octet-stream", "sha256": \
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}}}
        """
    /// A message of LocalSend.
    static let message = """
        {"info":\(localSendBrief),"files":{"1f0f8f9e-6d1c-4f3e-9c27-6b1b8f9e6d1c":{"id":"1f0f8f9e-6d1c-4f3e-9c27-6b1b8f9e6d1c",\
        "fileName":"1f0f8f9e.txt","size":15,"fileType":"text/plain","preview":"Grüezi mitnand"}}}
        """
    /// The answer of localsendd.
    static let agreement = """
        {"sessionId": "0d3f3c1a5d5c4d0f9d0a1b2c3d4e5f60", "files": {"8b1c4b4f6a0c4f3f8f0f8a7d6c5b4a39": \
        "f3a1c9d25b6e4f7a8c0d1e2f3a4b5c6d"}}
        """

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func fingerprint(_ text: String) throws -> LocalSendFingerprint { try #require(LocalSendFingerprint(text)) }

    /// A device of its own for each number.
    static func device(
        _ number: Int,
        _ scheme: LocalSendDevice.Scheme = .https,
        alias: String? = nil,
        port: UInt16 = 53317
    ) throws -> LocalSendDevice {
        let name = alias ?? "Phone \(number)"
        let digest = ContentDigest(hashing: Array("\(number)".utf8)).hex
        return LocalSendDevice(alias: name, fingerprint: try fingerprint(digest), port: port, scheme: scheme)
    }

    static func file(
        _ id: String,
        size: UInt64 = 5,
        name: String = "a.gpx",
        sha256: ContentDigest? = nil
    ) throws -> LocalSendFile {
        try #require(LocalSendFile(id: id, name: name, size: size, sha256: sha256))
    }

    /// A start of the clock for machines, which only look at differences.
    static let start = ContinuousClock.now
}

extension LocalSendDevice {
    func announced(asks: Bool = true) -> LocalSendAnnouncement { LocalSendAnnouncement(self, asksForAnswer: asks) }
}
