"""Where double precision ends: the numerical limits that all ways of learning share."""

NEGLIGIBLE = 1e-17
"""A learning rate below this changes no bit of a mean or a matrix; age and accumulator still count."""
SINGULAR = 1e-12
"""Least factor that one published update may multiply a determinant by: no exact singularity."""
INFLATION_LIMIT = 1e11
"""Largest variance inflation C_dd Λ_dd that is carried on in doubles; beyond it the columns are collinear."""
RIDGE = 1e-10
"""Share of its own variance by which every column of a collinear component is widened."""
