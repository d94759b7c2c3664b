"""The only import of Numba: how a kernel is compiled, where it is kept, and three bit tricks.

Numba's own cache looks at the file of a function, not at what that function
calls, so an edited callee in another file would go unnoticed and play "the old
rules". Here the compiled code lies in a folder that is named by a digest of
everything it was made from, so what is found is never stale.
"""

import contextlib
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import llvmlite
import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, config, types
from numba.core.caching import CacheImpl
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DAYS_KEPT: Final = 30

IS_COMPILED: Final = not config.DISABLE_JIT
"""Whether kernels run as machine code; with NUMBA_DISABLE_JIT=1 they run as plain Python."""


def _target() -> tuple[str, ...]:
    """Return the processor that Numba compiles for: triple, name and features."""
    return tuple(map(str, cpu_target.target_context.codegen().magic_tuple()))


def has_fast_pdep(target: Iterable[str]) -> bool:
    """Return whether the target deposits bits in a few cycles.

    Args:
        target: Triple, name and features of the processor.

    Source:
        AMD's first two Zen generations have the instruction, but in microcode:
        slower than arithmetic.
    """
    triple, name, features = target
    return (
        triple.startswith("x86_64")
        and "+bmi2" in features.split(",")
        and name not in {"znver1", "znver2", "bdver4"}
    )


HAS_PDEP: Final = IS_COMPILED and has_fast_pdep(_target())
"""Whether `select_bit` uses the BMI2 instruction."""


# --- where compiled kernels are kept -----------------------------------------------------------


def _sources() -> list[Path]:
    """Return every source in a room of the package that holds kernels.

    A room is a folder; it holds kernels if one of its files imports this one.
    """
    folders = {
        path.parent for path in _PACKAGE.rglob("*.py") if b"kernel._jit" in path.read_bytes()
    }
    folders.add(Path(__file__).resolve().parent)
    return sorted(path for folder in folders for path in folder.glob("*.py"))


def _digest() -> str:
    """Return the name of everything that decides what compiled code means."""
    made_from = hashlib.sha256()
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    for text in (*versions, *_target(), str(_PACKAGE)):
        made_from.update(text.encode() + b"\0")
    for path in _sources():
        content = path.read_bytes()
        made_from.update(f"{path.relative_to(_PACKAGE)} {len(content)}\0".encode() + content)
    return made_from.hexdigest()[:32]


def _cache_roots() -> Iterable[Path]:
    """Return where compiled kernels may lie, the best place first."""
    if home := os.environ.get("XDG_CACHE_HOME"):
        yield Path(home)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        yield Path(local)
    with contextlib.suppress(RuntimeError):  # nobody's home
        yield Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"cache-of-{user}"


