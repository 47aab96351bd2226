"""`loom pull` against a web server, and a node that follows it."""

import json
import time
from pathlib import Path

from support.installed import loom
from support.node_process import serving
from support.nodes import KILNS, OTHERS
from support.sealed import sealed
from support.static_site import instead, static_site

from loom_adapters.generation_folder import GenerationFolder


def test_nodes_follow_what_is_published(tmp_path: Path) -> None:
    published, here = tmp_path / "published", tmp_path / "here"
    first = sealed(published, KILNS)
    with static_site(published) as site:
        ran = loom("pull", site.url, "--store", here)
        assert (ran.returncode, ran.stdout.strip()) == (0, first) and "now current" in ran.stderr
        with serving(here) as node:
            second = sealed(published, OTHERS)
            said = json.loads(loom("pull", site.url, "--store", here, "--json").stdout)
            assert (said["id"], said["used"]) == (second, True) and said["fetched"] > 0
            until = time.monotonic() + 10
            while node.call("/health").json()["generation"] != second:
                assert time.monotonic() < until
                time.sleep(0.05)
            GenerationFolder(published).point(first)
            ran = loom("pull", site.url, "--store", here)
            assert "here already" in ran.stderr and GenerationFolder(here).current() == first
            ran = loom("pull", site.url, "--store", here, "--id", second, "--no-use")
            assert "not current" in ran.stderr and GenerationFolder(here).current() == first


def test_what_cannot_be_had_is_never_taken_for_current(tmp_path: Path) -> None:
    published, here = tmp_path / "published", tmp_path / "here"
    sealed(published, OTHERS)
    kept = sealed(here, KILNS)
    with static_site(published) as site:
        url = site.url
        site.trick("manifest", instead(b"{}"))
        ran = loom("pull", url, "--store", here)
        assert (ran.returncode, ran.stdout) == (4, "") and ran.stderr.count("\n") == 1
    ran = loom("pull", url, "--store", here, "--attempts", "1", "--patience", "2")
    assert (ran.returncode, ran.stdout) == (3, "") and "no connection" in ran.stderr
    ran = loom("pull", "not-a-url", "--store", here)
    assert ran.returncode == 2 and "URL" in ran.stderr
    assert GenerationFolder(here).current() == kept


def test_what_serves_beside_a_generation_comes_with_it(tmp_path: Path) -> None:
    published, here = tmp_path / "published", tmp_path / "here"
    id = sealed(published, KILNS)
    assert loom("embed", "--store", published, "--model", "hash").returncode == 0
    attachment = GenerationFolder(published).attachment(id).id
    with static_site(published) as site:
        assert json.loads(loom("pull", site.url, "--store", here, "--no-attachments", "--json").stdout)["attachment"] is None
        with serving(here) as node:
            assert node.call("/health").json()["semantic"]["state"] == "off"
            ran = loom("pull", site.url, "--store", here, "--json")
            said = json.loads(ran.stdout)
            assert said["attachment"] == attachment and said["what"].startswith("here already, with embeddings: 1 files, ")
            until = time.monotonic() + 10
            while node.call("/health").json()["semantic"]["state"] != "on":
                assert time.monotonic() < until
                time.sleep(0.05)
        assert json.loads(loom("pull", site.url, "--store", here, "--json").stdout)["what"] == "here already"
        site.trick(r"vectors\.npy$", instead(b"none"))
        (here / id[7:] / "attachments" / "current").unlink()
        (here / id[7:] / "attachments" / attachment[7:] / "vectors.npy").unlink()
        broken = loom("pull", site.url, "--store", here)
        assert broken.returncode == 4 and "vectors.npy" in broken.stderr and "Traceback" not in broken.stderr
