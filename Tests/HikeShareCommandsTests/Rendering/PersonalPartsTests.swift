import MapPages
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

/// What is said to be personal in a file is in it.
@Suite struct PersonalPartsTests {
    /// What is personal in each kind of file, beside the times of a GPX file.
    @Test(
        arguments: [
            (PersonalContent(), nil, nil), (.init(notes: 1), "notes", "notes"), (.init(comments: 2), nil, "comments"),
            (.init(links: 1), nil, "links"), (.init(comments: 1, notes: 3), "notes", "comments and notes"),
            (.init(pointTexts: 1), nil, "names of points"), (.commented, "comments", "comments"),
            (.init(comments: 1, links: 1, notes: 1), "notes", "comments, notes and links"),
        ] as [(PersonalContent, String?, String?)]
    )
    func onlyWordsThatAreThereAreNamed(content: PersonalContent, page: String?, file: String?) throws {
        var region = try Sample.region()
        (region.plannedRouteCount, region.waypointCount) = (1, 2)
        #expect(DownloadKind.html.personalParts(of: region, content) == [page].compactMap { $0 })
        for kind in [DownloadKind.gpx, .zip] {
            let words = [file, "times of routes and waypoints"].compactMap { $0 }
            #expect(kind.personalParts(of: region, content) == words, "\(kind)")
        }
        for kind in [DownloadKind.pdf, .mbtiles, .foreign, .sqlitedb] {
            #expect(kind.personalParts(of: region, content).isEmpty, "\(kind)")
        }
    }

    @Test func hikesAndPhotosSayWhatTheyHave() throws {
        var region = try Sample.region()
        (region.plannedRouteCount, region.waypointCount) = (0, 1)
        var content = PersonalContent(hikes: 2, healthRecords: 1, photos: 3)
        #expect(DownloadKind.html.personalParts(of: region, content) == ["2 recorded hikes", "3 photos"])
        content.timedHikes = 1
        (content.detailedPhotos, content.photoDetails, content.unexaminedPhotos) = (1, [.place, .camera], 1)
        let photos = "3 photos with cameras and places, perhaps with more"
        #expect(DownloadKind.html.personalParts(of: region, content) == ["2 recorded hikes with times", photos])
        #expect(
            DownloadKind.html.personalParts(of: region, content, hasPhotos: false) == ["2 recorded hikes with times"]
        )
        #expect(
            DownloadKind.zip.personalParts(of: region, content)
                == ["2 recorded hikes with times", "times of waypoints", "health data", photos]
        )
        #expect(DownloadKind.pdf.personalParts(of: region, content) == ["2 recorded hikes"])
    }
}

extension PersonalContent {
    /// A hike with a comment.
    fileprivate static var commented: PersonalContent {
        var content = PersonalContent(comments: 1)
        content.hikeComments = 1
        return content
    }
}
