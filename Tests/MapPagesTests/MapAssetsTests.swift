import Testing

@testable import MapPages

@Suite struct MapAssetsTests {
    /// Text from the store must not become HTML, and these are the ways in which a script could do that.
    @Test func ownScriptsWriteNoHTML() {
        let others: Set = ["leaflet.js", "maplibre.js"]
        let scripts = MapAssets.mapScripts + MapAssets.vectorScripts + MapAssets.listScripts + MapAssets.shareScripts
        let own = scripts.filter { !others.contains($0.name) }
        #expect(own.count > 30)
        for script in own {
            // Namespaces have the form of addresses, and are none.
            let text = ["http://www.w3.org/2000/svg", "http://www.topografix.com/GPX/1/1"].reduce(
                String(decoding: script.bytes, as: UTF8.self)
            ) { $0.replacing($1, with: "") }
            #expect(text.hasPrefix("'use strict';"), "\(script.name)")
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
                "createContextualFragment",
                "srcdoc", "http://www", "https://",
            ] {
                #expect(!text.contains(word), "\(script.name) has \(word)")
            }
        }
    }

    @Test func pagesHaveNoInlineScriptsAndStyles() {
        for page in [MapAssets.mapPage, MapAssets.listPage, MapAssets.sharePage] {
            #expect(page.hasPrefix("<!doctype html>"))
            for word in ["<script", "<style", "style=", "onload", "onclick", "javascript:"] {
                #expect(!page.contains(word), "\(word)")
            }
        }
    }

    @Test func leafletAndItsLicenceAreThere() {
        let names = MapAssets.all.mapValues { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(names["leaflet.js"]?.contains("tileLayer") == true)
        #expect(names["leaflet.css"]?.contains(".leaflet-tile") == true)
        #expect(names["leaflet-licence.txt"]?.contains("Redistributions in binary form") == true)
        #expect(MapAssets.styles.count == 2 && MapAssets.windowStyles.count == 1 && MapAssets.pictureStyles.count == 1)
        #expect(MapAssets.licences.count == 2)
    }

    @Test func marksAreFilled() {
        #expect("a<!--X-->b<!--Y-->".filling("X", "<!--Y-->") == "a<!--Y-->b<!--Y-->")
        #expect("ab".filling("X", "c") == "ab")
    }

    @Test func secretsAreRandomAndHidden() {
        let secrets = (0..<100).map { _ in MapSecret() }
        #expect(Set(secrets.map(\.text)).count == 100)
        #expect(
            secrets.allSatisfy {
                $0.text.count == 26 && $0.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        )
        #expect(!"\(secrets[0]) \(String(reflecting: secrets[0]))".contains(secrets[0].text))
        var dumped = ""
        dump(secrets[0], to: &dumped)
        #expect(!dumped.contains(secrets[0].text))
    }
}
