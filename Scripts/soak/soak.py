"""The soak: the machines, their stores, and one transfer after the other."""
import os, random, shutil, signal, subprocess, traceback

from common.hosts import environment
from common.processes import Failure, expect, note, wait_until
from soak.network import Network
from soak.plan import LADDER, STANDING, Plan
from soak.programs import PAUSE, Sender
from soak.regions import Importer, Regions, whole_offer
from soak.standing import Standing
from soak.stores import Store
from soak.transfer import Transfer

SMALL_DISK = "150m"


class Soak:
    def __init__(self, binary, seed, work):
        self.binary, self.seed, self.work = binary, seed, work
        self.logs, self.kept = os.path.join(work, "logs"), os.path.join(work, "kept")
        self.small_disk, self.guests = os.path.join(work, "small-disk"), os.path.join(work, "guests")
        self.temporary = os.path.join(work, "temporary")
        for folder in (self.logs, self.kept, self.small_disk, self.guests, self.temporary):
            os.makedirs(folder)
        self.network = Network()
        self.environment = environment(TMPDIR=self.temporary, HOME=self.temporary, XDG_DATA_HOME=self.temporary)
        self.importer = Importer(work, random.Random(f"{seed}/files"))
        self.transfers, self.problems = [], []
        self.replaced = 0

    def __enter__(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=700,size={SMALL_DISK}", "tmpfs", self.small_disk], check=True)
        try:
            # A host sees only what was mounted before the host was made.
            self.network.up()
            self.make_stores()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # Only a soak that was interrupted leaves processes.
        for pid in self.network.processes(os.path.basename(self.binary)):
            os.kill(pid, signal.SIGKILL)
        self.network.down()
        subprocess.run(["umount", self.small_disk], check=True)

    def make_stores(self):
        self.anna = Store(self, os.path.join(self.work, "anna"), "Anna")
        self.regions = Regions(self.anna, self.importer)
        self.receivers = [self.make_receiver(name) for name in ("Ben", "Cleo", "Dora")]
        self.standing = {}

    def make_receiver(self, name):
        store = Store(self, os.path.join(self.work, name.lower()), name)
        store.trust(self.anna)
        self.anna.trust(store)
        return store

    def make_guest(self, number, index, plan):
        folder = self.small_disk if plan.content == "full" else self.guests
        return Store(self, os.path.join(folder, f"guest-{number}-{index + 1}"), f"Guest {index + 1}")

    def standing_sender(self, name):
        """The standing sender of a name; it is started when it is first needed."""
        if name not in self.standing:
            store = Store(self, os.path.join(self.work, name.replace(" ", "-").lower()), name)
            region = self.importer.make_region(store, name, STANDING[name], True)
            log = os.path.join(self.logs, "standing-" + name.replace(" ", "-"))
            sender = Sender(self, store, region.id, name, log, "--yes")
            self.standing[name] = Standing(sender, store, store.snapshot(region.id))
        return self.standing[name]

    # Transfers

    def run(self, number, plan):
        """Runs a transfer and checks it. A failure is recorded, and what explains it is kept."""
        transfer, sender, stores = None, None, []
        try:
            self.network.shape(plan.rung)
            if plan.standing:
                standing = self.standing_sender(plan.standing)
                stores = [self.make_guest(number, index, plan) for index in range(plan.receivers)]
                sender, source, needs = standing.sender, standing.source, [whole_offer] * plan.receivers
            else:
                stores = random.Random(f"{self.seed}/{number}/who").sample(self.receivers, plan.receivers)
                region, needs = self.regions.prepare(plan, number, stores)
                source = self.anna.snapshot(region.id)
                sender = Sender(self, self.anna, region.id, "Anna", os.path.join(self.logs, f"{number:04}-send"),
                                  *(["--once"] if plan.once else []))
            transfer = Transfer(self, number, plan, sender, stores, needs, source)
            transfer.run()
            if plan.standing:
                standing.measure()
            else:
                self.finish_sender(sender, plan)
                for store in stores:
                    store.additions[region.id] = region.additions
            left = os.listdir(self.temporary)
            expect(not left, f"files are left: {left}")
            self.clear(number, plan, stores)
            figures = transfer.figures()
            self.transfers.append(figures)
            note(f"{number}: {plan}: {figures['seconds']} s, codes {figures['exitCodes']}, faults {figures['faults']}")
            return figures
        except Exception as error:
            self.keep(number, plan, transfer, sender, stores, error)
            return None

    def finish_sender(self, sender, plan):
        program = sender.program
        if plan.once:
            wait_until(f"{program} ends after the first receiver", lambda: program.code is not None, pause=PAUSE)
            return program.check_code({0})
        sender.stop()

    def clear(self, number, plan, stores):
        """Removes what a transfer leaves that went well."""
        if plan.standing:
            for store in stores:
                store.delete()
        for name in self.logs_of(f"{number:04}"):
            os.unlink(os.path.join(self.logs, name))
        self.regions.remove_oldest(self.receivers)

    def logs_of(self, *prefixes):
        return [name for name in os.listdir(self.logs) if name.startswith(prefixes)]

    def keep(self, number, plan, transfer, sender, stores, error):
        """Keeps what explains a failure, and replaces the stores of the receivers."""
        folder = os.path.join(self.kept, f"{number:04}")
        os.makedirs(folder)
        text = f"{number}: {plan}: {error if isinstance(error, Failure) else traceback.format_exc()}"
        self.problems.append(text)
        note(f"PROBLEM {text}\n  kept: {folder}")
        with open(os.path.join(folder, "problem"), "w") as file:
            file.write(text + f"\nfaults: {transfer and transfer.faults.happened}\n")
        if transfer:
            transfer.stop()
        if sender and not plan.standing and sender.program.code is None:
            sender.program.end(signal.SIGKILL)
        for store in stores:
            # If a path is gone, this ends the soak: that is another failure.
            shutil.copytree(store.path, os.path.join(folder, os.path.basename(store.path)))
            if store in self.receivers:
                self.replaced += 1
                self.receivers[self.receivers.index(store)] = self.make_receiver(f"{store.name.split()[0]} {self.replaced}")
            store.delete()
        for name in self.logs_of(f"{number:04}", "standing"):
            shutil.copy(os.path.join(self.logs, name), folder)
        for name in os.listdir(self.temporary):
            shutil.move(os.path.join(self.temporary, name), folder)

    # The end

    def settle(self):
        """Sends every region to every receiver, and checks that all stores are equal."""
        for region in self.regions.all:
            self.network.shape(LADDER[0])
            source = self.anna.snapshot(region.id)
            sender = Sender(self, self.anna, region.id, "Anna", os.path.join(self.logs, "settle-" + region.name))
            count = len(self.receivers)
            plan = Plan(LADDER[0], "same", "found", count, os.path.getsize(region.file))
            Transfer(self, 0, plan, sender, self.receivers, [whole_offer] * count, source).run()
            sender.stop()
        expected = {region.id: self.anna.snapshot(region.id) for region in self.regions.all}
        for store in (self.anna, *self.receivers):
            store.expected = expected
            store.check()
            for region in expected:
                store.check_snapshot(region)

    def end_standing(self):
        """Ends the standing senders; returns their figures."""
        figures = []
        for standing in self.standing.values():
            if standing.usages:
                figures.append(standing.figures())
            standing.end()
        running = self.network.processes(os.path.basename(self.binary))
        expect(not running, f"still running: {running}")
        return figures
