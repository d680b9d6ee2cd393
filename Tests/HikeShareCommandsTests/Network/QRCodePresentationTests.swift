import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct QRCodePresentationTests {
    private static let code = QRCode(QRCodeTests.link).map(QRCodeSheet.init)
    private static let small = (columns: 60, rows: 20)
    private static let large = (columns: 80, rows: 24)

    @Test func aCodeIsDrawnWhereItFits() throws {
        let code = try #require(Self.code)
        var presentation = QRCodePresentation()
        #expect(presentation.show(code, in: Self.large) == .draw(code))
        #expect(presentation.resized(to: (200, 60)) == .none)
    }

    @Test func aCodeIsDrawnWhenTheWindowBecomesLargeEnough() throws {
        let code = try #require(Self.code)
        var presentation = QRCodePresentation()
        #expect(presentation.show(code, in: Self.small) == .askForRoom(columns: 41, rows: 22))
        #expect(presentation.resized(to: (80, 21)) == .none)
        #expect(presentation.resized(to: (40, 60)) == .none)
        // There, it comes when a person asks for it.
        #expect(presentation.resized(to: (41, 22)) == .offer(code))
        #expect(presentation.resized(to: (60, 24)) == .none)
        #expect(presentation.resized(to: (71, 23)) == .draw(code))
        #expect(presentation.resized(to: Self.large) == .none)
    }

    @Test func aCodeThatASmallWindowHasSpoiltIsDrawnAgain() throws {
        let code = try #require(Self.code)
        var presentation = QRCodePresentation()
        _ = presentation.show(code, in: Self.large)
        #expect(presentation.resized(to: Self.small) == .none)
        #expect(presentation.resized(to: Self.large) == .draw(code))
    }

    @Test func withoutALinkNothingIsDrawn() throws {
        var presentation = QRCodePresentation()
        #expect(presentation.show(nil, in: Self.large) == .none)
        #expect(presentation.resized(to: (200, 60)) == .none)
        let code = try #require(Self.code)
        _ = presentation.show(code, in: Self.large)
        #expect(presentation.show(nil, in: Self.large) == .none)
        #expect(presentation.resized(to: Self.small) == .none)
        #expect(presentation.resized(to: Self.large) == .none)
    }
}
