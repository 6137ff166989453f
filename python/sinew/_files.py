"""Files in memory, for models that are not on disk."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

__all__ = ["MjVfs"]


class MjVfs(MutableMapping[str, bytes]):
    """Contents of files by name, for the argument `vfs` of MjModel's loaders and of MjSpec.

        with mujoco.MjVfs() as vfs:
            vfs["box.obj"] = mesh_bytes
            model = mujoco.MjModel.from_xml_string(xml, vfs=vfs)
    """

    def __init__(self) -> None:
        self._files: dict[str, bytes] | None = {}

    @property
    def files(self) -> dict[str, bytes]:
        """The contents by name."""
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def close(self) -> None:
        """Drops the contents; it cannot be used any more."""
        self._files = None

    def __getitem__(self, name: str) -> bytes:
        return self.files[name]

    def __setitem__(self, name: str, content: bytes | str) -> None:
        if not isinstance(name, str) or not isinstance(content, (bytes, bytearray, memoryview, str)):
            raise TypeError("a file in memory needs a name (str) and content (bytes or str)")
        if name in self.files:
            raise ValueError(f"Repeated file name in VFS: {name}")
        self.files[name] = content.encode() if isinstance(content, str) else bytes(content)

    def __delitem__(self, name: str) -> None:
        del self.files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"<MjVfs: {'closed' if self._files is None else ', '.join(self._files) or 'no files'}>"

    def __enter__(self) -> MjVfs:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def add_buffer(self, name: str, buffer: bytes | str) -> None:
        """Adds a file with this content."""
        self[name] = buffer

    def add_file(self, directory: str | None, filename: str) -> None:
        """Adds a file from disk."""
        self[filename] = Path(directory or "", filename).read_bytes()

    def delete_file(self, filename: str) -> None:
        """Removes a file."""
        del self[filename]
