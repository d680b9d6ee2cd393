import Foundation
import PeerTestSupport
import Testing

/// Devices to which the laptop sends, and which answer what no phone answers.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HostileAnswerTests {
    /// Sends to a hostile phone that answers in a way, which must not succeed.
    ///
    /// `bystander` is a third host, at `10.77.0.3`, which must hear nothing.
    private static func send(
        to how: String,
        _ options: [String] = [],
        _ body: (_ sent: Ending, _ phone: ChildProcess, _ bystander: ChildProcess) async throws -> Void
    ) async throws {
        try await PhoneHosts.with(2) { hosts in
            let phone = try await HostilePhone(on: hosts.phones[0], in: hosts.directory)
            let other = try await HostilePhone(on: hosts.phones[1], in: hosts.directory)
            try await other.start("answer", ["--how", "silent"]) { bystander in
                try await bystander.waitForOutput { $0.contains("ready") }
                let elsewhere = how == "redirect" ? ["--to", "10.77.0.3"] : []
                try await phone.start("answer", ["--how", how] + elsewhere + options) { child in
                    try await child.waitForOutput { $0.contains("ready") }
                    // One that proves nothing is not found.
                    let sent = try await hosts.send(to: HostilePhone.name, "--timeout", "20")
                    #expect(sent.code != 0, "\(sent)")
                    try await body(sent, child, bystander)
                    #expect(bystander.outputLines.filter { $0.contains("request") } == [])
                }
            }
        }
    }

    @Test func aRedirectIsNotFollowed() async throws {
        try await Self.send(to: "redirect") { sent, phone, _ in
            let outcome = try sent.outcome()
            #expect(outcome["end"]?.string == "failedThere", "\(sent)")
            #expect(!phone.outputLines.contains { $0.contains("/upload?") })
        }
    }

    @Test func anotherCertificateGetsNothing() async throws {
        let fingerprint = String(repeating: "AB", count: 32)
        try await Self.send(to: "certificate", ["--fingerprint", fingerprint]) { _, phone, _ in
            #expect(!phone.outputLines.contains { $0.contains("prepare-upload") }, "\(phone.outputLines)")
        }
    }

    @Test(arguments: ["long", "json", "tokens", "early"]) func whatNoPhoneAnswersEnds(
        _ how: String
    ) async throws {
        try await Self.send(to: how) { sent, phone, _ in
            #expect(!sent.description.contains("\nX: y"), "\(sent)")
            #expect(phone.outputLines.contains { $0.contains("prepare-upload") }, "\(phone.outputLines)")
        }
    }

    @Test func aDeviceWithTheFingerprintOfAnotherGetsNothing() async throws {
        try await PhoneHosts.with(2) { hosts in
            try await hosts.phone("Anna", at: 0) { anna in
                let fingerprint = try #require(try await anna.state()["self"]?["fingerprint"]?.string)
                let mallory = try await HostilePhone(on: hosts.phones[1], in: hosts.directory)
                let copy = ["--how", "certificate", "--fingerprint", fingerprint, "--alias", "Anna"]
                try await mallory.start("answer", copy) { child in
                    try await child.waitForOutput { $0.contains("ready") }
                    async let sending = hosts.send(to: "Anna")
                    try await anna.answer(true)
                    let sent = try await sending
                    #expect(sent.code == 0, "\(sent)")
                    #expect(!child.outputLines.contains { $0.contains("upload") }, "\(child.outputLines)")
                }
            }
        }
    }

    /// The program asks no proxy that its environment names.
    @Test func aProxyIsNotAsked() async throws {
        try await PhoneHosts.with(2) { hosts in
            let other = try await HostilePhone(on: hosts.phones[1], in: hosts.directory)
            try await other.start("answer", ["--how", "silent", "--own-port", "8080"]) { proxy in
                try await proxy.waitForOutput { $0.contains("ready") }
                try await hosts.phone { phone in
                    let names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
                    let environment = names.reduce(into: [String: String?]()) { $0[$1] = "http://10.77.0.3:8080" }
                    let command = ["send", Example.name, "--phone", phone.name, "--once", "--yes", "--format", "json"]
                    async let sending = hosts.laptop.start(command, environment: environment) { await $0.ending() }
                    try await phone.answer(true)
                    let sent = try await sending
                    #expect(sent.code == 0, "\(sent)")
                }
                #expect(proxy.outputLines.filter { $0.contains("request") } == [])
            }
        }
    }
}
