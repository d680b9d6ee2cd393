import NIOCore
import NIOEmbedded
import PeerTestSupport
import Testing

@testable import PeerCore

/// Which frames reach a link at once, and which go to the driver of the connection.
@Suite struct LinkShortcutTests {
    private let shortcut = LinkShortcut()
    private let taken = Locked<[[Frame]]>([])

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(
            handler: FrameHandler(
                opening: ConnectionOpening(.byEvent, preface: .hikeshare),
                limits: .standard,
                activity: ActivityStamp(),
                shortcut: shortcut,
                proof: nil
            )
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(bytes: Preface.hikeshare.bytes))
        return channel
    }

    private func takeFrames() {
        shortcut.set { [taken] frames in
            taken.withLock { $0.append(frames) }
            return true
        }
    }

    private func credits(_ numbers: ClosedRange<UInt64>) -> [Frame] {
        numbers.map { .credit(Credit(received: $0)) }
    }

    private func receive(_ frames: [Frame], _ channel: EmbeddedChannel) throws {
        var bytes = ByteBuffer()
        for frame in frames { try FrameEncoder(preface: .hikeshare).write(frame, into: &bytes) }
        try channel.writeInbound(bytes)
    }

    private func passed(_ channel: EmbeddedChannel) throws -> [Frame] {
        var frames: [Frame] = []
        while let piece = try channel.readInbound(as: Inbound.self) {
            if case .frame(let frame) = piece { frames.append(frame) }
        }
        return frames
    }

    @Test func theFramesOfOneReadAreTakenTogether() throws {
        let channel = try channel()
        takeFrames()
        try receive(credits(1...100), channel)
        #expect(taken.value == [credits(1...100)])
        #expect(try passed(channel).isEmpty)
        // However many frames come, only so many keep the link busy at once.
        try receive(credits(101...5000), channel)
        #expect(taken.value.flatMap { $0 } == credits(1...5000))
        #expect(taken.value.allSatisfy { $0.count <= 256 })
        #expect(try passed(channel).isEmpty)
    }

    @Test func withoutALinkTheDriverGetsThem() throws {
        let channel = try channel()
        try receive(credits(1...3), channel)
        #expect(try passed(channel) == credits(1...3))
    }

    @Test func noFrameOvertakesWhatTheDriverHasNotHandled() throws {
        let channel = try channel()
        takeFrames()
        let goodbye = Frame.cancel(Cancellation(reason: "bye"))
        try receive(credits(1...2) + [goodbye] + credits(3...4), channel)
        #expect(taken.value == [credits(1...2)])
        #expect(try passed(channel) == [goodbye] + credits(3...4))
        // Still: only two of the three pieces are handled.
        for _ in 0..<2 { shortcut.handled() }
        try receive(credits(5...5), channel)
        #expect(try passed(channel) == credits(5...5))
        for _ in 0..<2 { shortcut.handled() }
        try receive(credits(6...7), channel)
        #expect(taken.value == [credits(1...2), credits(6...7)])
        #expect(try passed(channel).isEmpty)
    }
}
