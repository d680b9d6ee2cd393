/// Bodies as OpenHiker writes them, but for the order of keys and what its models have no key for.
package enum GoldenJSON {
    /// The description of a region.
    package static let region =
        #"{"boundingBox":{"east":1.5255,"north":42.6175,"south":42.556,"west":1.413},"#
        + #""createdAt":"2026-02-05T16:00:00Z","fileSizeBytes":2613248,"hasRoutingData":true,"#
        + #""id":"0F8FAD5B-D9CB-469F-A165-70867728950E","mapDate":"2026-01-31T20:21:22Z","mapVersion":"1.0.2","#
        + #""name":"Coma Pedrosa","newestMapDate":"2026-02-01T02:03:04Z","#
        + #""outlines":[{"kind":"savedroutes","points":[426000,14500,425900,14612]}],"#
        + #""tileCount":120,"zoomLevels":[12,15]}"#

    /// Two waypoints.
    package static let waypoints =
        #"[{"altitude":2942.5,"category":"viewpoint","gpx":{"cmt":"c","icon":"natural_peak","links":[{"href":"http://a.example/","#
        + #""text":"a","type":"text/html"}],"sameDesc":true,"sym":"Summit","time":"","type":"user"},"hasPhoto":false,"hikeId":"7C9E6679-7425-40DE-944B-E07FC1F90AE7","#
        + #""id":"0F8FAD5B-D9CB-469F-A165-70867728950E","label":"Pic","latitude":42.5918,"longitude":1.4436,"#
        + #""modifiedAt":"2026-02-06T07:08:09Z","note":"a/b \"c\" é","timestamp":"2026-02-05T16:00:00Z"},"#
        + #"{"category":"waterSource","hasPhoto":true,"id":"7C9E6679-7425-40DE-944B-E07FC1F90AE7","label":"","#
        + #""latitude":-10,"longitude":-180,"note":"","timestamp":"1999-12-31T23:59:59Z"}]"#

    /// A recorded hike.
    package static let savedRoutes =
        #"[{"averageHeartRate":121.5,"comment":"Windy","elevationGain":100,"elevationLoss":20.5,"endLatitude":42.6,"#
        + #""endLongitude":1.45,"endTime":"2026-02-05T17:00:00Z","estimatedCalories":650,"#
        + #""gpx":{"color":"DarkRed"},"id":"7C9E6679-7425-40DE-944B-E07FC1F90AE7","maxHeartRate":160,"name":"Hike","regionId":"#
        + #""0F8FAD5B-D9CB-469F-A165-70867728950E","restingTime":600,"startLatitude":42.57,"startLongitude":1.48,"#
        + #""startTime":"2026-02-05T16:00:00Z","totalDistance":4905.25,"trackData":"+/8=","#
        + #""trackDetail":"AQID","trackSensors":"BAUG","walkingTime":3000}]"#

    /// A planned route.
    package static let plannedRoutes =
        #"[{"coordinates":[{"latitude":42.57,"longitude":1.48},{"latitude":42.58,"longitude":1.47},"#
        + #"{"latitude":42.6,"longitude":1.45}],"createdAt":"2026-02-05T16:00:00Z","elevationGain":300,"#
        + #""elevationLoss":0,"elevationProfile":[{"distance":0,"elevation":1470},{"distance":4000,"elevation":1770}],"#
        + #""endCoordinate":{"latitude":42.6,"longitude":1.45},"estimatedDuration":4680,"#
        + #""gpx":{"cmt":"c","desc":"d","element":"trk"},"id":"7C9E6679-7425-40DE-944B-E07FC1F90AE7","mode":"cycling","name":"Plan","#
        + #""pointTexts":[{"cmt":"c","desc":"d","index":2,"name":"End","sym":"Lodge","type":"t"}],"regionId":"0F8FAD5B-D9CB-469F-A165-70867728950E","startCoordinate":{"latitude":42.57,"longitude":1.48},"#
        + #""totalDistance":4000,"trackDetail":"AQID","turnInstructions":[{"bearing":0,"coordinate":{"latitude":42.6,"longitude":1.45},"#
        + #""cumulativeDistance":4000,"description":"Arrive","direction":"arrive","distanceFromPrevious":4000,"#
        + #""trailName":"GR 11"}],"viaPoints":[{"latitude":42.58,"longitude":1.47}]}]"#
}
