"""Damaged MJCF, BVH, glTF and mesh files in one go, with an eye on every file and socket that is opened meanwhile.

`PYTHONPATH=tests python -m support.hostile_files 10000` prints, for each kind, how many were refused by name and how
many are valid objects, and what was opened outside the folder of the files.
"""

import random
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path

import condyle as cd
from support.damage import mutated, outcome, sound
from support.damaged_meshes import mesh_outcome, sound_meshes

ASKED = (".xml", ".bvh", ".gltf", ".glb")
CODE = {Path(p).resolve() for p in (sys.prefix, sys.base_prefix, sysconfig.get_path("stdlib"))}
CODE |= {Path(cd.__file__).resolve().parent, Path(__file__).resolve().parents[1]}
FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "socket.bind", "subprocess.Popen", "os.system")
KERNELS = {Path.home() / ".cache", Path("/proc"), Path("/sys")}  # compiled code, and what is asked of the system


class Watch:
    """What is opened outside a folder, and any use of sockets, by Python's audit events."""

    def __init__(self, folder):
        self.allowed, self.on = {Path(folder).resolve(), *CODE, *KERNELS}, False
        self.outside, self.sockets = set(), set()
        sys.addaudithook(self._seen)

    def _seen(self, event, arguments):
        if self.on and event in FORBIDDEN:
            self.sockets.add((event, str(arguments)))
        if self.on and event == "open" and isinstance(arguments[0], str | bytes):
            name = arguments[0] if isinstance(arguments[0], str) else arguments[0].decode(errors="replace")
            path = Path(name).absolute()
            if not any(path.is_relative_to(folder) for folder in self.allowed):
                self.outside.add(str(path))


def counted(count):
    """{(kind, outcome): how many} of that many damaged files, and the watch over them."""
    outcomes, rng = Counter(), random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [(f"model or motion {s}", s, data, model) for s, data, model in sound(folder) if s in ASKED]
        files += [(f"mesh {s}", s, data, None) for s, data in sound_meshes()]
        for kind, suffix, data, model in files:
            result_of(kind, folder / f"sound{suffix}", data, model)
        watch = Watch(folder)
        watch.on = True
        for k in range(count):
            kind, suffix, data, model = files[k % len(files)]
            outcomes[kind, result_of(kind, folder / f"file{suffix}", mutated(data, rng), model)] += 1
        watch.on = False
    return outcomes, watch


def result_of(kind, path, content, model):
    """ "refused" or "valid"; anything else raises."""
    path.write_bytes(content)
    found = mesh_outcome(path) if kind.startswith("mesh") else outcome(path, model, content)
    if path.read_bytes() != content or len(list(path.parent.iterdir())) != 1:
        raise AssertionError(f"reading changed the folder:\n{content!r}")
    path.unlink()
    return found


def main(count):
    """Print the counts."""
    outcomes, watch = counted(count)
    for kind in sorted({kind for kind, _ in outcomes}):
        print(f"{kind}: {outcomes[kind, 'refused']} refused by name, {outcomes[kind, 'valid']} valid")
    totals = [sum(n for (_, found), n in outcomes.items() if found == word) for word in ("refused", "valid")]
    print(f"{count} files: {totals[0]} refused, {totals[1]} valid, 0 bad")
    print(f"opened outside: {sorted(watch.outside) or 'nothing'}")
    print(f"sockets and programs: {sorted(watch.sockets) or 'none'}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
