import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Three machines with one region, and what happens to them.
struct MergeWorld {
    let machines: [MergeMachine]
    let regionID: UUID
    var maps: [[UInt8]] = []
    var generator = SeededGenerator(seed: 0)
    var seed: UInt64 = 0
    /// What broke a rule, and when.
    var failure: String?
    var fates: [ItemTable.Fate: Int] = [:]
    var mapCount = 0
    private var log: [() -> String] = []
    private var ids: [UUID] = []

    init(machines: [MergeMachine]) {
        self.machines = machines
        self.regionID = machines[0].regionID
    }

    /// Begins a history: no items, and the name of the map.
    mutating func begin(_ seed: UInt64) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        log = []
        // Few, so that the stores often have the same ones.
        ids = (0..<3).map { _ in UUID() }
        for machine in machines {
            try machine.write { database in
                for table in ItemTable.all { try database.execute(sql: "DELETE FROM \(table.name)") }
                try database.execute(sql: "DELETE FROM removedItem")
                try database.execute(sql: "UPDATE region SET name = 'Nordkette'")
            }
        }
    }

    /// Lets something happen somewhere.
    mutating func step() throws {
        let index = generator.below(machines.count)
        switch generator.below(20) {
        case 0..<9:
            switch generator.below(3) {
            case 0: try edit(SavedRoute.self, in: index)
            case 1: try edit(PlannedRoute.self, in: index)
            default: try edit(Waypoint.self, in: index)
            }
        case 9, 10: try remove(from: index)
        case 11: try changeRegion(of: index)
        default:
            try transfer(from: index, to: (index + 1 + generator.below(machines.count - 1)) % machines.count)
        }
    }

    // MARK: What people do

    private mutating func changeRegion(of index: Int) throws {
        guard let store = machines[index].store else { return }
        guard generator.below(2) == 0 else {
            log.append { "\(index) renames the region" }
            return try store.rename(regionID, to: generator.oneOf(["Karwendel", "Home"]))
        }
        let map = generator.below(maps.count)
        log.append { "map \(map) comes to \(index)" }
        let source = try LyingSource(try store.region(regionID).region, [.mbtiles: maps[map]])
        try Transfers.run(source, to: store.sink())
    }

    private mutating func edit<Item: RandomItem>(_ type: Item.Type, in index: Int) throws {
        let (machine, id) = (machines[index], generator.oneOf(ids))
        let known = try machine.read { try RegionItemRecord<Item>.fetchOne(id, of: regionID, $0) }
        var item = try known ?? Item.make(id)
        for _ in 0...generator.below(2) { item.edit(&generator) }
        if known != nil || generator.below(2) == 0 { item.modifiedAt = time() }
        log.append { [item] in "\(index) edits \(Item.noun): \(item)" }
        try machine.write { try RegionItemRecord(regionID: regionID, item: item).upsert($0) }
    }

    /// When somebody edits something, by a clock of their own: often at the same time as another, at times far from now.
    private mutating func time() -> Date {
        switch generator.below(12) {
        case 0: Date() - 3600
        case 1: Date() + 3600
        case 2: Date() + 3 * 86_400
        case 3: Date() + 10_000 * 86_400
        case 4: Items.time - 86_400
        default: Items.time + Double(generator.below(4)) + generator.oneOf([0, 0.25, 0.9])
        }
    }

    /// Removes an item: now, or by a clock of one's own, but not before the item was edited last.
    private mutating func remove(from index: Int) throws {
        let table = generator.oneOf(ItemTable.all)
        let rows = try MergeState(of: machines[index]).items[table.kind] ?? [:]
        guard let (text, row) = rows.min(by: { $0.key < $1.key }), let id = UUID(uuidString: text),
            let kind = ItemKind(rawValue: table.name)
        else { return }
        let edited = Date(timeIntervalSince1970: table.date(row))
        let time = generator.below(2) == 0 ? nil : max(time(), edited)
        log.append { "\(index) removes \(table.name) \(id), \(time ?? .now)" }
        try machines[index].write { database in
            try RegionStore.removeItem(id, kind, of: regionID, editedAt: edited, database)
            if let time { try RemovedItem.note(id, table.name, of: regionID, at: time, database) }
        }
    }

    // MARK: What is checked

    /// Sends something, and then the same again.
    private mutating func transfer(from: Int, to: Int) throws {
        let includeHealth = generator.below(3) == 0
        let replacing = generator.below(4) > 0
        var kinds = Set(ItemTable.all.map(\.kind).filter { _ in generator.below(4) > 0 })
        if machines[from].store != nil, generator.below(2) == 0 { kinds.insert(.mbtiles) }
        try transfer(from: from, to: to, kinds, includeHealth: includeHealth, replacing: replacing)
    }

    private mutating func transfer(
        from: Int,
        to: Int,
        _ kinds: Set<ResourceKind>,
        includeHealth: Bool,
        replacing: Bool
    ) throws {
        let (sender, receiver) = (machines[from], machines[to])
        let sent = try MergeState(of: sender)
        let hasItems = kinds.contains { sent.items[$0]?.isEmpty == false }
        guard hasItems || kinds.contains(.mbtiles) else { return }
        log.append {
            "\(from) sends \(kinds.map(\.rawValue).sorted()) to \(to), health: \(includeHealth), replacing: \(replacing)"
        }
        for isAgain in generator.below(3) == 0 ? [false, true] : [false] {
            let before = try MergeState(of: receiver)
            let started = Date()
            var receipt = try move(
                from: sender,
                to: receiver,
                kinds,
                includeHealth: includeHealth,
                replacing: replacing
            )
            let after = try MergeState(of: receiver)

            var expected = TransferReceipt()
            var outcomes: [ItemChange.Outcome: Int] = [:]
            for table in ItemTable.all {
                var rows = before.items[table.kind] ?? [:]
                for (id, row) in sent.items[table.kind] ?? [:] where kinds.contains(table.kind) {
                    var incoming = row
                    for column in table.health where !includeHealth { incoming[column] = .null }
                    let moment = Moment(removedAt: before.removed[table.kind]?[id], started: started)
                    let fate = take(incoming, id, table, into: &rows, after, moment, replacing: replacing)
                    fates[fate, default: 0] += 1
                    switch fate {
                    case .added, .updated: expected.imported[table.kind.rawValue, default: 0] += 1
                    case .kept, .staysRemoved: expected.keptLocal[table.kind.rawValue, default: 0] += 1
                    case .unchanged: break
                    }
                    if let outcome = fate.outcome { outcomes[outcome, default: 0] += 1 }
                }
                // Only a whole offer tells of removals.
                let told = sender.store != nil && receiver.store != nil && kinds.contains(table.kind)
                for (id, removedAt) in sent.removed[table.kind] ?? [:] where told {
                    guard let row = rows[id], !ItemTable.isInTheFuture(removedAt) else { continue }
                    guard table.isFromTheFuture(row) || removedAt > table.date(row) else { continue }
                    outcomes[.removedBySender, default: 0] += 1
                }
                let removed = (before.removed[table.kind] ?? [:]).filter { rows[$0.key] == nil }
                check(
                    after.removed[table.kind] == removed,
                    "\(table.name): removed are \(after.removed), not \(removed)"
                )
                check(after.items[table.kind] == rows, "\(table.name): \(after.items[table.kind] ?? [:]), not \(rows)")
            }
            if kinds.contains(.mbtiles) {
                mapCount += 1
                let isNewMap = before.map != sent.map
                if isNewMap { expected.imported["mbtiles"] = 1 }
                check(after.map == sent.map, "not the sender's map")
            } else {
                check(after.map == before.map, "another map")
            }
            check(after.name == before.name, "the name is chosen by another")
            let changes = Dictionary(grouping: receipt.changes, by: \.outcome).mapValues(\.count)
            let hasAll = receipt.changes.count < ItemChange.maximumCount
            check(!hasAll || changes == outcomes, "\(changes), not \(outcomes)")
            receipt.changes = []
            check(receipt == expected, "\(receipt), not \(expected)")
            if isAgain {
                check(after == before && receipt.imported.isEmpty, "the same again changes something: \(receipt)")
            }
        }
    }

    /// Sends what a machine has, or merges it as it would cross.
    private func move(
        from sender: MergeMachine,
        to receiver: MergeMachine,
        _ kinds: Set<ResourceKind>,
        includeHealth: Bool,
        replacing: Bool
    ) throws -> TransferReceipt {
        if let from = sender.store, let to = receiver.store {
            let source = try from.source(for: regionID, kinds: kinds, includeHealth: includeHealth)
            return try Transfers.run(source, to: to.sink(replacesItems: replacing))
        }
        func arriving<Item: RandomItem>(_ type: Item.Type, _ change: (Item) -> Item = { $0 }) throws -> [Item] {
            guard kinds.contains(Item.kind) else { return [] }
            let items = try sender.read { try RegionItemRecord<Item>.fetchAll(of: regionID, $0) }
            return try SharedJSON.decode(type, from: Data(try ItemCoding.encode(items.map(change), Item.kind)))
        }
        let hikes = try arriving(SavedRoute.self) { includeHealth ? $0 : $0.withoutHealthData() }
        let (routes, waypoints) = (try arriving(PlannedRoute.self), try arriving(Waypoint.self))
        return try receiver.write { database in
            var receipt = TransferReceipt()
            func merge<Item: RandomItem>(_ items: [Item]) throws {
                let counts = try RegionItemRecord.merge(items, into: regionID, replacing: replacing, database)
                receipt.changes += counts.changes
                if counts.imported > 0 { receipt.imported[Item.kind.rawValue] = counts.imported }
                if counts.keptLocal > 0 { receipt.keptLocal[Item.kind.rawValue] = counts.keptLocal }
            }
            try merge(hikes)
            try merge(routes)
            try merge(waypoints)
            return receipt
        }
    }

    /// When the receiver removed an item, if it did, and when it began to merge.
    private struct Moment {
        var removedAt: Double?
        var started: Date
    }

    /// Says what becomes of an item that comes, and checks that nothing of the receiver's own is lost.
    private mutating func take(
        _ incoming: ItemTable.Row,
        _ id: String,
        _ table: ItemTable,
        into rows: inout [String: ItemTable.Row],
        _ after: MergeState,
        _ moment: Moment,
        replacing: Bool
    ) -> ItemTable.Fate {
        let local = rows[id]
        let (merged, fate) = table.merge(local, removedAt: moment.removedAt, incoming, replacing: replacing)
        guard var row = merged else {
            check(after.items[table.kind]?[id] == nil, "\(table.name) \(id) has come back")
            return fate
        }
        guard let result = after.items[table.kind]?[id] else {
            check(false, "\(table.name) \(id) is gone")
            return fate
        }
        if fate == .added, table.isFromTheFuture(incoming) {
            let span = moment.started.timeIntervalSince1970.rounded(.down)...Date().timeIntervalSince1970
            check(span.contains(table.date(result)), "\(table.name) \(id) is dated \(table.date(result))")
            row["modifiedAt"] = result["modifiedAt"]
        }
        rows[id] = row
        if let local {
            let isOwnNewer = table.date(local) > table.date(incoming) && !table.isFromTheFuture(local)
            check(!isOwnNewer || result == local, "\(table.name) \(id) has lost an own edit: \(local), now \(result)")
            for column in table.words where !ItemTable.isNothing(local[column]) {
                check(!ItemTable.isNothing(result[column]), "\(table.name) \(id) has lost its \(column)")
            }
        }
        return fate
    }

    /// Sends everything there and back: then both have the same items, but for what the rules do not decide.
    mutating func checkBothWays(_ first: Int, _ second: Int) throws {
        let (before, other) = (try MergeState(of: machines[first]), try MergeState(of: machines[second]))
        let kinds = Set(ItemTable.all.map(\.kind))
        try transfer(from: first, to: second, kinds, includeHealth: true, replacing: true)
        try transfer(from: second, to: first, kinds, includeHealth: true, replacing: true)
        let (after, otherAfter) = (try MergeState(of: machines[first]), try MergeState(of: machines[second]))
        for table in ItemTable.all {
            let (ours, theirs) = (after.items[table.kind] ?? [:], otherAfter.items[table.kind] ?? [:])
            // A removal stays on its machine, so only what one of them has removed may be missing there.
            for id in Set(ours.keys).symmetricDifference(theirs.keys) {
                let removed = (ours[id] == nil ? after : otherAfter).removed[table.kind]
                check(removed?[id] != nil, "one has a \(table.name) that the other has neither got nor removed")
            }
            for (id, row) in ours {
                guard let counterpart = theirs[id] else { continue }
                let pair = [before.items[table.kind]?[id], other.items[table.kind]?[id]].compactMap { $0 }
                // Each keeps its own if both are as old; and no clock is believed that is days ahead.
                let isUndecided = pair.count == 2 && table.date(pair[0]) == table.date(pair[1])
                guard !isUndecided, !pair.contains(where: table.isFromTheFuture) else { continue }
                let differences = row.filter { column, value in
                    // What is not erased on one side by its absence on the other.
                    value != counterpart[column]
                        && !(column == "gpx" && ItemTable.hasNoConflict(value, counterpart[column]))
                        && !((table.words.contains(column) || table.attached[column] != nil)
                            && (ItemTable.isNothing(value) || ItemTable.isNothing(counterpart[column])))
                }
                check(differences.isEmpty, "\(table.name) \(id) differs in \(differences), there \(counterpart)")
            }
        }
    }

    private mutating func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
        guard !isRight, failure == nil else { return }
        failure = "seed \(seed): \(what())\nafter:\n" + log.map { $0() }.joined(separator: "\n")
    }
}
