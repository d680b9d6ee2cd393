import LocalSend
import PeerProtocol
import Testing

@Suite struct LocalSendAgreementTests {
    @Test func agreementsOfRealDevicesAreRead() throws {
        let agreement = try LocalSendAgreement(json: Samples.bytes(Samples.agreement))
        #expect(agreement.session == "0d3f3c1a5d5c4d0f9d0a1b2c3d4e5f60")
        #expect(agreement.tokens == ["8b1c4b4f6a0c4f3f8f0f8a7d6c5b4a39": "f3a1c9d25b6e4f7a8c0d1e2f3a4b5c6d"])
        #expect(try LocalSendAgreement(json: agreement.json) == agreement)
        #expect(try LocalSendAgreement(json: Samples.bytes(#"{"sessionId":"s","files":{},"x":[]}"#)).tokens.isEmpty)
    }

    @Test(arguments: [
        ("{}", LocalSendFault.missing("files")), (#"{"files":{}}"#, .missing("sessionId")),
        (#"{"sessionId":"","files":{}}"#, .missing("sessionId")),
        (#"{"sessionId":5,"files":{}}"#, .missing("sessionId")),
        (#"{"sessionId":"s\u000d\u000aHost: x","files":{}}"#, .missing("sessionId")),
        (#"{"sessionId":"s","files":{"a":""}}"#, .invalid("files")),
        (#"{"sessionId":"s","files":{"a":null}}"#, .invalid("files")),
        (#"{"sessionId":"s","files":{"ä":"t"}}"#, .invalid("files")),
        (#"{"sessionId":"s","files":{"a":"\u0000"}}"#, .invalid("files")),
        (#"{"sessionId":"s","files":{"a":"t","a":"u"}}"#, .json(.duplicateKey)),
        (#"{"sessionId":"s","files":[]}"#, .json(.notJSON)), ("null", .json(.notJSON)), ("", .json(.notJSON)),
    ])
    func whatIsNoAgreementIsRefused(_ json: String, _ fault: LocalSendFault) {
        #expect(throws: fault) { try LocalSendAgreement(json: Samples.bytes(json)) }
    }

    @Test func lengthsAreBounded() throws {
        func json(_ session: Int, _ count: Int) -> [UInt8] {
            let files = (0..<count).map { #""\#($0)":"t""# }.joined(separator: ",")
            return Samples.bytes(#"{"sessionId":"\#(String(repeating: "s", count: session))","files":{\#(files)}}"#)
        }
        #expect(try LocalSendAgreement(json: json(256, 1000)).tokens.count == 1000)
        #expect(throws: LocalSendFault.tooManyFiles) { try LocalSendAgreement(json: json(1, 1001)) }
        #expect(throws: LocalSendFault.missing("sessionId")) { try LocalSendAgreement(json: json(257, 1)) }
        #expect(throws: LocalSendFault.tooLong) {
            try LocalSendAgreement(json: [UInt8](repeating: 0x20, count: LocalSendLimits.agreementLength + 1))
        }
    }
}
