import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing
import TrackFiles

@testable import RegionSharing
@testable import RegionStore

/// What a person reads of what phones send by LocalSend.
@Suite struct PhoneListWordsTests {
    private static func phone(
        _ recognition: LocalSendPhone.Recognition = .new,
        fingerprint: String? = "AB"
    ) -> LocalSendPhone {
        LocalSendPhone(
            number: 1,
            name: "Anna",
            recognition: recognition,
            address: "10.42.0.7",
            fingerprint: fingerprint
        )
    }

    private static func file(_ name: String, _ size: UInt64 = 2_000_000) -> PhoneFile {
        var file = PhoneFile(client: "10.42.0.7", name: name, size: size)
        file.phone = phone()
        return file
    }

    private static func words(_ files: [PhoneFile]) -> [String] {
        let question = PhoneFilesQuestion(phone(), files)
        return [question.introduction.string, question.question.string]
    }

    @Test func aListIsSummedUp() {
        #expect(
            Self.words([Self.file("a.gpx")]) == [
                "“Anna” (LocalSend, new) wants to send “a.gpx”, 2.0 MB.",
                "Take it? What is in it is shown before it is added.",
            ]
        )
        #expect(
            Self.words((1...300).map { Self.file("\($0).jpg") }) == [
                "“Anna” (LocalSend, new) wants to send 300 files, 600.0 MB: “1.jpg”, “2.jpg”, “3.jpg”, “4.jpg”, “5.jpg” …",
                "Take them? What is in them is shown before they are added.",
            ]
        )
        // A phone can say what it likes.
        #expect(Self.words([Self.file("a", .max), Self.file("b", .max)])[0].contains("2 files"))
    }

    @Test func aPhoneIsNamedInTheQuestionsAboutItsFiles() {
        let question = PhoneFileQuestion(Self.file("Andorra.obf"), .foreignMap(.osmand))
        #expect(
            question.introduction.string
                == "“Anna” (LocalSend, new) has sent a map for OsmAnd, “Andorra.obf”, 2.0 MB."
        )
        let upload = PhoneUpload(number: 1, file: Self.file("a.gpx"), length: 1_000_000)
        #expect(upload.text.string == "“Anna” (LocalSend, new) sends “a.gpx”, 2.0 MB: 50 %")
    }

    @Test func whatWouldBeAddedTogetherIsSaid() throws {
        var question = PhoneListQuestion(Self.phone(.confirmed))
        (question.trackFiles, question.hikes, question.waypoints, question.photos) = (3, 5, 1, 14)
        question.regions = [try Sample.region(name: "Alp"), try Sample.region(name: "Pic")]
        #expect(
            question.introduction.string
                == "“Anna” (LocalSend) has sent 3 track files with 5 hikes and 1 waypoint, and photos of 14 waypoints."
        )
        #expect(question.question.string == "Add all this to “Alp” and “Pic”?")
        (question.changes, question.outside) = (2, 1)
        #expect(question.question.string == "Add all this to “Alp” and “Pic”, and change 2 items that they have?")
        #expect(
            question.introduction.string.hasSuffix("\n1 item lies on none of your maps, and is left out."),
            "\(question.introduction.string)"
        )
        var replacing = PhoneListQuestion(Self.phone(.confirmed))
        (replacing.photos, replacing.isReplacing) = (14, true)
        #expect(
            replacing.introduction.string
                == "“Anna” (LocalSend) has sent photos of 14 waypoints that have a photo already."
        )
        #expect(replacing.question.string == "Replace these 14 photos?")
    }

    @Test func aFileForSeveralRegionsSaysSo() throws {
        func imported(_ name: String) throws -> GPXImport {
            GPXImport(
                region: try Sample.region(name: name),
                hikes: MergeCounts(),
                plannedRoutes: MergeCounts(),
                waypoints: MergeCounts()
            )
        }
        var expected = try imported("Alp")
        expected.elsewhere = [try imported("Pic")]
        expected.outside = ["Home", "Work"]
        let question = PhoneFileQuestion(Self.file("a.gpx"), .tracks(TrackDocument(), expected))
        #expect(question.question.string == "Add this to “Alp” and “Pic”?")
        #expect(
            question.introduction.string.hasSuffix("\n2 items lie on none of your maps, and are left out."),
            "\(question.introduction.string)"
        )
    }

    /// The text of a stranger is no line of the program.
    @Test func aTextIsShownAsThatOfAPhone() throws {
        let text = PhoneTextQuestion(Self.phone(), .words(count: 18))
        #expect(text.introduction.string == "“Anna” (LocalSend, new) wants to send a text of 18 characters.")
        #expect(text.question.string == "Show it?")
        let link = PhoneTextQuestion(Self.phone(), .link(isTaken: true))
        #expect(link.introduction.string == "“Anna” (LocalSend, new) has sent the share link of a sender.")
        #expect(link.question.string == "Receive from there?")
        let happening = LocalSendHappening.text("Hello\nAdd it? [y/N]\u{1B}[2K", from: Self.phone())
        let note = try #require(happening.note).string
        #expect(note.hasPrefix("“Anna” (LocalSend, new) has sent a text:\n  | Hello\n  | Add it? [y/N]"), "\(note)")
        #expect(!note.contains("\u{1B}"), "\(note)")
        let long = LocalSendHappening.text(String(repeating: "a\n", count: 10_000), from: Self.phone())
        #expect(try #require(long.note).string.utf8.count < 300)
    }

    /// Of hundreds of files, each reason is said once.
    @Test func whatWasNotAddedIsSaidOnce() {
        var files = (1...300).map { PhoneLeftOut(Self.file("\($0).jpg"), "No waypoint is near.") }
        files.append(PhoneLeftOut(Self.file("a.pdf"), "It is no map."))
        #expect(
            Self.phone().leftOutText(files).string == """
                301 files from “Anna” (LocalSend, new) were not added:
                “1.jpg”, “2.jpg”, “3.jpg” and 297 other files: No waypoint is near.
                “a.pdf”: It is no map.
                """
        )
        #expect(
            Self.phone().leftOutText([files[0]]).string
                == "A file from “Anna” (LocalSend, new) was not added:\n“1.jpg”: No waypoint is near."
        )
        let different = (1...9).map { PhoneLeftOut(Self.file("\($0)"), "Reason \($0).") }
        #expect(Self.phone().leftOutText(different).string.hasSuffix("\n“3”: Reason 3.\nand 6 other files."))
    }
}
