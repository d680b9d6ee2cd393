import Foundation
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct PhotoImportTests {
    @Test func whatIsNoPhotoIsNotImported() async throws {
        try await PhotoTransferTests.withWorld { world in
            let waypoint = world.waypoints[4].id
            let text = world.directory.path("text.jpg")
            try Data("no photo".utf8).write(to: URL(fileURLWithPath: text))
            let large = try Photos.file(1, size: Photo.maximumSize + 1, in: world.directory)
            for path in [text, large] {
                let error = #expect(throws: RegionStoreError.self) {
                    try world.sender.importPhoto(at: path, for: waypoint, in: world.id)
                }
                #expect(error?.code == .invalidFile && error?.remedy != nil)
            }
            let largest = try Photos.file(1, size: Photo.maximumSize, in: world.directory)
            try world.sender.importPhoto(at: largest, for: waypoint, in: world.id)
            try world.transfer(world.sender, world.receiver)
            #expect(try world.receiver.photoData(of: world.id)[waypoint]?.count == Photo.maximumSize)
        }
    }

    @Test func aPhotoIsReplacedOnlyOnPurpose() async throws {
        try await PhotoTransferTests.withWorld { world in
            let waypoint = world.waypoints[0].id
            let other = try Photos.file(77, in: world.directory)
            let error = #expect(throws: RegionStoreError.self) {
                try world.sender.importPhoto(at: other, for: waypoint, in: world.id)
            }
            #expect(error?.code == .conflict)
            try world.sender.importPhoto(at: other, for: waypoint, in: world.id, replacing: true)
            let exported = world.directory.path("out.jpg")
            try world.sender.exportPhoto(of: waypoint, in: world.id, to: exported)
            #expect(FileManager.default.contentsEqual(atPath: exported, andPath: other))
            // Once more the same is no replacement.
            try world.sender.importPhoto(at: other, for: waypoint, in: world.id)
        }
    }
}
