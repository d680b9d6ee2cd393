"""The regions of the sender that ends after every transfer, and what is added to them."""
import os

from common.processes import expect
from soak import files
from soak.stores import digest

# How many regions a store keeps.
MOST_REGIONS = 5
# Lists of items are always transferred whole.
ITEMS = ("savedroutes", "plannedroutes", "waypoints")


class Region:
    """A region of a sender, and the file from which its map was imported."""

    def __init__(self, id, name, file):
        self.id, self.name, self.file = id, name, file
        # How often something was added to the region.
        self.additions = 0


class Importer:
    """Makes files and imports them into stores."""

    def __init__(self, work, dice):
        self.work, self.dice = work, dice

    def map_file(self, name):
        return os.path.join(self.work, name.replace(" ", "-") + ".mbtiles")

    def make_region(self, store, name, size, has_items):
        file = self.map_file(name)
        files.make_map(file, size, self.dice)
        region = self.import_map(store, name, file)
        if has_items:
            self.import_routing(store, region)
            self.import_gpx(store, region)
            self.import_photo(store, region)
        return region

    def make_newer_region(self, store, name, older):
        """Imports a newer version of the map of a region; returns its region and the bytes of the changed pages."""
        changed = files.make_newer_map(self.map_file(name), older.file, self.dice)
        return self.import_map(store, name, self.map_file(name)), changed

    def import_map(self, store, name, file):
        imported, = store.run("import", file, "--name", name)
        region = Region(imported["region"]["id"], name, file)
        expect(digest(file) in store.snapshot(region.id)["exported"].values(), f"the export of {file} differs from it")
        return region

    def import_routing(self, store, region):
        routing = os.path.join(self.work, "routing.db")
        files.make_routing(routing, self.dice)
        store.run("import", region.file, "--routing", routing)

    def import_gpx(self, store, region):
        file = os.path.join(self.work, "items.gpx")
        files.make_gpx(file, self.dice)
        store.run("import", file, "--region", region.id)

    def import_photo(self, store, region):
        file = os.path.join(self.work, "photo.jpg")
        files.make_photo(file, self.dice)
        waypoints = store.query("SELECT id FROM waypoint WHERE regionID = ? ORDER BY label", region.id)
        waypoint = self.dice.choice(waypoints)["id"]
        store.run("import", file, "--region", region.id, "--waypoint", waypoint, "--replace")


class Regions:
    """The regions of a store that sends, from the oldest to the newest."""

    def __init__(self, store, importer):
        self.store, self.importer, self.all = store, importer, []

    def prepare(self, plan, number, receivers):
        """Makes what a plan sends.

        Returns the region and, for each receiver, a function that says how many bytes of an offer it needs.
        """
        common = [region for region in self.all if all(region.id in store.expected for store in receivers)]
        if plan.content == "new" or not common:
            plan.content = "new"
            region = self.importer.make_region(self.store, f"r{number}", plan.size, self.importer.dice.random() < 0.5)
            self.all.append(region)
            return region, [whole_offer] * len(receivers)
        region = self.importer.dice.choice(common)
        plan.size = os.path.getsize(region.file)
        if plan.content == "newer":
            region, changed = self.importer.make_newer_region(self.store, f"r{number}", region)
            self.all.append(region)
            # A few pages that did not change are transferred, too: those whose chunk the receiver does not find.
            return region, [lambda offer: int(changed * 1.05) + 256 * 1024] * len(receivers)
        if plan.content == "items":
            self.importer.import_gpx(self.store, region)
            self.importer.import_photo(self.store, region)
        if plan.content == "routing":
            self.importer.import_routing(self.store, region)
        region.additions += plan.content != "same"
        return region, [additions_offer(is_current=store.additions[region.id] == region.additions) for store in receivers]

    def remove_oldest(self, receivers):
        """Removes the oldest regions from all stores, until few are left."""
        while len(self.all) > MOST_REGIONS:
            region = self.all.pop(0)
            for store in receivers:
                if region.id in store.expected:
                    store.check_snapshot(region.id)
                    remove(store, region)
            remove(self.store, region)
            os.unlink(region.file)


def remove(store, region):
    store.run("remove", region.id, "--yes", "--with-routes")
    store.expected.pop(region.id, None)


def whole_offer(offer):
    return offer["size"]


def additions_offer(is_current):
    """What a receiver needs of a region that it has. One that is not current may also lack what was added before."""
    kinds = ITEMS if is_current else (*ITEMS, "routing", "photos")
    return lambda offer: sum(resource["size"] for resource in offer["resources"] if resource["kind"] in kinds)
