"""Arrays that may be larger than memory."""

import mmap
import tempfile
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


class Spilled(Generic[Number]):
    """An array that grows, in a file without a name: the system can take back the memory of what is not in use."""

    def __init__(self, dtype: type[Number]) -> None:
        self._dtype = dtype
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as this object
        self._size = 0

    def append(self, part: NDArray[Any]) -> None:
        """Values are converted."""
        self._file.write(np.ascontiguousarray(part, self._dtype).data)
        self._size += len(part)

    def __len__(self) -> int:
        return self._size

    def whole(self) -> NDArray[Number]:
        """What has been appended until now; changes of the array are kept."""
        if not self._size:
            return np.empty(0, self._dtype)
        self._file.flush()
        return np.frombuffer(mmap.mmap(self._file.fileno(), 0), self._dtype)
