import Avahi

extension ServiceType {
    /// A type that no other test uses.
    static func random() throws -> ServiceType {
        try ServiceType(name: "t" + String(UInt64.random(in: 0..<1 << 60), radix: 36))
    }
}

extension BrowseEvent {
    var found: Service? {
        if case .found(let service) = self { service } else { nil }
    }

    var changed: Service? {
        if case .changed(let service) = self { service } else { nil }
    }

    var lost: ServiceKey? {
        if case .lost(let key) = self { key } else { nil }
    }
}

extension PublicationEvent {
    var published: InstanceName? {
        if case .published(let name) = self { name } else { nil }
    }
}
