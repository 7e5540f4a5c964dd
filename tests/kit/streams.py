"""Streams as networks and pipes give them."""

import io


class InPieces(io.BytesIO):
    """A stream that gives no more than so many bytes at a time."""

    def __init__(self, data: bytes, piece: int) -> None:
        super().__init__(data)
        self.piece = piece

    def read(self, size: int | None = -1) -> bytes:
        """Read up to `size` bytes, or a piece."""
        return super().read(min(size, self.piece) if size and size > 0 else self.piece)
