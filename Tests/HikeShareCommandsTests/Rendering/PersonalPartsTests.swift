import MapPages
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

/// What is said to be personal in a file is in it.
@Suite struct PersonalPartsTests {
    @Test(
        arguments: [
            (PersonalContent(), nil), (.init(notes: 1), "notes"), (.init(comments: 2), "comments"),
            (.init(links: 1), "links"),
            (.init(comments: 1, notes: 3), "comments and notes"), (.init(pointTexts: 1), "comments"),
            (.init(comments: 1, links: 1, notes: 1), "comments, notes and links"),
        ] as [(PersonalContent, String?)]
    )
    func onlyWordsThatAreThereAreNamed(content: PersonalContent, words: String?) throws {
        var region = try Sample.region()
        (region.hikeCount, region.photoCount) = (0, 0)
        for kind in [DownloadKind.html, .gpx, .zip] {
            #expect(kind.personalParts(of: region, content) == (words.map { [$0] } ?? []), "\(kind)")
        }
        #expect(DownloadKind.pdf.personalParts(of: region, content).isEmpty)
    }
}
