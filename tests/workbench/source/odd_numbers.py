"""Files of odd numbers, each of which must be read, summed up and encoded, or refused with a sentence."""

from __future__ import annotations

LARGEST = 1.7976931348623157e308
TINY = 5e-324


def _column(*values: object) -> str:
    return "x,y\n" + "".join(f"{value},{row}\n" for row, value in enumerate(values))


ODD_FILES: dict[str, str] = {
    "1e300": _column(1e300, -1e300, 2e299),
    "1e-300": _column(1e-300, -1e-300, 2e-299),
    "1e155": _column(1e155, 1, 2, 3),
    "equal 1e40": _column(*[1e40] * 7),
    "equal 1e-40": _column(*[1e-40] * 7),
    "equal 0.1": _column(*[0.1] * 10),
    "equal largest": _column(*[LARGEST] * 3),
    "largest": _column(LARGEST, -LARGEST, 0),
    "largest and a half": _column(LARGEST, LARGEST / 2),
    "denormals": _column(TINY, 2 * TINY, 3e-320),
    "two denormals": _column(TINY, 2 * TINY),
    "equal denormals": _column(*[TINY] * 4),
    "denormal and largest": _column(TINY, LARGEST, 0, -LARGEST),
    "mixed scales": _column(1e-300, 1e-12, 1, 1e12, 1e300),
    "nanoseconds": _column(*(1_700_000_000_123_456_789 + 10**9 * i for i in range(20))),
    "bytes": _column(*(2**40 + 2**33 * i for i in range(20))),
    "constant": _column(*[7] * 20),
    "zeros": _column(*[0] * 20),
    "minus zero": _column("-0.0", "0", "-0"),
    "duplicated": _column(*[1, 2] * 20),
    "one row": _column(3),
    "one cell": "x\n3\n",
    "one huge cell": "x\n1e308\n",
    "no header": "3\n4\n",
    "all missing": _column(*["?"] * 5),
    "all missing alone": "x\n?\n?\n",
    "one known": _column("?", 5, "?"),
    "infinities": _column("inf", "-inf", "inf"),
    "infinities alone": "x\ninf\n-inf\n",
    "infinities among others": _column("inf", 1, "-Infinity", 2),
    "too large": _column("1e999", "-1e999", 1, 2),
    "400 digits": _column("9" * 400, "8" * 400, 1),
    "5000 digits": _column("9" * 5000, 1, 2),
    "ids": _column(*(2**53 + i for i in range(300))),
    "ids of 30 digits": _column(*(10**29 + i for i in range(50))),
    "one large integer": _column(2**53 + 1, 1, 2),
    "64 bits": _column(2**63, 2**64 - 1, -(2**63)),
    "powers of ten": _column(*(f"1e{i}" for i in range(-323, 309, 10))),
    "hex": _column("0x1F", "0xff", "0x10"),
    "thousands": 'x,y\n"1,234",1\n"12,345,678",2\n"999",3\n',
    "thousands with points": "x;y\n1.234,5;1\n12.345.678,25;2\n999;3\n",
    "apostrophes": "x;y\n1'234;1\n12'345;2\n",
    "underscores": _column("1_000", "2_000"),
    "percent": _column("5%", "7%"),
    "signs": _column("+5", "-7", "+0"),
    "no leading digit": _column(".5", "5.", "-.25"),
    "Fortran": _column("1.5D+03", "2.5D-03"),
    "full width": _column("１２", "３４"),
    "nan": _column("nan", "NaN", "1"),
    "exponents": _column("1e5", "1E-5", "1e+05"),
    "long decimals": _column("0." + "1" * 400, "3." + "14" * 300),
}
"""CSV text by what is odd about it."""
