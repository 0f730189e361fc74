from __future__ import annotations

import csv
import io
import unittest
from datetime import datetime, timedelta, timezone

import patchbay
from site_of_test import SITE, client, new_workspace


class DevicesTest(unittest.TestCase):
    def test_life(self) -> None:
        """[PY-60] a device is added, sends values, is listed and read, gets a new key and is removed"""
        devices = new_workspace().devices
        added = devices.add("motor-1", title="Left <b>motor</b>")
        self.assertNotIn(added.key, repr(added))
        devices.send(added.key, {"speed": 3, "text": None})
        self.assertEqual(devices.latest("motor-1", "speed"), 3)
        with self.assertRaises(KeyError):
            devices.latest("motor-1", "none")
        listed = devices.list()
        self.assertEqual([each.name for each in listed], ["motor-1"])
        self.assertIn("<td>Left &lt;b&gt;motor&lt;/b&gt;</td>", listed._repr_html_())
        self.assertIn("<td>speed</td><td>3</td>", devices.get("motor-1")._repr_html_())
        renewed = devices.replace_key("motor-1")
        self.assertNotIn(renewed.key, repr(renewed))
        with self.assertRaises(patchbay.Problem) as caught:
            devices.send(added.key, {"speed": 4})
        self.assertEqual(caught.exception.status, 401)
        devices.remove("motor-1")
        with self.assertRaises(patchbay.Problem) as caught:
            devices.get("motor-1")
        self.assertEqual(caught.exception.code, "device_not_found")

    def test_granted(self) -> None:
        """[PY-60] a device is granted to another workspace and revoked"""
        home, other = new_workspace(), new_workspace()
        home.devices.add("motor-1")
        home.devices.grant("motor-1", other.name)
        self.assertEqual([str(each) for each in home.devices.get("motor-1").grants], [other.name])
        self.assertEqual([each.repo for each in other.devices.list()], [home.repo])
        home.devices.revoke("motor-1", other.name)
        self.assertEqual(other.devices.list(), [])

    def test_watched(self) -> None:
        """[PY-61] values arrive as they are sent, the latest known ones first, of one channel and until the time is over"""
        devices = new_workspace().devices
        key = devices.add("motor-1").key
        devices.send(key, {"speed": 1, "temperature": 20})
        watching = devices.watch("motor-1", channel="speed", rate=30)
        first = next(watching)
        self.assertEqual((first.channel, first.value), ("speed", 1))
        self.assertLess(datetime.now(timezone.utc) - first.at, timedelta(minutes=5))
        devices.send(key, {"speed": 2})
        self.assertEqual(next(watching).value, 2)
        devices.remove("motor-1")
        self.assertEqual(list(watching), [])
        devices.send(devices.add("motor-2").key, {"speed": 5})
        self.assertEqual([each.value for each in devices.watch("motor-2", seconds=1)], [5])

    def test_commanded(self) -> None:
        """[PY-62] a command answers what the device says, and one of the same name reaches it once"""
        devices = client().workspace(SITE["motorWorkspace"]).devices
        done = devices.command("motor", "speed", 3, reason="to turn", timeout=20)
        self.assertEqual(done.status, "done")
        refused = devices.command("motor", "speed", 7, timeout=20)
        self.assertEqual((refused.status, refused.message), ("refused", "too hot"))
        one = devices.command("motor", "speed", 4, id="turn-number-4", timeout=20)
        self.assertEqual(devices.command("motor", "speed", 4, id="turn-number-4", timeout=20), one)
        with self.assertRaises(patchbay.Problem) as caught:
            devices.command("motor", "speed", 5, id="turn-number-4")
        self.assertEqual(caught.exception.code, "command_id_taken")
        with self.assertRaises(patchbay.Problem) as caught:
            devices.command("motor", "none", 1)
        self.assertEqual(caught.exception.code, "channel_not_found")

    def test_stopped(self) -> None:
        """[PY-62] all devices are stopped, and take no command until a person releases them"""
        devices = new_workspace().devices
        devices.add("motor-1")
        self.assertFalse(devices.stopped())
        self.assertEqual(devices.stop(reason="Smoke").stop.reason, "Smoke")
        self.assertTrue(devices.stopped())

    def test_history(self) -> None:
        """[PY-63] the numbers of a device come as points, and show as a table"""
        workspace = new_workspace()
        key = workspace.devices.add("motor-1").key
        workspace.devices.send(key, {"speed": 1.5})
        until = datetime.now(timezone.utc) + timedelta(minutes=1)
        history = workspace.recordings.history("motor-1", until - timedelta(hours=1), until, channels=["speed"], points=100)
        if history.series:
            point = history.series[0].points[0]
            self.assertEqual((point.min, point.max, point.mean, point.last, point.count), (1.5, 1.5, 1.5, 1.5, 1))
            self.assertEqual(history.rows()[0]["channel"], "speed")
            self.assertIn("<td>speed</td>", history._repr_html_())
        self.assertFalse(history.is_cut)

    def test_recorded(self) -> None:
        """[PY-63] recording is started and stopped, what was recorded is read and exported, and moments are marked"""
        workspace = new_workspace()
        recordings = workspace.recordings
        self.assertIsNone(recordings.state().since)
        self.assertIsNotNone(recordings.start().since)
        key = workspace.devices.add("motor-1").key
        workspace.devices.send(key, {"speed": 1.5})
        start, end = datetime.now() - timedelta(minutes=5), datetime.now() + timedelta(minutes=5)
        self.assertIsNone(recordings.stop().since)
        self.assertLessEqual({each.channel for each in recordings.values("motor-1", start, end, with_before=True)}, {"speed"})
        self.assertEqual({each.device for each in recordings.list("motor-1")} - {"motor-1"}, set())
        lines = recordings.export(start, end).read().decode()
        self.assertTrue(set(next(csv.reader(io.StringIO(lines)))) >= {"device", "channel", "value"}, lines)
        marker = recordings.mark("Begins to shake", start)
        self.assertEqual([each.label for each in recordings.markers(start - timedelta(seconds=1), end)], ["Begins to shake"])
        recordings.unmark(marker.id)
        self.assertEqual(recordings.markers(), [])
