"""Thresholds at which one way of computing becomes faster than another, as measured, all in one place.

Measured on two cores of an AMD EPYC with one BLAS thread; µs per sample, one component unless said otherwise.

Fast IGMN, compiled loops | blocks of samples:  D = 128: 6 | 10,  D = 192: 17 | 14,  D = 256: 26 | 17; with 163
components D = 128: 626 | 2,065, D = 192: 1,838 | 2,174.
Fast IGMN, mature, by an inverse | by a triangle (AVX-512):  D = 300: 6.5 | 9.7,  D = 784: 26 | 39,  D = 1500: 82 | 117.
Fast IGMN, young | mature, by the number of directions as a share of D:  D = 784: 0.6: 74 | 86, 0.7: 87 | 86,
0.8: 104 | 86;  D = 1500: 0.6: 230 | 279, 0.7: 298 | 279, 0.8: 362 | 280.
IGMN, compiled Cholesky | LAPACK:  D = 96: 54 | 137,  D = 160: 171 | 284,  D = 192: 265 | 225,  D = 256: 580 | 365.
"""

EXACT_COMPILED_UP_TO = 256
"""Dimensions up to which Fast IGMN learns by compiled loops over triangles, under the exact rule."""
PUBLISHED_COMPILED_UP_TO = 160
"""Dimensions up to which Fast IGMN learns by compiled loops over precisions, under the published rule."""
YOUNG_UP_TO = 0.9
"""Rows of a young scatter, as a share of the dimensions, from which a triangle is the cheaper form."""
PANEL = 24
"""Columns per panel in the update of a mature scatter."""
PENDING = 192
"""Pending rows of a mature scatter before they are put into its triangle."""
AFRESH_ROWS = 16
"""Samples per column after which the log determinant of a mature inverse is recomputed: 2 % of its time."""
CUBIC_COMPILED_UP_TO = 160
"""Dimensions up to which IGMN learns by compiled loops."""
DENSE_FROM = 0.7
"""Directions of a young precision, as a share of the dimensions, from which a dense matrix is the cheaper form."""
SMALLEST_BLOCK = 8
"""Samples per block in many dimensions right after a birth, which ends a block."""
LARGEST_BLOCK = 64
"""Samples per block in many dimensions when no component is born."""
BLOCK_BYTES = 64 * 2**20
"""Memory that the errors of a block may take, all components together."""
BAND = 64
"""Rows per band of a triangular matrix that grows by rows."""
ANSWER_ITEMS = 2**18
"""Numbers that inference handles at once: few enough for the cache."""
ANSWER_ROWS = 64
"""Least number of rows that inference handles at once: enough for matrix products to pay off."""
ANSWERED_AT_ONCE = 2**17
"""D (D + o²) up to which a compiled loop answers a single row with o wanted values, about 30 µs per component; beyond
it, a cached pattern serves the next rows in less time."""
BY_VECTOR_FROM = 2**14
"""Numbers in a matrix from which its product with a single row or column is computed by dgemv: 122 µs for
500 × 3,082, where dgemm takes 540."""
KEPT_PATTERNS = 32
"""Patterns of missing values that a model caches."""
KEPT_BYTES = 128 * 2**20
"""Memory of all cached patterns together: enough for one of IGMN at 3,072 columns, with its inverse."""
ROWS_PER_CALL = 16384
"""Rows per compiled call: Ctrl+C is handled between calls."""
