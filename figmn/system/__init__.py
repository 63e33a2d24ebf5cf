"""System layer below the mathematics: BLAS and LAPACK, compiling, memory, files, and measured limits."""
