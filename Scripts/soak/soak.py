"""The soak: machines, what they have, and one transfer after the other."""
import os, random, shutil, signal, subprocess, sys, time, traceback

from soak import files as maps
from soak.network import Network
from soak.plan import LADDER, STANDING, Plan
from soak.programs import Problem, Sending, expect, wait_until
from soak.stores import Store, digest
from soak.transfer import Transfer

# How many regions a store keeps.
MOST_REGIONS = 5
SMALL_DISK = "150m"
# How much more memory a sender may take in the end than after its first transfers.
GROWTH = 24
ITEMS = ("savedroutes", "plannedroutes", "waypoints")


class Region:
    """A region of the sender's, and the file that its map was made of."""

    def __init__(self, id, name, file):
        self.id, self.name, self.file = id, name, file
        # How often something was added to it.
        self.parts = 0


class Standing:
    """A sender that nobody ends, and what it has taken of the machine."""

    def __init__(self, sending, store, source):
        self.sending, self.store, self.source = sending, store, source
        self.usages = []

    def measure(self):
        """Notes what it takes once its sessions have ended."""
        if self.usages:
            wait_until(f"{self.sending.program} has no more descriptors than before", 30,
                       lambda: self.sending.usage()[0] <= self.usages[0][0])
        self.usages.append(self.sending.usage())

    def figures(self):
        # The first sessions fill pools and caches.
        first, last = self.usages[min(4, len(self.usages) - 1)], self.usages[-1]
        expect(last[2] <= first[2] + GROWTH, f"{self.sending.program} has grown from {first[2]} to {last[2]} MiB")
        expect(last[1] <= first[1] + 2, f"{self.sending.program} had {first[1]} threads and has {last[1]}")
        rounded = lambda usage: [*usage[:2], *(round(size) for size in usage[2:])]
        return {"name": self.sending.name, "sessions": len(self.sending.program.lines("sent", "notSent", "unconfirmed")),
                "first": rounded(first), "last": rounded(last)}