def _is_private_and_writable(folder: Path) -> bool:
    """Make the folder and return whether it is ours: what lies there will be run."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _choose_cache_folder() -> Path:
    """Return the folder for kernels that are made from exactly this."""
    digest = _digest()
    for root in _cache_roots():
        if not root.is_absolute():
            continue
        folder = root / "lostcities" / "kernels" / digest
        is_new = not folder.exists()
        if _is_private_and_writable(folder):
            if is_new:
                _forget_old(folder.parent)
            return folder
    return Path(tempfile.mkdtemp(prefix="lostcities-kernels-"))


def _forget_old(kernels: Path) -> None:
    """Remove what other sources were compiled to and nobody has used for a month."""
    oldest = time.time() - _DAYS_KEPT * 24 * 3600
    for folder in kernels.iterdir():
        with contextlib.suppress(OSError):  # another process may do the same
            if folder.stat().st_mtime < oldest:
                for path in folder.iterdir():
                    path.unlink()
                folder.rmdir()


CACHE_FOLDER: Final = _choose_cache_folder() if IS_COMPILED else None
"""Where the compiled kernels lie; None if there are none."""


class _Locator:
    """Tells Numba where to keep the kernels of this package, and only of this one."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self._line = py_func.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator | None":
        """Return a locator if the function is one of ours."""
        is_ours = CACHE_FOLDER is not None and Path(py_file).resolve().is_relative_to(_PACKAGE)
        return cls(py_func) if is_ours else None

    def ensure_cache_path(self) -> None:
        """Make the folder again if somebody has removed it."""
        Path(self.get_cache_path()).mkdir(mode=0o700, parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the folder that is named by the digest."""
        return str(CACHE_FOLDER)

    def get_source_stamp(self) -> str:
        """Return what tells a fresh entry from a stale one: the folder's name does already."""
        return Path(self.get_cache_path()).name

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name apart."""
        return str(self._line)


CacheImpl._locator_classes.insert(0, _Locator)  # noqa: SLF001 # Numba has no public way


def njit(function: _F) -> _F:
    """Compile a function on its first call with new types, without the interpreter's lock.

    The compiled code is kept between processes. Calls from Python cost about
    0.3 microseconds, so loops belong inside. Where Numba is switched off the
    function stays plain Python, with words that wrap around silently.
    """
    if not IS_COMPILED:
        plain: _F = np.errstate(over="ignore")(function)
        return plain
    compiled: _F = numba.njit(cache=True, nogil=True)(function)
    return compiled


# --- bit tricks --------------------------------------------------------------------------------

_U: Final = np.uint64
_ONE: Final = _U(1)


def popcount(word: np.uint64) -> np.uint64:
    """Return the number of set bits."""
    return _U(int(word).bit_count())


def ctz(word: np.uint64) -> np.uint64:
    """Return the index of the lowest set bit, 64 if there is none."""
    value = int(word)
    return _U((value & -value).bit_length() - 1 if value else 64)


@intrinsic
def _llvm_popcount(_context: object, _word: object) -> object:
    def generate(_context: object, builder: Any, _signature: object, args: Any) -> object:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _llvm_ctz(_context: object, _word: object) -> object:
    def generate(_context: object, builder: Any, _signature: object, args: Any) -> object:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def _llvm_pdep(_context: object, _source: object, _mask: object) -> object:
    def generate(_context: object, builder: Any, _signature: object, args: Any) -> object:
        word = ir.IntType(64)
        deposit = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(deposit, args)

    return types.uint64(types.uint64, types.uint64), generate


@overload(popcount, strict=False)  # the annotations differ, and strict compares them
def _compiled_popcount(word: object) -> object:
    return lambda word: _llvm_popcount(word)


@overload(ctz, strict=False)
def _compiled_ctz(word: object) -> object:
    return lambda word: _llvm_ctz(word)


def copy_row(
    out: npt.NDArray[np.float32],
    at: np.uint64,
    table: npt.NDArray[np.float32],
    index: np.uint64,
    width: int,
) -> None:
    """Copy a row of a table into a vector, in a few vector moves.

    Args:
        out: Contiguous, `float32[F]`; written from *at* on.
        at: Where the row goes.
        table: Contiguous, `float32[R, width]`.
        index: Which row.
        width: Its length; a literal number, so that the compiler knows it.
    """
    out[int(at) : int(at) + width] = table[int(index)]


@intrinsic(prefer_literal=True)
def _llvm_copy_row(
    _context: object,
    out: Any,
    at: object,
    table: Any,
    index: object,
    width: Any,
) -> object:
    num_floats = width.literal_value

    def generate(context: Any, builder: Any, _signature: object, args: Any) -> object:
        vector = context.make_array(out)(context, builder, args[0])
        rows = context.make_array(table)(context, builder, args[2])
        word = ir.IntType(64)
        begin = builder.mul(args[3], ir.Constant(word, num_floats))
        cgutils.raw_memcpy(
            builder,
            builder.gep(vector.data, [args[1]]),
            builder.gep(rows.data, [begin]),
            ir.Constant(word, num_floats),
            4,
        )
        return context.get_dummy_value()

    return types.void(out, types.uint64, table, types.uint64, width), generate


@overload(copy_row, strict=False, prefer_literal=True)
def _compiled_copy_row(
    out: object, at: object, table: object, index: object, width: object
) -> object:
    return lambda out, at, table, index, width: _llvm_copy_row(out, at, table, index, width)


def add_product(
    room: npt.NDArray[np.float32],
    at: int | np.int64,
    table: npt.NDArray[np.float32],
    first: int | np.int64,
    source: int | np.int64,
    size: int,
    width: int,
) -> None:
    """Add a vector times a matrix to another vector; zeros of the first are skipped.

    The sum is held in registers. Every element is summed row by row, product by
    product, so that the result does not depend on how wide the vectors of the
    processor are.

    Args:
        room: Contiguous, `float32[...]`; both vectors lie in it, apart from each other.
        at: Where the one begins that is added to.
        table: Contiguous and flat, `float32[...]`.
        first: Where the matrix, `[size, width]`, begins in it.
        source: Where the vector begins that is multiplied.
        size: How many elements that has; a literal number, so that the compiler knows it.
        width: How many elements the other has; a literal number too.
    """
    for index in range(size):
        if factor := room[int(source) + index]:
            begin = int(first) + index * width
            room[int(at) : int(at) + width] += factor * table[begin : begin + width]


_BLOCK: Final = 64
"""Elements of a vector that are looked at together."""


@intrinsic(prefer_literal=True)
def _llvm_add_product(
    _context: object,
    room: Any,
    at: object,
    table: Any,
    first: object,
    source: object,
    size: Any,
    width: Any,
) -> object:
    num_inputs, num_floats = size.literal_value, width.literal_value
    word, lane = ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(ir.FloatType(), num_floats)

    def add_block(builder: Any, held: Any, inputs: Any, rows: Any, num: int) -> None:
        """Add the products of up to 64 inputs that are not 0, lowest first."""
        block = ir.VectorType(ir.FloatType(), num)
        values = builder.load(builder.bitcast(inputs, block.as_pointer()), align=4)
        is_set = builder.fcmp_unordered("!=", values, ir.Constant(block, [0.0] * num))
        bits = builder.bitcast(is_set, ir.IntType(num))
        left = cgutils.alloca_once(builder, word)
        builder.store(bits if num == _BLOCK else builder.zext(bits, word), left)
        test, body, end = (builder.append_basic_block(name) for name in ("any", "add", "none"))
        builder.branch(test)
        builder.position_at_end(test)
        mask = builder.load(left)
        builder.cbranch(builder.icmp_unsigned("!=", mask, ir.Constant(word, 0)), body, end)
        builder.position_at_end(body)
        place = builder.cttz(mask, ir.Constant(ir.IntType(1), 1))
        builder.store(builder.and_(mask, builder.sub(mask, ir.Constant(word, 1))), left)
        factor = builder.load(builder.gep(inputs, [place]))
        begin = builder.mul(place, ir.Constant(word, num_floats))
        row = builder.load(
            builder.bitcast(builder.gep(rows, [begin]), vector.as_pointer()), align=4
        )
        one = builder.insert_element(
            ir.Constant(vector, ir.Undefined), factor, ir.Constant(lane, 0)
        )
        lanes = ir.Constant(ir.VectorType(lane, num_floats), [0] * num_floats)
        spread = builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), lanes)
        builder.store(builder.fadd(builder.load(held), builder.fmul(spread, row)), held)
        builder.branch(test)
        builder.position_at_end(end)

    def generate(context: Any, builder: Any, _signature: object, args: Any) -> object:
        data = context.make_array(room)(context, builder, args[0]).data
        matrix = context.make_array(table)(context, builder, args[2]).data
        target = builder.bitcast(builder.gep(data, [args[1]]), vector.as_pointer())
        held = cgutils.alloca_once(builder, vector)
        builder.store(builder.load(target, align=4), held)
        for begin in range(0, num_inputs, _BLOCK):
            inputs = builder.gep(data, [builder.add(args[4], ir.Constant(word, begin))])
            skipped = ir.Constant(word, begin * num_floats)
            rows = builder.gep(matrix, [builder.add(args[3], skipped)])
            add_block(builder, held, inputs, rows, min(_BLOCK, num_inputs - begin))
        builder.store(builder.load(held), target, align=4)
        return context.get_dummy_value()

    arguments = (room, types.int64, table, types.int64, types.int64, size, width)
    return types.void(*arguments), generate


@overload(add_product, strict=False, prefer_literal=True)
def _compiled_add_product(
    room: object,
    at: object,
    table: object,
    first: object,
    source: object,
    size: object,
    width: object,
) -> object:
    return lambda room, at, table, first, source, size, width: _llvm_add_product(
        room, at, table, first, source, size, width
    )


def borrow(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the same array as a view that does not keep it alive.

    A kernel that calls others in a loop borrows what it was given first: Numba
    counts references, atomically, wherever an array is passed on, and that took
    a third of the time of readable playouts.

    Args:
        array: Alive as long as the view is used.
    """
    return array


@intrinsic
def _llvm_borrow(_context: object, array: Any) -> object:
    def generate(context: Any, builder: Any, _signature: object, args: Any) -> object:
        make = context.make_array(array)
        view = make(context, builder, args[0])
        nobody = ir.Constant(view.meminfo.type, None)
        view.meminfo = nobody
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()  # noqa: SLF001 # this is how Numba's own code does it

    return array(array), generate


@overload(borrow, strict=False)
def _compiled_borrow(array: Any) -> object:
    return lambda array: _llvm_borrow(array)


def row_of(rows: npt.NDArray[Any], index: int | np.int64) -> npt.NDArray[Any]:
    """Return a row of a table, `[width]`, as a view that does not keep the table alive.

    See `borrow` for why.

    Args:
        rows: Contiguous, `[N, width]`; alive as long as the view is used.
        index: Which row. Unchecked.
    """
    return rows[index]


@intrinsic
def _llvm_row_of(_context: object, rows: Any, index: object) -> object:
    row = types.Array(rows.dtype, 1, "C")

    def generate(context: Any, builder: Any, _signature: object, args: Any) -> object:
        table = context.make_array(rows)(context, builder, args[0])
        view = context.make_array(row)(context, builder)
        width = cgutils.unpack_tuple(builder, table.shape)[1]
        populate_array(
            view,
            data=builder.gep(table.data, [builder.mul(args[1], width)]),
            shape=[width],
            strides=[table.itemsize],
            itemsize=table.itemsize,
            meminfo=None,
        )
        return view._getvalue()  # noqa: SLF001 # this is how Numba's own code does it

    return row(rows, types.int64), generate


@overload(row_of, strict=False)
def _compiled_row_of(rows: Any, index: object) -> object:
    if rows.layout != "C" or rows.ndim != 2:
        return None
    return lambda rows, index: _llvm_row_of(rows, index)


_BYTES: Final = _U(0x0101010101010101)
_HIGH_BITS: Final = _U(0x8080808080808080)
_PAIRS: Final = _U(0x5555555555555555)
_QUADS: Final = _U(0x3333333333333333)
_NIBBLES: Final = _U(0x0F0F0F0F0F0F0F0F)
_FF: Final = _U(0xFF)
_TWO, _FOUR, _EIGHT = _U(2), _U(4), _U(8)


def _select_table() -> "np.ndarray[Any, np.dtype[np.uint8]]":
    """Return, for each rank and byte `[8 * 256]`, the index of the set bit with that rank."""
    table = np.zeros(8 * 256, np.uint8)
    for byte in range(256):
        for rank, bit in enumerate(bit for bit in range(8) if byte >> bit & 1):
            table[rank * 256 + byte] = bit
    return table


_SELECT_IN_BYTE: Final = _select_table()


@njit
def select_bit_portable(word: np.uint64, rank: np.uint64) -> np.uint64:
    """Return the *rank*-th set bit as a word with one bit, on any processor.

    Source:
        Vigna 2008, Broadword Implementation of Rank/Select Queries, with a
        table for the last step.
    """
    sums = word - ((word >> _ONE) & _PAIRS)
    sums = (sums & _QUADS) + ((sums >> _TWO) & _QUADS)
    sums = ((sums + (sums >> _FOUR)) & _NIBBLES) * _BYTES  # in each byte: set bits up to there
    place = popcount((((rank * _BYTES) | _HIGH_BITS) - sums) & _HIGH_BITS) * _EIGHT
    left = rank - (((sums << _EIGHT) >> place) & _FF)
    index = ((word >> place) & _FF) | (left << _EIGHT)
    return _ONE << (place + _U(_SELECT_IN_BYTE[index]))


@njit
def _select_bit_pdep(word: np.uint64, rank: np.uint64) -> np.uint64:
    """Return the *rank*-th set bit as a word with one bit, by the BMI2 instruction."""
    deposited: np.uint64 = _llvm_pdep(_ONE << rank, word)
    return deposited


# The choice is part of the digest through the target's features: code that was
# compiled with one of the two is never found by a process that uses the other.
select_bit: Final = _select_bit_pdep if HAS_PDEP else select_bit_portable
"""Return the *rank*-th set bit (from 0) of a word as a word with one bit; it must have so many."""
