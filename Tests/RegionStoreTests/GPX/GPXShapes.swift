import Foundation
import Testing

/// A GPX file in the form of a program, written for these tests.
struct GPXShape: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    /// What an import says that it leaves out.
    var leftOut: [String] = []
    /// The numbers of hikes, planned routes and waypoints.
    var counts: [Int]
    /// Whether the file begins with a byte order mark.
    var hasMark = false

    var data: Data { Data((hasMark ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)) }

    private static let head = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

    static let all = [
        garmin, osmand, komoot, allTrails, openTracks, strava, endomondo, gpx10, emptyTracks, unicode, sparse, zeros,
        badTimes,
        routeFile, locus,
    ]

    static let garmin = GPXShape(
        testDescription: "Garmin, with heart rate and several segments",
        text: head + """
            <gpx creator="Garmin Connect" version="1.1" xmlns="http://www.topografix.com/GPX/1/1"
             xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
             xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3">
             <metadata><link href="connect.garmin.com"><text>Garmin Connect</text></link><time>2024-07-14T05:40:12.000Z</time></metadata>
             <wpt lat="47.3123456" lon="11.3812345"><ele>2267.25</ele><time>2024-07-14T07:12:30Z</time><name>Hafelekar</name>
              <cmt>top</cmt><desc>cross and bench</desc><sym>Summit</sym><type>user</type></wpt>
             <trk><name>Innsbruck Hiking</name><type>hiking</type>
              <extensions><gpxx:TrackExtension><gpxx:DisplayColor>DarkRed</gpxx:DisplayColor></gpxx:TrackExtension></extensions>
              <trkseg>
               <trkpt lat="47.30567893199622631072998046875" lon="11.37998765707015991210937500"><ele>1905.4000244140625</ele>
                <time>2024-07-14T05:40:12.000Z</time><extensions><ns3:TrackPointExtension><ns3:atemp>14.0</ns3:atemp>
                <ns3:hr>96</ns3:hr><ns3:cad>52</ns3:cad></ns3:TrackPointExtension></extensions></trkpt>
               <trkpt lat="47.3058001" lon="11.3801002"><ele>1906.2</ele><time>2024-07-14T05:40:20.000Z</time>
                <extensions><ns3:TrackPointExtension><ns3:hr>104</ns3:hr></ns3:TrackPointExtension></extensions></trkpt>
              </trkseg>
              <trkseg>
               <trkpt lat="47.3081003" lon="11.3811004"><ele>1950.6</ele><time>2024-07-14T06:10:00.000Z</time></trkpt>
               <trkpt lat="47.3085005" lon="11.3812006"><ele>1962</ele><time>2024-07-14T06:10:09.250Z</time></trkpt>
              </trkseg>
             </trk></gpx>
            """,
        leftOut: ["the file's own link"],
        counts: [1, 0, 1]
    )

    static let osmand = GPXShape(
        testDescription: "OsmAnd",
        text: head + """
            <gpx version="1.1" creator="OsmAnd 4.7.10" xmlns="http://www.topografix.com/GPX/1/1" xmlns:osmand="https://osmand.net">
              <metadata><name>Sat 13 Jul 2024</name></metadata>
              <wpt lat="47.3201" lon="11.4002"><ele>1922</ele><time>2024-07-13T10:00:00Z</time><name>Pfeishütte</name>
                <type>Huts</type><extensions><osmand:icon>tourism_alpine_hut</osmand:icon>
                <osmand:background>circle</osmand:background><osmand:color>#ffd00d0d</osmand:color></extensions></wpt>
              <trk><name>Sat 13 Jul 2024</name><trkseg>
                <trkpt lat="47.3101" lon="11.3901"><ele>1800.1</ele><time>2024-07-13T08:00:00Z</time><hdop>3.8</hdop>
                  <extensions><osmand:speed>1.17</osmand:speed><osmand:heading>12.5</osmand:heading></extensions></trkpt>
                <trkpt lat="47.3111" lon="11.3911"><ele>1810.4</ele><time>2024-07-13T08:02:00Z</time><hdop>4</hdop></trkpt>
              </trkseg><extensions><osmand:color>#aa1e96ff</osmand:color></extensions></trk></gpx>
            """,
        leftOut: ["osmand:background", "osmand:heading"],
        counts: [1, 0, 1]
    )

    static let komoot = GPXShape(
        testDescription: "Komoot, planned, without times",
        text: head + """
            <gpx version="1.1" creator="https://www.komoot.de" xmlns="http://www.topografix.com/GPX/1/1">
              <metadata><name>Rundweg</name><author><link href="https://www.komoot.de"><text>komoot</text></link></author></metadata>
              <trk><name>Rundweg</name><trkseg>
                <trkpt lat="47.280171" lon="11.509551"><ele>1304.577034</ele></trkpt>
                <trkpt lat="47.280211" lon="11.509617"><ele>1304.577034</ele></trkpt>
                <trkpt lat="47.280393" lon="11.509991"><ele>1306.2</ele></trkpt>
              </trkseg></trk></gpx>
            """,
        leftOut: ["the file's own author"],
        counts: [0, 1, 0]
    )

    static let allTrails = GPXShape(
        testDescription: "AllTrails, without times and elevations",
        text: head + """
            <gpx creator="AllTrails.com" version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
              <metadata><name>Eagle Loop</name><desc/><bounds minlat="47.2" minlon="11.3" maxlat="47.3" maxlon="11.4"/></metadata>
              <trk><name>Eagle Loop</name><src>AllTrails</src><trkseg><trkpt lat="47.2"
              lon="11.3"/><trkpt lat="47.21" lon="11.31"></trkpt></trkseg><trkseg><trkpt lat="47.22" lon="11.32"/></trkseg></trk></gpx>
            """,
        leftOut: ["src"],
        counts: [0, 1, 0]
    )

    static let openTracks = GPXShape(
        testDescription: "OpenTracks, with pauses",
        text: head + """
            <gpx version="1.1" creator="OpenTracks" xmlns="http://www.topografix.com/GPX/1/1"
             xmlns:opentracks="http://opentracksapp.com/xmlschemas/v1"
             xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
            <trk><name><![CDATA[Evening & <night>]]></name><desc><![CDATA[slow]]></desc><type><![CDATA[hiking]]></type>
            <extensions><opentracks:trackid>8b3c</opentracks:trackid></extensions>
            <trkseg>
            <trkpt lat="47.1500001" lon="11.2500001"><ele>801.5</ele><time>2023-05-06T18:00:00+02:00</time>
            <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.31</gpxtpx:speed></gpxtpx:TrackPointExtension>
            <opentracks:gain>0.0</opentracks:gain></extensions></trkpt>
            <trkpt lat="47.1501001" lon="11.2501001"><time>2023-05-06T18:00:05.123+02:00</time></trkpt>
            <trkpt lat="100" lon="0"><time>2023-05-06T18:00:06+02:00</time></trkpt>
            <trkpt lat="200" lon="0"><time>2023-05-06T18:20:00+02:00</time></trkpt>
            </trkseg><trkseg>
            <trkpt lat="47.1502001" lon="11.2502001"><ele>802</ele><time>2023-05-06T18:20:01+02:00</time></trkpt>
            </trkseg></trk></gpx>
            """,
        leftOut: ["2 points without a valid position", "opentracks:gain", "opentracks:trackid"],
        counts: [1, 0, 0]
    )

    static let strava = GPXShape(
        testDescription: "Strava",
        text: head + """
            <gpx creator="StravaGPX Android" version="1.1" xmlns="http://www.topografix.com/GPX/1/1"
             xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
             <metadata><time>2022-08-01T06:00:00Z</time></metadata>
             <trk><name>Morning Hike</name><link href="https://www.strava.com/activities/1"/><type>4</type><trkseg>
              <trkpt lat="47.2500010" lon="11.3500010"><ele>600.0</ele><time>2022-08-01T06:00:00Z</time>
               <extensions><power>180</power><gpxtpx:TrackPointExtension><gpxtpx:atemp>21</gpxtpx:atemp>
               <gpxtpx:hr>88</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt>
              <trkpt lat="47.2500020" lon="11.3500020"><ele>600.2</ele><time>2022-08-01T06:00:01Z</time>
               <extensions><power>190</power><gpxtpx:TrackPointExtension><gpxtpx:hr>89</gpxtpx:hr></gpxtpx:TrackPointExtension>
               </extensions></trkpt>
             </trkseg></trk></gpx>
            """,
        leftOut: ["power (2 times)"],
        counts: [1, 0, 0]
    )

    static let endomondo = GPXShape(
        testDescription: "endomondo",
        text: head + """
            <gpx version="1.1" creator="Endomondo.com" xmlns="http://www.topografix.com/GPX/1/1"
             xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
              <metadata><author><name>N N</name><email id="n" domain="example.org"/></author><time>2016-09-10T09:00:00Z</time></metadata>
              <trk><src>http://www.endomondo.com/</src><link href="https://www.endomondo.com/users/1/workouts/2"><text>endomondo</text></link>
              <type>HIKING</type><trkseg>
                <trkpt lat="47.26" lon="11.26"><time>2016-09-10T09:00:00Z</time></trkpt>
                <trkpt lat="47.27" lon="11.27"><ele>700.0</ele><time>2016-09-10T09:00:10Z</time><extensions>
                  <gpxtpx:TrackPointExtension><gpxtpx:hr>120</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt>
              </trkseg></trk></gpx>
            """,
        leftOut: ["src", "the file's own author"],
        counts: [1, 0, 0]
    )

    static let gpx10 = GPXShape(
        testDescription: "GPX 1.0",
        text: head + """
            <gpx version="1.0" creator="GPSBabel" xmlns="http://www.topografix.com/GPX/1/0">
            <time>2010-10-04T05:13:19Z</time><bounds minlat="45.3" minlon="14.0" maxlat="45.5" maxlon="14.2"/>
            <wpt lat="45.380593557" lon="14.144484317"><ele>-0.114380</ele><name>001</name><cmt>02-OCT-10</cmt><desc>02-OCT-10</desc>
            <url>http://example.org/1</url><urlname>One</urlname><sym>Flag, Blue</sym></wpt>
            <trk><name>T</name><url>http://example.org/2</url><number>1</number><trkseg>
            <trkpt lat="45.3806" lon="14.1444"><ele>733.623291</ele><time>2010-10-03T05:13:19Z</time><course>31.5</course>
            <speed>1.250</speed><fix>3d</fix><hdop>2.5</hdop></trkpt>
            </trkseg></trk></gpx>
            """,
        leftOut: ["course", "fix", "number"],
        counts: [1, 0, 1]
    )

    static let emptyTracks = GPXShape(
        testDescription: "empty tracks and segments",
        text: head + """
            <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><rte><name>nothing</name></rte>
            <trk><name>empty</name></trk><trk><name>also</name><trkseg/></trk>
            <trk><name>some</name><trkseg></trkseg><trkseg><trkpt lat="47" lon="11"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg>
            <trkseg><trkpt lat="x" lon="11"/><trkpt/></trkseg></trk></gpx>
            """,
        leftOut: [
            "3 tracks or routes without points", "3 empty track segments", "2 points without a valid position",
        ],
        counts: [1, 0, 0]
    )

    static let unicode = GPXShape(
        testDescription: "Unicode and a byte order mark",
        text: head + """
            <gpx version="1.1" creator="ü" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.1" lon="11.1"><name>山小屋 🥾 &amp; e\u{301}</name>
            <desc>čšž &lt;b&gt;
            second line</desc><sym>Campground</sym></wpt></gpx>
            """,
        counts: [0, 0, 1],
        hasMark: true
    )

    static let sparse = GPXShape(
        testDescription: "elevations and times at some points only",
        text: head + """
            <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>sparse</name><trkseg>
            <trkpt lat="47.0000001" lon="-179.9999999"><ele>10</ele></trkpt><trkpt lat="47.0000002" lon="179.9999998"/>
            <trkpt lat="47.1" lon="179.9"><time>2020-01-01T00:00:10Z</time></trkpt><trkpt lat="47.2" lon="179.8"><ele>30.1234</ele></trkpt>
            <trkpt lat="47.3" lon="179.7"/></trkseg></trk>
            <rte><name>one elevation</name><rtept lat="47" lon="11"/><rtept lat="47" lon="11"><ele>500</ele></rtept></rte></gpx>
            """,
        counts: [1, 1, 0]
    )

    static let zeros = GPXShape(
        testDescription: "elevations of 0",
        text: head + """
            <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>sea</name><trkseg>
            <trkpt lat="47" lon="11"><ele>0</ele><time>2020-01-01T00:00:00Z</time></trkpt>
            <trkpt lat="47.1" lon="11"><ele>0.0</ele><time>2020-01-01T00:01:00Z</time></trkpt></trkseg></trk></gpx>
            """,
        counts: [1, 0, 0]
    )

    static let badTimes = GPXShape(
        testDescription: "times out of order, equal, of 1901 and of the future",
        text: head + """
            <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
            <wpt lat="47" lon="11"><time>2099-01-01T00:00:00Z</time><name>later</name></wpt>
            <trk><name>back</name><trkseg><trkpt lat="47" lon="11"><time>2020-01-02T00:00:00Z</time></trkpt>
            <trkpt lat="47.1" lon="11"><time>2020-01-01T00:00:00.5Z</time></trkpt>
            <trkpt lat="47.2" lon="11"><time>2020-01-01T12:00:00Z</time></trkpt></trkseg></trk>
            <trk><name>equal</name><trkseg><trkpt lat="47" lon="11"><time>2020-01-01T00:00:00Z</time></trkpt>
            <trkpt lat="47.1" lon="11"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk>
            <trk><name>old</name><trkseg><trkpt lat="47" lon="11"><time>1901-12-13T20:45:52.207Z</time></trkpt></trkseg></trk>
            <trk><name>future</name><trkseg><trkpt lat="47" lon="11"><time>2099-12-13T20:45:52Z</time></trkpt></trkseg></trk></gpx>
            """,
        counts: [4, 0, 1]
    )

    static let routeFile = GPXShape(
        testDescription: "a route with names of its points",
        text: head + """
            <gpx version="1.1" creator="BaseCamp" xmlns="http://www.topografix.com/GPX/1/1"><rte><name>Up</name><cmt>c</cmt><desc>d</desc>
            <link href="http://example.org/?a=1&amp;b=2"><text>more</text><type>text/html</type></link><type>Mountain Biking</type>
            <rtept lat="47.01" lon="11.01"><ele>900</ele><time>2021-01-01T00:00:00Z</time><name>Start</name><cmt>here</cmt>
            <desc>by the church</desc><sym>Trail Head</sym><type>begin</type></rtept>
            <rtept lat="47.02" lon="11.02"/><rtept lat="47.03" lon="11.03"><name>End</name></rtept></rte></gpx>
            """,
        counts: [0, 1, 0]
    )

    static let locus = GPXShape(
        testDescription: "another prefix, and a waypoint without time",
        text: head + """
            <g:gpx version="1.1" creator="x" xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:l="http://www.locusmap.eu">
            <g:wpt lat="47.5" lon="11.5"><g:name>Hut</g:name><g:cmt>only a comment</g:cmt><g:sym>Lodge</g:sym>
            <g:extensions><l:icon>lodge</l:icon></g:extensions></g:wpt></g:gpx>
            """,
        counts: [0, 0, 1]
    )
}