class Soak:
    def __init__(self, binary, seed, work):
        self.binary, self.seed, self.work = binary, seed, work
        self.logs, self.kept = os.path.join(work, "logs"), os.path.join(work, "kept")
        self.small_disk, self.guests = os.path.join(work, "small-disk"), os.path.join(work, "guests")
        self.temporary = os.path.join(work, "temporary")
        for folder in (self.logs, self.kept, self.small_disk, self.guests, self.temporary):
            os.makedirs(folder)
        self.network = Network()
        self.environment = Network.environment(TMPDIR=self.temporary, HOME=self.temporary, XDG_DATA_HOME=self.temporary)
        self.dice = random.Random(f"{seed}/files")
        self.regions, self.transfers, self.problems = [], [], []
        self.replaced = 0

    def __enter__(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=700,size={SMALL_DISK}", "tmpfs", self.small_disk], check=True)
        try:
            # The host of the receivers sees what is mounted before it is made.
            self.network.up()
            self.make_machines()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # None after a soak that came to its end.
        for pid in self.network.processes(os.path.basename(self.binary)):
            os.kill(pid, signal.SIGKILL)
        self.network.down()
        subprocess.run(["umount", self.small_disk], check=True)

    def make_machines(self):
        self.anna = Store(self, os.path.join(self.work, "anna"), "Anna")
        self.receivers = [self.make_receiver(name) for name in ("Ben", "Cleo", "Dora")]
        self.standing = {}

    def standing_sender(self, name):
        """The sender that stands under a name; it begins when it is first needed."""
        if name not in self.standing:
            store = Store(self, os.path.join(self.work, name.replace(" ", "-").lower()), name)
            region = self.make_region(store, name, STANDING[name], True)
            log = os.path.join(self.logs, "standing-" + name.replace(" ", "-"))
            sending = Sending(self, store, region.id, name, log, "--yes")
            self.standing[name] = Standing(sending, store, store.snapshot(region.id))
        return self.standing[name]

    def make_receiver(self, name):
        store = Store(self, os.path.join(self.work, name.lower()), name)
        store.trust(self.anna)
        self.anna.trust(store)
        return store

    # What is sent

    def make_file(self, name):
        return os.path.join(self.work, name.replace(" ", "-") + ".mbtiles")

    def make_region(self, store, name, size, has_items):
        file = self.make_file(name)
        maps.make_map(file, size, self.dice)
        region = self.import_map(store, name, file)
        if has_items:
            self.import_routing(store, region)
            self.import_gpx(store, region)
            self.import_photo(store, region)
        return region

    def import_map(self, store, name, file):
        imported, = store.run("import", file, "--name", name)
        region = Region(imported["region"]["id"], name, file)
        expect(digest(file) in store.snapshot(region.id)["exported"].values(), f"{file} is exported otherwise")
        return region

    def import_routing(self, store, region):
        routing = os.path.join(self.work, "routing.db")
        maps.make_routing(routing, self.dice)
        store.run("import", region.file, "--routing", routing)

    def import_gpx(self, store, region):
        file = os.path.join(self.work, "items.gpx")
        maps.make_gpx(file, self.dice)
        store.run("import", file, "--region", region.id)

    def import_photo(self, store, region):
        file = os.path.join(self.work, "photo.jpg")
        maps.make_photo(file, self.dice)
        waypoints = store.query("SELECT id FROM waypoint WHERE regionID = ? ORDER BY label", region.id)
        waypoint = self.dice.choice(waypoints)["id"]
        store.run("import", file, "--region", region.id, "--waypoint", waypoint, "--replace")

    def prepare(self, plan, number, stores):
        """Makes what a plan sends; returns the region and what of an offer of it must cross to a store."""
        common = [region for region in self.regions if all(region.id in store.expected for store in stores)]
        if plan.content == "new" or not common:
            plan.content = "new"
            region = self.make_region(self.anna, f"r{number}", plan.size, self.dice.random() < 0.5)
            self.regions.append(region)
            return region, lambda store, offer: offer["size"]
        region = self.dice.choice(common)
        plan.size = os.path.getsize(region.file)
        if plan.content == "newer":
            older, name = region, f"r{number}"
            changed = maps.make_newer_map(self.make_file(name), older.file, self.dice)
            region = self.import_map(self.anna, name, self.make_file(name))
            self.regions.append(region)
            # Pages that are alike cross where their chunk has no counterpart; that is little.
            return region, lambda store, offer: int(changed * 1.05) + 256 * 1024
        if plan.content == "items":
            self.import_gpx(self.anna, region)
            self.import_photo(self.anna, region)
        if plan.content == "routing":
            self.import_routing(self.anna, region)
        region.parts += plan.content != "same"
        # A store may lack what was added to the region after it was received.
        return region, lambda store, offer: size_of(offer, *ITEMS) + (
            size_of(offer, "routing", "photos") if store.parts[region.id] != region.parts else 0)

    # Transfers

    def run(self, number, plan):
        """Runs a transfer; what is not as it must be is noted and kept."""
        transfer, sending, stores = None, None, []
        try:
            self.network.shape(plan.rung)
            if plan.standing:
                standing = self.standing_sender(plan.standing)
                stores = [self.make_guest(number, index, plan) for index in range(plan.receivers)]
                sending, source, needs = standing.sending, standing.source, [lambda offer: offer["size"]] * plan.receivers
            else:
                stores = random.Random(f"{self.seed}/{number}/who").sample(self.receivers, plan.receivers)
                region, need = self.prepare(plan, number, stores)
                # What they have by now, not when they will have it.
                needs = [needed(need, store) for store in stores]
                source = self.anna.snapshot(region.id)
                sending = Sending(self, self.anna, region.id, "Anna", os.path.join(self.logs, f"{number:04}-send"),
                                  *(["--once"] if plan.once else []))
            transfer = Transfer(self, number, plan, sending, stores, needs, source)
            transfer.run()
            if plan.standing:
                standing.measure()
            else:
                self.finish_sending(sending, plan)
                for store in stores:
                    store.parts[region.id] = region.parts
            left = os.listdir(self.temporary)
            expect(not left, f"files are left: {left}")
            self.clear(number, plan, stores)
            figures = transfer.figures()
            self.transfers.append(figures)
            report(f"{number}: {plan}: {figures['seconds']} s, codes {figures['exitCodes']}, faults {figures['faults']}")
            return figures
        except Exception as error:
            self.keep(number, plan, transfer, sending, stores, error)
            return None

    def make_guest(self, number, index, plan):
        folder = self.small_disk if plan.content == "full" else self.guests
        return Store(self, os.path.join(folder, f"guest-{number}-{index + 1}"), f"Guest {index + 1}")

    def finish_sending(self, sending, plan):
        program = sending.program
        if plan.once:
            wait_until(f"{program} ends after the first receiver", 20, lambda: program.code is not None)
            return program.check_code({0})
        sending.stop()

    def clear(self, number, plan, stores):
        if plan.standing:
            for store in stores:
                store.delete()
        for name in os.listdir(self.logs):
            if name.startswith(f"{number:04}"):
                os.unlink(os.path.join(self.logs, name))
        while len(self.regions) > MOST_REGIONS:
            region = self.regions.pop(0)
            for store in (self.anna, *self.receivers):
                if store is self.anna or region.id in store.expected:
                    if store is not self.anna:
                        store.check_snapshot(region.id)
                    store.run("remove", region.id, "--yes", "--with-routes")
                    store.expected.pop(region.id, None)
            os.unlink(region.file)

    def keep(self, number, plan, transfer, sending, stores, error):
        """Keeps what is needed to understand a problem, and goes on with other stores."""
        folder = os.path.join(self.kept, f"{number:04}")
        os.makedirs(folder)
        text = f"{number}: {plan}: {error if isinstance(error, Problem) else traceback.format_exc()}"
        self.problems.append(text)
        report(f"PROBLEM {text}\n  kept: {folder}")
        with open(os.path.join(folder, "problem"), "w") as file:
            file.write(text + f"\nfaults: {transfer and transfer.faults.happened}\n")
        if transfer:
            transfer.stop()
        if sending and not plan.standing and sending.program.code is None:
            sending.program.end(signal.SIGKILL)
        for store in stores:
            # A path that is gone cannot be copied, and is a finding of its own.
            shutil.copytree(store.path, os.path.join(folder, os.path.basename(store.path)))
            if store in self.receivers:
                self.replaced += 1
                self.receivers[self.receivers.index(store)] = self.make_receiver(f"{store.name.split()[0]} {self.replaced}")
            store.delete()
        for name in os.listdir(self.logs):
            if name.startswith(f"{number:04}") or name.startswith("standing"):
                shutil.copy(os.path.join(self.logs, name), folder)
        for name in os.listdir(self.temporary):
            shutil.move(os.path.join(self.temporary, name), folder)

    # The end

    def settle(self):
        """Lets every receiver have everything, and checks that all stores are equal and nothing is left behind."""
        for region in self.regions:
            self.network.shape(LADDER[0])
            source = self.anna.snapshot(region.id)
            sending = Sending(self, self.anna, region.id, "Anna", os.path.join(self.logs, "settle-" + region.name))
            plan = Plan(LADDER[0], "same", "found", len(self.receivers), os.path.getsize(region.file))
            transfer = Transfer(self, 0, plan, sending, self.receivers, [lambda offer: offer["size"]] * 3, source)
            transfer.run()
            sending.stop()
        expected = {region.id: self.anna.snapshot(region.id) for region in self.regions}
        for store in (self.anna, *self.receivers):
            store.expected = expected
            store.check()
            for region in expected:
                store.check_snapshot(region)

    def end_standing(self):
        """Ends the senders that stood; returns what they took of the machine."""
        figures = []
        for standing in self.standing.values():
            if standing.usages:
                figures.append(standing.figures())
            standing.sending.stop()
            standing.store.expected = {standing.sending.region: standing.source}
            standing.store.check()
        running = self.network.processes(os.path.basename(self.binary))
        expect(not running, f"still running: {running}")
        return figures


def needed(need, store):
    """Binds what a store has before the transfer."""
    class Before:
        parts = dict(store.parts)
    return lambda offer: need(Before, offer)


def size_of(offer, *kinds):
    return sum(resource["size"] for resource in offer["resources"] if resource["kind"] in kinds)


def report(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)
